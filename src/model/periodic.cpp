#include "model/periodic.hpp"

#include <algorithm>
#include <unordered_map>

namespace noslip {
namespace {

/// What a full turn of the angle does to the value of a node: it adds `turns` times 2 pi. Or something else, and
/// `culprit` is the smallest part that makes it so.
struct Change {
  Number turns;
  std::optional<Expr> culprit;

  bool is_none() const { return !culprit && turns.is_zero(); }
};

bool is_circular(Op op) { return op == Op::sin || op == Op::cos || op == Op::tan; }
bool is_whole(const Number& number) { return number.is_rational() && number.is_integer(); }

class Changes {
 public:
  Changes(std::span<const Expr> roots, Expr angle) : angle_(angle) {
    for (const Expr node : in_order(roots)) {
      Change change = change_of(node);
      if (!change.is_none()) changes_.emplace(node.id, std::move(change));
    }
  }

  Change of(Expr node) const {
    const auto found = changes_.find(node.id);
    return found == changes_.end() ? Change{} : found->second;
  }

 private:
  /// Operands before what is made of them: a graph only grows.
  static std::vector<Expr> in_order(std::span<const Expr> roots) {
    std::vector<Expr> nodes(roots.begin(), roots.end());
    if (nodes.empty()) return nodes;
    std::vector<bool> seen(roots.front().graph->size(), false);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Expr node = nodes[i];
      if (seen[node.id]) continue;
      seen[node.id] = true;
      const int operands = arity(node.op());
      if (operands > 0) nodes.push_back(node.a());
      if (operands > 1) nodes.push_back(node.b());
      if (operands > 2) nodes.push_back(node.c());
    }
    std::sort(nodes.begin(), nodes.end(), [](Expr a, Expr b) { return a.id < b.id; });
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  Change change_of(Expr node) const {
    if (node == angle_) return {Number(1), {}};
    const int operands = arity(node.op());
    if (operands == 0) return {};
    const Change a = of(node.a());
    const Change b = operands > 1 ? of(node.b()) : Change{};
    const Change c = operands > 2 ? of(node.c()) : Change{};
    for (const Change* operand : {&a, &b, &c}) {
      if (!operand->culprit) continue;
      // sin(a*theta) says more than a*theta.
      const bool says_more = (is_circular(node.op()) && !is_circular(operand->culprit->op())) ||
                             operand->culprit->op() == Op::arguments;
      return {Number(), says_more ? node : operand->culprit};
    }
    switch (node.op()) {
      case Op::alias: return a;
      case Op::neg: return {-a.turns, {}};
      case Op::add: return {a.turns + b.turns, {}};
      case Op::sub: return {a.turns - b.turns, {}};
      case Op::mul:
        if (node.a().is_constant()) return {node.a().number() * b.turns, {}};
        if (node.b().is_constant()) return {a.turns * node.b().number(), {}};
        break;
      case Op::div:
        if (node.b().is_constant() && !node.b().is_zero()) return {a.turns / node.b().number(), {}};
        break;
      case Op::sin:
      case Op::cos:
        if (is_whole(a.turns)) return {};
        break;
      case Op::tan:
        if (is_whole(Number(2) * a.turns)) return {};
        break;
      default: break;
    }
    if (a.is_none() && b.is_none() && c.is_none()) return {};
    return {Number(), node};
  }

  Expr angle_;
  std::unordered_map<NodeId, Change> changes_;  // of nodes that change
};

}  // namespace

std::vector<std::optional<Expr>> not_periodic(std::span<const Expr> roots, Expr angle) {
  const Changes changes(roots, angle);
  std::vector<std::optional<Expr>> result;
  for (const Expr root : roots) {
    const Change change = changes.of(root);
    if (change.is_none()) {
      result.emplace_back();
      continue;
    }
    Expr part = change.culprit.value_or(root);
    // Of a sum the term that changes.
    while (!change.culprit && (part.op() == Op::add || part.op() == Op::sub)) {
      part = changes.of(part.a()).is_none() ? part.b() : part.a();
    }
    result.emplace_back(part);
  }
  return result;
}

}  // namespace noslip

#include "model/periodic.hpp"

#include <algorithm>
#include <optional>
#include <set>

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
  /// `users_of` gives the nodes that a node is an operand of.
  template <class Users>
  Changes(Expr angle, const Users& users_of) : angle_(angle) {
    std::set<NodeId> open{angle.id};  // operands before what is made of them: a graph only grows
    while (!open.empty()) {
      const Expr node{angle.graph, *open.begin()};
      open.erase(open.begin());
      Change change = change_of(node);
      if (change.is_none()) continue;
      changes_.emplace(node.id, std::move(change));
      for (const Expr user : users_of(node)) open.insert(user.id);
    }
  }

  Change of(Expr node) const {
    const auto found = changes_.find(node.id);
    return found == changes_.end() ? Change{} : found->second;
  }
  const std::unordered_map<NodeId, Change>& all() const { return changes_; }

 private:
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

Periodicity::Periodicity(std::span<const Expr> roots) : roots_(roots.begin(), roots.end()) {
  if (roots.empty()) return;
  std::vector<Expr> open(roots.begin(), roots.end());
  std::vector<bool> seen(roots.front().graph->size(), false);
  while (!open.empty()) {
    const Expr node = open.back();
    open.pop_back();
    if (seen[node.id]) continue;
    seen[node.id] = true;
    const int operands = arity(node.op());
    const auto use = [&](Expr operand) {
      users_[operand.id].push_back(node);
      open.push_back(operand);
    };
    if (operands > 0) use(node.a());
    if (operands > 1) use(node.b());
    if (operands > 2) use(node.c());
  }
  for (std::size_t i = 0; i < roots.size(); ++i) roots_of_[roots[i].id].push_back(i);
}

std::vector<Periodicity::Violation> Periodicity::violations(Expr angle) const {
  const std::vector<Expr> none;
  const Changes changes(angle, [&](Expr node) -> const std::vector<Expr>& {
    const auto found = users_.find(node.id);
    return found == users_.end() ? none : found->second;
  });
  std::vector<Violation> result;
  for (const auto& [id, change] : changes.all()) {
    const auto found = roots_of_.find(id);
    if (found == roots_of_.end()) continue;
    for (const std::size_t i : found->second) {
      Expr part = change.culprit.value_or(roots_[i]);
      // Of a sum the term that changes.
      while (!change.culprit && (part.op() == Op::add || part.op() == Op::sub)) {
        part = changes.of(part.a()).is_none() ? part.b() : part.a();
      }
      result.push_back({i, part});
    }
  }
  std::sort(result.begin(), result.end(), [](const Violation& a, const Violation& b) { return a.root < b.root; });
  return result;
}

}  // namespace noslip

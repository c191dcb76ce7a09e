// One sweep over the nodes of f. Operands have smaller ids than what is made of them: ids in order are a topological
// order.
#include <noslip/expr/difference.hpp>

#include <cassert>
#include <string>
#include <unordered_map>

#include "expr/calls.hpp"
#include "expr/reach.hpp"
#include "expr/slope.hpp"

namespace noslip {
namespace {

Path fixed(Expr value) { return {value, value, value, std::nullopt}; }

Path moving(const Move& move, Expr width) {
  if (move.slope.is_zero()) return fixed(move.start);
  const Expr change = width * move.slope;
  const Expr end = move.start + change;
  return {move.start, end, move.start + change / 2, move.slope};
}

/// The mean of a node that is affine in its operands is the node of their means.
bool is_affine(const Node& node, const Path& a, const Path& b) {
  switch (node.op) {
    case Op::neg:
    case Op::add:
    case Op::sub: return true;
    case Op::mul: return !a.slope || !b.slope;
    case Op::div: return !b.slope;
    default: return false;
  }
}

class Sweep {
 public:
  Sweep(const Graph& source, std::span<const Move> moves, Expr width)
      : source_(source), target_(*width.graph), width_(width) {
    for (const Move& move : moves) {
      assert(move.symbol.graph == &source && move.start.graph == &target_ && move.slope.graph == &target_);
      const bool is_new = paths_.emplace(move.symbol.id, moving(move, width)).second;
      assert(is_new);
      (void)is_new;
    }
  }

  /// All nodes below the root; what has been moved already is a leaf.
  Path operator()(NodeId root) {
    std::vector<NodeId> missing;
    visit_reachable(source_, {&root, 1}, [&](NodeId id) {
      if (paths_.contains(id)) return false;
      missing.push_back(id);
      return true;
    });
    std::sort(missing.begin(), missing.end());
    for (const NodeId id : missing) {
      const Node node = source_.node(id);  // a copy: the target may be the same graph and grow
      switch (node.op) {
        case Op::constant: paths_.emplace(id, fixed(target_.constant(Number(source_.number(node.payload))))); break;
        case Op::pi: paths_.emplace(id, fixed(target_.pi())); break;
        case Op::symbol: paths_.emplace(id, fixed(target_.symbol(std::string(source_.name(node.payload))))); break;
        default: paths_.emplace(id, path(node));
      }
    }
    return paths_.at(root);
  }

 private:
  Path path(Node node) const {
    node.payload = payload_in(target_, source_, node);
    const int operands = arity(node.op);
    const Path& a = paths_.at(node.a);
    const Path& b = operands > 1 ? paths_.at(node.b) : a;
    const Path& c = operands > 2 ? paths_.at(node.c) : a;
    const Expr start = apply(node.op, a.start, b.start, c.start, node.payload);
    if (!a.slope && !b.slope && !c.slope) return fixed(start);
    const Expr end = apply(node.op, a.end, b.end, c.end, node.payload);
    const std::optional<Expr> s = slope(node, a, b, c, start, end, width_);
    if (!s || s->is_zero()) return fixed(start);
    std::optional<Expr> middle;
    if (node.op == Op::alias) {
      middle = a.mean;
    } else if (node.op == Op::arguments) {
      const Expr left = mean(a);
      middle = apply(node.op, left, mean(b), left, 0);
    } else if (is_affine(node, a, b) && a.mean && b.mean) {
      middle = apply(node.op, *a.mean, *b.mean, *a.mean, node.payload);
    }
    return {start, end, middle, s};
  }

  const Graph& source_;
  Graph& target_;
  Width width_;
  std::unordered_map<NodeId, Path> paths_;
};

}  // namespace

Expr divided_difference(Expr f, std::span<const Move> moves, Expr width) {
  Sweep sweep(*f.graph, moves, width);
  const Path path = sweep(f.id);
  return path.slope ? *path.slope : width.graph->constant(0);
}

}  // namespace noslip

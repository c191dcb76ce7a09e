#include <noslip/expr/switches.hpp>

#include <algorithm>

#include "expr/reach.hpp"

namespace noslip {
namespace {

Switch comparison(Expr quantity, bool is_corner) {
  const Expr zero = quantity.graph->constant(0);
  return {Switch::Kind::comparison, less(zero, quantity), quantity, is_corner};
}

}  // namespace

std::vector<Switch> switches_of(std::span<const Expr> functions, std::span<const Expr> variables) {
  std::vector<Switch> found;
  if (functions.empty()) return found;
  Graph& graph = *functions.front().graph;
  const auto add = [&](const Switch& one) {
    if (!contain_any({&one.quantity, 1}, variables).front()) return;
    const auto same =
        std::find_if(found.begin(), found.end(), [&](const Switch& other) { return other.quantity == one.quantity; });
    if (same == found.end()) {
      found.push_back(one);
    } else {
      same->is_corner = same->is_corner && one.is_corner;
    }
  };
  for (const NodeId id : reachable_nodes(graph, ids_of(functions))) {
    const Expr node{&graph, id};
    switch (node.op()) {
      case Op::abs: add(comparison(node.a(), true)); break;
      case Op::sign: add(comparison(node.a(), false)); break;
      case Op::min:
      case Op::max:
        if (!is_condition(node)) add(comparison(node.a() - node.b(), true));
        break;
      case Op::less: add(comparison(node.b() - node.a(), false)); break;
      case Op::select:
        if (!is_condition(node.a())) add(comparison(node.a(), false));
        break;
      case Op::floor: add({Switch::Kind::whole, node, node.a(), false}); break;
      default: break;
    }
  }
  return found;
}

}  // namespace noslip

#include <noslip/expr/switches.hpp>

#include <algorithm>

#include "expr/reach.hpp"

namespace noslip {
namespace {

constexpr int jump = -1, corner = 0;

Switch comparison(Expr quantity, int smoothness) {
  const Expr zero = quantity.graph->constant(0);
  return {Switch::Kind::comparison, less(zero, quantity), quantity, smoothness};
}

}  // namespace

std::vector<Switch> switches_of(std::span<const Expr> functions, std::span<const Expr> variables) {
  std::vector<Switch> found;
  if (functions.empty()) return found;
  Graph& graph = *functions.front().graph;
  const auto add = [&](const Switch& one) {
    if (!contain_any({&one.quantity, 1}, variables).front()) return;
    const auto same = std::find_if(found.begin(), found.end(), [&](const Switch& other) {
      return other.quantity == one.quantity && other.piece == one.piece;
    });
    if (same == found.end()) {
      found.push_back(one);
    } else {
      same->smoothness = std::min(same->smoothness, one.smoothness);
    }
  };
  for (const NodeId id : reachable_nodes(graph, ids_of(functions))) {
    const Expr node{&graph, id};
    switch (node.op()) {
      case Op::abs: add(comparison(node.a(), corner)); break;
      case Op::sign: add(comparison(node.a(), jump)); break;
      case Op::min:
      case Op::max:
        if (!is_condition(node)) add(comparison(node.a() - node.b(), corner));
        break;
      case Op::less: add(comparison(node.b() - node.a(), jump)); break;
      case Op::select:
        if (!is_condition(node.a())) add(comparison(node.a(), jump));
        break;
      case Op::floor: add({Switch::Kind::whole, node, node.a(), jump}); break;
      case Op::table: {
        const Table table = node.table();
        const Expr argument = node.a();
        if (node.table_derivative() == Graph::interval) break;
        add({Switch::Kind::table, look_up(table, argument, Graph::interval), argument,
             (table.kind() == Table::Kind::linear ? 0 : 2) - node.table_derivative(), table});
        break;
      }
      default: break;
    }
  }
  return found;
}

}  // namespace noslip

// Walks over what a set of roots is made of. No recursion: graphs may be a million nodes deep.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

inline std::vector<NodeId> ids_of(std::span<const Expr> expressions) {
  std::vector<NodeId> ids;
  ids.reserve(expressions.size());
  for (const Expr& expression : expressions) ids.push_back(expression.id);
  return ids;
}

/// Calls `enter(id)` once for every node that is reached from the roots; operands are visited where it returns true.
/// The order is not topological.
template <class Enter>
void visit_reachable(const Graph& graph, std::span<const NodeId> roots, Enter&& enter) {
  if (roots.empty()) return;
  std::vector<bool> seen(static_cast<std::size_t>(*std::max_element(roots.begin(), roots.end())) + 1);
  std::vector<NodeId> open;
  const auto reach = [&](NodeId id) {
    if (seen[id]) return;
    seen[id] = true;
    open.push_back(id);
  };
  for (const NodeId root : roots) {
    reach(root);
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (!enter(id)) continue;
      const Node& node = graph.node(id);
      const int operands = arity(node.op);
      if (operands > 0) reach(node.a);
      if (operands > 1) reach(node.b);
      if (operands > 2) reach(node.c);
    }
  }
}

/// Every node that is reached, operands before what is made of them.
inline std::vector<NodeId> reachable_nodes(const Graph& graph, std::span<const NodeId> roots) {
  std::vector<NodeId> nodes;
  visit_reachable(graph, roots, [&](NodeId id) {
    nodes.push_back(id);
    return true;
  });
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace noslip

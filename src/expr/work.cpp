#include "expr/work.hpp"

#include <bit>
#include <cstdint>
#include <unordered_map>

#include "expr/reach.hpp"

namespace noslip {

std::size_t jacobian_work(std::span<const Expr> functions, std::span<const Expr> variables) {
  if (functions.empty() || variables.empty()) return 0;
  constexpr std::size_t most = 64;
  const std::size_t count = std::min(variables.size(), most);
  std::unordered_map<NodeId, std::uint64_t> bits;
  for (std::size_t i = 0; i < count; ++i) bits[variables[i * variables.size() / count].id] |= std::uint64_t{1} << i;
  const Graph& graph = *functions.front().graph;
  const std::vector<NodeId> nodes = reachable_nodes(graph, ids_of(functions));
  std::vector<std::uint64_t> depends(nodes.back() + std::size_t{1}, 0);
  std::size_t pairs = 0;
  for (const NodeId id : nodes) {
    const Node& node = graph.node(id);
    const int operands = arity(node.op);
    std::uint64_t found = operands > 0 ? depends[node.a] : 0;
    if (operands > 1) found |= depends[node.b];
    if (operands > 2) found |= depends[node.c];
    if (const auto variable = bits.find(id); variable != bits.end()) found |= variable->second;
    depends[id] = found;
    pairs += static_cast<std::size_t>(std::popcount(found));
  }
  return pairs * variables.size() / count;
}

}  // namespace noslip

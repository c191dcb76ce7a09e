#include "run/hoist.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace noslip {

namespace {

bool takes_work(const Expr& x) {
  const Op op = x.op();
  return op != Op::constant && op != Op::pi && op != Op::symbol;
}

/// Operands of a node, as many as it has.
std::span<const Expr> operands(const Expr& x, std::array<Expr, 3>& room) {
  const int count = arity(x.op());
  if (count > 0) room[0] = x.a();
  if (count > 1) room[1] = x.b();
  if (count > 2) room[2] = x.c();
  return {room.data(), static_cast<std::size_t>(count)};
}

/// Everything that the roots are made of, with them.
std::vector<Expr> nodes_of(std::span<const Expr> roots) {
  std::vector<Expr> nodes, waiting(roots.begin(), roots.end());
  std::unordered_set<NodeId> seen;
  std::array<Expr, 3> room;
  while (!waiting.empty()) {
    const Expr x = waiting.back();
    waiting.pop_back();
    if (!seen.insert(x.id).second) continue;
    nodes.push_back(x);
    for (const Expr& operand : operands(x, room)) waiting.push_back(operand);
  }
  return nodes;
}

/// Fewer nodes, and a smaller part of a step, are not worth the places that they would be read from, which loops of
/// machine code do not have.
constexpr std::size_t least_nodes = 200, least_share = 50;

}  // namespace

std::vector<Expr> unchanging_parts(std::span<const Expr> roots, std::span<const Expr> changing) {
  // Operands are older than what is made of them: in the order of their ids, they come first.
  std::vector<Expr> nodes = nodes_of(roots);
  std::unordered_map<NodeId, bool> changes;
  for (const Expr& symbol : changing) changes[symbol.id] = true;
  std::array<Expr, 3> room;
  std::sort(nodes.begin(), nodes.end(), [](const Expr& x, const Expr& y) { return x.id < y.id; });
  for (const Expr& x : nodes) {
    bool& own = changes[x.id];
    for (const Expr& operand : operands(x, room)) own = own || changes.at(operand.id);
  }

  std::vector<Expr> parts;
  std::unordered_map<NodeId, bool> taken;
  const auto take = [&](const Expr& x) {
    if (!changes.at(x.id) && takes_work(x) && taken.try_emplace(x.id, true).second) parts.push_back(x);
  };
  for (const Expr& root : roots) take(root);
  for (const Expr& x : nodes) {
    if (!changes.at(x.id)) continue;
    for (const Expr& operand : operands(x, room)) take(operand);
  }
  return parts;
}

Outputs hoist_fixed(Graph& graph, Outputs& outputs, std::span<const Expr> fixed, Recorder& recorder,
                    std::vector<Definition>& places) {
  std::vector<Expr> roots, changing;
  for (const Tape::Output& output : outputs) roots.push_back(output.expression);
  std::unordered_set<NodeId> are_fixed;
  for (const Expr& symbol : fixed) are_fixed.insert(symbol.id);
  for (const Expr& symbol : symbols_of(roots)) {
    if (!are_fixed.contains(symbol.id)) changing.push_back(symbol);
  }
  Outputs hoisted;
  const std::vector<Expr> parts = unchanging_parts(roots, changing);
  const std::size_t count = nodes_of(parts).size();
  if (count < least_nodes && least_share * count < nodes_of(roots).size()) return hoisted;
  Substitution put(graph);
  for (const Expr& part : parts) {
    const Expr symbol = recorder.new_symbol("fixed");
    Recorder::add(hoisted, part, recorder.place(symbol));
    places.push_back({symbol, part});
    put.replace(part, symbol);
  }
  for (Tape::Output& output : outputs) output.expression = put(output.expression);
  return hoisted;
}

}  // namespace noslip

#include "run/hoist.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

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

}  // namespace

std::vector<Expr> unchanging_parts(std::span<const Expr> roots, std::span<const Expr> changing) {
  // Operands are older than what is made of them: in the order of their ids, they come first.
  std::vector<Expr> nodes;
  std::unordered_map<NodeId, bool> changes;
  for (const Expr& symbol : changing) changes[symbol.id] = true;
  std::array<Expr, 3> room;
  std::vector<Expr> waiting(roots.begin(), roots.end());
  std::unordered_map<NodeId, bool> seen;
  while (!waiting.empty()) {
    const Expr x = waiting.back();
    waiting.pop_back();
    if (!seen.try_emplace(x.id, true).second) continue;
    nodes.push_back(x);
    for (const Expr& operand : operands(x, room)) waiting.push_back(operand);
  }
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

}  // namespace noslip

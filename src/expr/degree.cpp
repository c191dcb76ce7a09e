#include <noslip/expr/degree.hpp>

#include <algorithm>
#include <cassert>
#include <limits>
#include <unordered_map>

#include "expr/reach.hpp"

namespace noslip {
namespace {

using Degree = std::optional<int>;

int limited(long long degree) { return static_cast<int>(std::min<long long>(degree, std::numeric_limits<int>::max())); }

Degree degree_of(const Node& node, Degree a, Degree b, Degree c) {
  switch (node.op) {
    case Op::alias:
    case Op::neg: return a;
    case Op::add:
    case Op::sub: return a && b ? Degree(std::max(*a, *b)) : std::nullopt;
    case Op::mul: return a && b ? Degree(limited(static_cast<long long>(*a) + *b)) : std::nullopt;
    case Op::div: return b == 0 ? a : std::nullopt;
    case Op::powi: return a ? Degree(limited(static_cast<long long>(*a) * node.payload)) : std::nullopt;
    default: break;
  }
  // Any function of what is free of the variables is free of them: only they have the degree one to begin with.
  const int operands = arity(node.op);
  const bool is_free = (operands < 1 || a == 0) && (operands < 2 || b == 0) && (operands < 3 || c == 0);
  return is_free ? Degree(0) : std::nullopt;
}

bool is_piecewise(const Graph& graph, const Node& node) {
  switch (node.op) {
    case Op::abs:
    case Op::sign:
    case Op::floor:
    case Op::min:
    case Op::max:
    case Op::less:
    case Op::select: return true;
    case Op::call: return graph.call(node.payload).function.has_corners();
    case Op::table: {
      const Table& table = graph.table(node.payload / 8);
      const bool has_ends = table.outside() == Table::Outside::hold;
      return has_ends || table.kind() == Table::Kind::linear || node.payload % 8 > 1;
    }
    default: return false;
  }
}

}  // namespace

namespace {

using Degrees = std::unordered_map<NodeId, Degree>;

/// Of everything that the functions are made of.
Degrees degrees_of(std::span<const Expr> functions, std::span<const Expr> variables) {
  Degrees degrees;
  if (functions.empty()) return degrees;
  const Graph& graph = *functions.front().graph;
  for (const Expr& variable : variables) {
    assert(variable.graph == &graph);
    degrees[variable.id] = 1;
  }
  for (const NodeId id : reachable_nodes(graph, ids_of(functions))) {
    if (degrees.contains(id)) continue;
    const Node& node = graph.node(id);
    const int operands = arity(node.op);
    const auto operand = [&](int index, NodeId of) { return operands > index ? degrees.at(of) : Degree(); };
    degrees[id] = degree_of(node, operand(0, node.a), operand(1, node.b), operand(2, node.c));
  }
  return degrees;
}

Expr terms_beyond(int degree, Expr f, const Degrees& degrees) {
  const Degree found = degrees.at(f.id);
  if (found && *found <= degree) return f.graph->constant(0);
  const auto rest = [&](Expr part) { return terms_beyond(degree, part, degrees); };
  switch (f.op()) {
    case Op::alias: return rest(f.a());
    case Op::neg: return -rest(f.a());
    case Op::add: return rest(f.a()) + rest(f.b());
    case Op::sub: return rest(f.a()) - rest(f.b());
    case Op::mul:
      if (f.a().is_constant()) return f.a() * rest(f.b());
      if (f.b().is_constant()) return rest(f.a()) * f.b();
      return f;
    case Op::div: return f.b().is_constant() ? rest(f.a()) / f.b() : f;
    default: return f;
  }
}

}  // namespace

std::vector<std::optional<int>> polynomial_degrees(std::span<const Expr> functions, std::span<const Expr> variables) {
  const Degrees degrees = degrees_of(functions, variables);
  std::vector<std::optional<int>> result;
  for (const Expr& function : functions) result.push_back(degrees.at(function.id));
  return result;
}

std::optional<int> polynomial_degree(Expr f, std::span<const Expr> variables) {
  return polynomial_degrees({&f, 1}, variables).front();
}

Expr terms_beyond_degree(int degree, Expr f, std::span<const Expr> variables) {
  return terms_beyond(degree, f, degrees_of({&f, 1}, variables));
}

std::vector<bool> are_smooth(std::span<const Expr> functions, std::span<const Expr> variables) {
  if (functions.empty()) return {};
  const Graph& graph = *functions.front().graph;
  enum Nature : std::uint8_t { is_free, has_none, has_corners };
  std::unordered_map<NodeId, Nature> natures;
  for (const Expr& variable : variables) natures[variable.id] = has_none;
  for (const NodeId id : reachable_nodes(graph, ids_of(functions))) {
    if (natures.contains(id)) continue;
    const Node& node = graph.node(id);
    const int operands = arity(node.op);
    Nature nature = is_free;
    if (operands > 0) nature = std::max(nature, natures.at(node.a));
    if (operands > 1) nature = std::max(nature, natures.at(node.b));
    if (operands > 2) nature = std::max(nature, natures.at(node.c));
    natures[id] = nature != is_free && is_piecewise(graph, node) ? has_corners : nature;
  }
  std::vector<bool> result;
  for (const Expr& function : functions) result.push_back(natures.at(function.id) != has_corners);
  return result;
}

}  // namespace noslip

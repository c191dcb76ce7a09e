// Gradients that tell branches apart.
#include "model/branches.hpp"

#include <algorithm>
#include <unordered_set>

#include <noslip/expr/derivative.hpp>

namespace noslip {
namespace {

using Symbols = std::unordered_set<NodeId>;

Symbols set_of(const std::vector<Expr>& symbols) {
  Symbols result;
  for (const Expr symbol : symbols) result.insert(symbol.id);
  return result;
}

bool contains_one_of(const std::vector<Expr>& row, const Symbols& symbols) {
  const std::vector<Expr> used = symbols_of(row);
  return std::any_of(used.begin(), used.end(), [&](Expr each) { return symbols.contains(each.id); });
}

}  // namespace

std::vector<std::vector<Expr>> branch_gradients(const System& system, Graph& graph) {
  std::vector<std::vector<Expr>> result;
  const auto add = [&](const std::vector<Expr>& row, const Symbols& variables) {
    if (contains_one_of(row, variables)) result.push_back(row);
  };
  std::vector<Expr> v = graph.counterparts(system.v());
  if (system.has_implicit_momenta()) {
    for (const Expr momentum : system.z()) v.push_back(graph.counterpart(momentum));
  }
  const Symbols velocities = set_of(v);
  for (const Constraint& constraint : system.velocity_level()) {
    add(graph.counterparts(constraint.K.values()), velocities);
  }
  if (!system.offers().multiplier_variables) return result;
  const std::vector<Expr> z = graph.counterparts(system.z());
  const Symbols multipliers = set_of(z);
  for (const Expr hidden : system.hidden_constraints()) add(gradient(graph.counterpart(hidden), z), multipliers);
  for (const Expr multiplier : z) {
    std::vector<Expr> column;
    for (const Expr reaction : system.position_reactions()) {
      column.push_back(derivative(graph.counterpart(reaction), multiplier));
    }
    add(column, multipliers);
  }
  return result;
}

}  // namespace noslip

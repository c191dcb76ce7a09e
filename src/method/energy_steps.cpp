#include "method/energy_steps.hpp"

namespace noslip {

std::vector<Expr> move_state(const SkewForm& form, StepRecipe& recipe, const std::vector<Expr>& increment) {
  Graph& graph = *recipe.graph;
  const std::size_t n = form.positions;
  if (n == 0) {
    for (std::size_t j = 0; j < increment.size(); ++j) recipe.state[j].increment = increment[j];
    return {};
  }
  std::vector<Expr> x1;
  for (std::size_t j = 0; j < n; ++j) {
    recipe.state[j].increment = increment[j];
    x1.push_back(recipe.state[j].next(graph));
  }
  for (std::size_t j = n; j < increment.size(); ++j) x1.push_back(graph.alias(form.start[j] + increment[j]));
  // The basis is taken at the positions that are stored, so that constraints hold for what is stored.
  std::vector<Expr> v1;
  for (const Expr& v : SkewPoint(form, graph, x1).velocities()) v1.push_back(graph.alias(v));
  for (std::size_t i = 0; i < n; ++i) recipe.state[n + i].value = v1[i];
  return v1;
}

std::vector<Expr> applied_forces_at(const System& system, Graph& graph, Expr t, const std::vector<Expr>& x,
                                    const std::vector<Expr>& v) {
  Substitution put(graph);
  put.replace(system.t(), t);
  for (std::size_t i = 0; i < v.size(); ++i) {
    put.replace(system.q()[i], x[i]);
    put.replace(system.v()[i], v[i]);
  }
  return put(system.applied_forces());
}

}  // namespace noslip

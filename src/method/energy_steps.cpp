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
  std::vector<Expr> totals;
  for (std::size_t j = n; j < increment.size(); ++j) {
    totals.push_back(graph.alias(increment[j] + form.start_low[j - n]));
    x1.push_back(graph.alias(form.start[j] + totals.back()));
  }
  // The basis is taken at the positions that are stored, so that constraints hold for what is stored.
  SkewPoint end(form, graph, x1);
  std::vector<Expr> v1;
  for (const Expr& v : end.velocities()) v1.push_back(graph.alias(v));
  // Nothing of the momenta is lost to rounding, neither in their sum (Kahan) nor on their way to the velocities and
  // back: in a long fall, say, one step is like the other, and rounding would always err to the same side.
  const std::vector<Expr> seen = end.momenta(v1);
  std::vector<Expr> lost;
  for (std::size_t j = n; j < increment.size(); ++j) {
    const Expr by_sum = totals[j - n] - graph.alias(x1[j] - form.start[j]);
    lost.push_back(by_sum + graph.alias(x1[j] - graph.alias(seen[j - n])));
  }
  const std::vector<Expr> v_low = end.velocity_change(lost);
  for (std::size_t i = 0; i < n; ++i) {
    recipe.state[n + i].value = v1[i];
    recipe.state[n + i].value_low = v_low[i];
  }
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

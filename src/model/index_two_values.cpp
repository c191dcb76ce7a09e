// The functions of a dae2 system and their derivatives as numbers.
#include <cmath>
#include <limits>

#include <noslip/expr/derivative.hpp>

#include "model/index_two_evaluator.hpp"

namespace noslip {

using Eigen::Index;

bool IndexTwoValues::all_finite() const {
  return f.allFinite() && g.allFinite() && hidden.allFinite() && g_t.allFinite() && hidden_t.allFinite() &&
         f_z.allFinite() && g_y.allFinite() && hidden_y.allFinite() && hidden_z.allFinite();
}

/// The derivatives live in a graph of their own: the system's may be in use by other threads.
void IndexTwoEvaluator::make_functions() {
  Graph graph;
  Substitution copy(graph);
  const ExprMatrix inputs = copied(copy, state_blocks(system_));
  const std::vector<Expr>&t = inputs[0], &y = inputs[1], &z = inputs[3];
  const std::vector<Expr> f = copy(system_.position_rates()), hidden = copy(system_.hidden_constraints());
  const std::vector<Expr> g = copy(values_of(system_.constraints()));
  const auto by = [&](const std::vector<Expr>& functions, const std::vector<Expr>& variables) {
    return dense_jacobian(graph, functions, variables);
  };
  function_ = Function<double>(
      inputs, {f, g, hidden, by(g, t), by(hidden, t), by(f, z), by(g, y), by(hidden, y), by(hidden, z)});
  constraint_bounds_ = make_bounds(values_of(system_.constraints()));
  hidden_bounds_ = make_bounds(system_.hidden_constraints());
}

IndexTwoEvaluator::Curvature IndexTwoEvaluator::make_curvature() const {
  Graph graph;
  Substitution copy(graph);
  const std::vector<Expr> y = copy(system_.q());
  std::vector<std::vector<Entry>> hessians;
  for (const Constraint& constraint : system_.constraints()) hessians.push_back(hessian(copy(constraint.k), y));
  return ContinuousEvaluator::make_curvature(copy, hessians);
}

IndexTwoValues IndexTwoEvaluator::values(const InitialState& state) const {
  const auto n = static_cast<Index>(state.q.size()), m = static_cast<Index>(state.z.size());
  const Evaluation<double> here = at(function_, state);
  OutputReader read(here);
  IndexTwoValues result;
  result.f = read.vector();
  result.g = read.vector();
  result.hidden = read.vector();
  result.g_t = read.vector();
  result.hidden_t = read.vector();
  result.f_z = read.matrix(n, m);
  result.g_y = read.matrix(m, n);
  result.hidden_y = read.matrix(m, n);
  result.hidden_z = read.matrix(m, m);
  result.g_rounding = rounding(constraint_bounds_, state);
  result.hidden_rounding = rounding(hidden_bounds_, state);
  return result;
}

}  // namespace noslip

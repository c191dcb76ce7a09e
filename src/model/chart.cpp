// L^(xi, xi') = l(g0 tau(xi), d tau_xi xi'), and the same with constraints; covectors f of the body are d tau_xi^* f.
#include <noslip/model/chart.hpp>

#include <cassert>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/expr/derivative.hpp>

#include "model/kind/kind.hpp"

namespace noslip {

System in_chart(const System& system, Retraction map) {
  const DefaultArithmetic arithmetic;
  assert(system.is_on_group() && !system.has_implicit_momenta());
  auto data = std::make_shared<SystemData>();
  Graph& graph = *data->graph;
  const Group& group = system.group();
  data->name = system.name();
  data->t = graph.symbol("t");
  data->group = vector_space(system.dimension());
  // Names with a dot cannot collide with those that a user may write.
  for (int i = 1; i <= system.dimension(); ++i) {
    data->coordinates.push_back(fmt::format("chart.{}", i));
    data->q.push_back(graph.symbol(data->coordinates.back()));
    data->v.push_back(graph.symbol(data->coordinates.back() + "'"));
  }
  data->velocity_names = data->coordinates;
  data->position_rates = data->v;
  for (const FirstOrderState& state : system.states()) {
    data->coordinates.push_back(state.name);
    data->q.push_back(graph.symbol(state.name));
  }
  const std::vector<Expr> xi(data->q.begin(), data->q.begin() + system.dimension());
  data->multiplier_names = system.multiplier_names();
  Substitution copy(graph);
  for (const Parameter& constant : system.step_constants()) {
    data->parameters.push_back({constant.name, graph.symbol(constant.name), graph.constant(0)});
  }
  std::vector<Expr> g0;
  for (const Expr& number : system.configuration()) {
    g0.push_back(graph.symbol(number.name()));
    data->parameters.push_back({number.name(), g0.back(), graph.constant(0)});
  }
  const std::vector<Expr> increment = group.increment(map, g0, xi);
  const ExprMatrix tangent = group.tangent_less_one(map, xi);
  const std::vector<Expr> eta = plus_times(data->v, tangent);
  Substitution here(graph);
  for (std::size_t i = 0; i < g0.size(); ++i) here.replace(system.q()[i], graph.alias(g0[i] + increment[i]));
  for (std::size_t i = 0; i < eta.size(); ++i) here.replace(system.v()[i], graph.alias(eta[i]));

  for (const FirstOrderState& state : system.states()) {
    data->states.push_back({state.name, graph.symbol(state.name), here(state.rate), state.text});
    data->position_rates.push_back(data->states.back().rate);
  }
  data->lagrangian = here(system.lagrangian());
  for (const Constraint& constraint : system.constraints()) {
    const Expr k = here(constraint.k);
    data->constraints.push_back({constraint.text, k, constraint.kind, SparseRow(gradient(k, data->v))});
  }
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    const Expr g = here(constraint.g);
    data->holonomic.push_back({constraint.text, g, SparseRow(gradient(g, xi))});
  }
  data->applied_forces = plus_transposed_times(here(system.applied_forces()), tangent);
  if (!system.nonideal().empty()) data->nonideal = plus_transposed_times(here(system.nonideal()), tangent);
  data->psi = here(system.psi());
  const ExprMatrix inverse = group.inverse_tangent_less_one(map, xi);
  for (const std::vector<Expr>& row : system.basis()) data->basis.push_back(plus_times(here(row), inverse));
  data->kind = &mechanical_kind();
  data->kind->derive(*data);
  data->graph->freeze();
  System result;
  result.data_ = std::move(data);
  return result;
}

}  // namespace noslip

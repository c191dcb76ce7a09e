#include "method/conjugate.hpp"

namespace noslip {

Conjugate::Conjugate(const System& system, StepRecipe& recipe) : system_(system), recipe_(recipe) {
  if (system.velocities().empty()) return;
  Graph& graph = *recipe.graph;
  const std::size_t positions = system.q().size(), n = system.v().size();
  const bool are_momenta = system.has_implicit_momenta();
  first_ = are_momenta ? positions + n : positions;
  const Vector q = recipe.start(0, positions);
  start_ = recipe.start(first_, n);
  if (!are_momenta) {
    velocities_ = stage_at(system, graph, recipe.t, q, {}, start_).velocities;
    rates_ = recipe.accelerations;
    const Vector ahead = q + recipe.h * velocities_, z = start_ + recipe.h * rates_;
    velocity_change_ = stage_at(system, graph, recipe.t + recipe.h, ahead, velocities_, z).velocities - velocities_;
    return;
  }
  velocities_ = recipe.start(positions, n);
  velocity_change_ = recipe.h * recipe.accelerations;
  const Stage stage = stage_at(system, graph, recipe.t, q, velocities_, start_);
  const PositionNode node = node_at(system, graph, recipe.t, q);
  const std::size_t m = stage.K.size();
  const Vector lambda = head(recipe.multipliers, m), mu = tail(recipe.multipliers, m);
  rates_ = stage.force + sum(lambda, stage.K) + node.reactions(graph, recipe.h, mu);                     // p'
  if (system.is_on_group()) rates_ = rates_ + transposed_times(system.group().ad(velocities_), start_);  // ad*_v p
}

Vector Conjugate::end_velocities(Expr t1, const Vector& q1, const Vector& increment) const {
  const Vector z1 = recipe_.move(first_, increment);
  const Vector v1 = alias(stage_at(system_, *recipe_.graph, t1, q1, {}, z1).velocities);
  if (system_.has_implicit_momenta()) recipe_.store(system_.q().size(), v1);
  return v1;
}

}  // namespace noslip

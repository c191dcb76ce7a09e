#include "method/conjugate.hpp"

#include "method/coefficients.hpp"

namespace noslip {

Conjugate::Conjugate(const System& system, StepRecipe& recipe) : system_(system), recipe_(recipe) {
  if (system.velocities().empty()) return;
  Graph& graph = *recipe.graph;
  const std::size_t positions = system.q().size(), n = system.v().size();
  const bool are_momenta = system.has_implicit_momenta();
  first_ = are_momenta ? positions + n : positions;
  std::vector<Expr> q;
  for (std::size_t i = 0; i < positions; ++i) q.push_back(recipe.state[i].symbol);
  for (std::size_t i = 0; i < n; ++i) start_.push_back(recipe.state[first_ + i].symbol);
  if (are_momenta) {
    for (std::size_t i = 0; i < n; ++i) velocities_.push_back(recipe.state[positions + i].symbol);
    const Stage stage = stage_at(system, graph, recipe.t, q, velocities_, start_);
    const PositionNode node = node_at(system, graph, recipe.t, q);
    const std::span<const Expr> multipliers = recipe.multipliers;
    const auto lambda = multipliers.first(stage.K.size()), mu = multipliers.subspan(stage.K.size());
    for (std::size_t i = 0; i < n; ++i) {  // p' = F + K^T lambda + G^T mu
      rates_.push_back(stage.force[i] + stage.reaction(graph, i, lambda) + node.reaction(graph, recipe.h, i, mu));
    }
    if (system.is_on_group()) {  // and ad*_v p
      const std::vector<Expr> turning = transposed_times(system.group().ad(velocities_), start_);
      for (std::size_t i = 0; i < n; ++i) rates_[i] = rates_[i] + turning[i];
    }
  } else {
    velocities_ = stage_at(system, graph, recipe.t, q, {}, start_).velocities;
    rates_ = recipe.accelerations;
  }
}

std::vector<Expr> Conjugate::moved(const std::vector<Expr>& increment) const {
  std::vector<Expr> z;
  for (std::size_t i = 0; i < start_.size(); ++i) z.push_back(recipe_.graph->alias(start_[i] + increment[i]));
  return z;
}

void Conjugate::tie(Solve& solve, const Stage& stage) const {
  for (std::size_t i = 0; i < stage.v.size(); ++i) solve.residuals.push_back(stage.v[i] - stage.velocities[i]);
}

Expr Conjugate::first_guess(std::size_t i, quad fraction) const {
  return recipe_.h * coefficient(*recipe_.graph, fraction) * rates_[i];
}

std::vector<Expr> Conjugate::end_velocities(Expr t1, const std::vector<Expr>& q1, const std::vector<Expr>& increment) {
  Graph& graph = *recipe_.graph;
  std::vector<Expr> z1;
  for (std::size_t i = 0; i < start_.size(); ++i) {
    StateVariable& variable = recipe_.state[first_ + i];
    variable.increment = increment[i];
    z1.push_back(variable.next(graph));
  }
  std::vector<Expr> v1;
  for (const Expr& v : stage_at(system_, graph, t1, q1, {}, z1).velocities) v1.push_back(graph.alias(v));
  if (system_.has_implicit_momenta()) {
    for (std::size_t i = 0; i < v1.size(); ++i) recipe_.state[system_.q().size() + i].value = v1[i];
  }
  return v1;
}

}  // namespace noslip

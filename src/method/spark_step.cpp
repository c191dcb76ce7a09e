#include "method/spark_step.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include <fmt/format.h>

#include "method/coefficients.hpp"

namespace noslip {

SparkStep::SparkStep(const System& system, const SparkCoefficients& spark, Constraints constraints)
    : spark_(spark),
      is_projected_(constraints == Constraints::projected),
      m_(static_cast<int>(system.constraints().size())),
      l_(static_cast<int>(system.holonomic().size())),
      s_(spark.q.stages()),
      step_(system, spark.carries_multipliers()),
      multipliers_(system, spark, step_.recipe) {
  assert(l_ == 0 || spark.nodes);
}

const Vectors& SparkStep::new_changes() {
  for (int i = 1; i <= s_; ++i) D_.push_back(step_.new_change(fmt::format("D{}_", i), fmt::format("E{}_", i)));
  return D_.v;
}

void SparkStep::add_stage(Stage stage) {
  const int i = static_cast<int>(stages_.size());
  step_.tie(stages_solve_, stage);
  stage.react(step_.graph, step_.h, multipliers_.z[i], multipliers_.y_at_stage(i));
  stages_.push_back(std::move(stage));
}

void SparkStep::add_node(const Vector& q) {
  const auto j = nodes_.size();
  nodes_.push_back(node_at(step_.system, step_.graph, step_.time(nodes().c[j]), q));
  node_reactions_.push_back(nodes_[j].reactions(step_.graph, step_.h, multipliers_.y[j]));
  if (static_cast<int>(j) < nodes().last() || nodes().correction.empty()) return;
  for (const Vector& y : multipliers_.y) corrections_.push_back(nodes_[j].reactions(step_.graph, step_.h, y));
}

void SparkStep::seek_changes(const Vectors& at_stages) {
  const Weights times = row_sums(spark_.forces);
  Changes known{at_stages, D_.z};
  known.push_back(at_end().change);
  for (int i = 0; i < s_; ++i) {
    step_.seek(stages_solve_, D_[i], times[i], sum(next_increment(times, times[i]), known));
  }
  Weights times_between = times;
  if (is_projected_) {  // points on the constraints are better known than stages
    times_between.clear();
    known = {};
    for (const OnConstraint& here : on_constraint_) {
      if (!is_end(here)) times_between.push_back(time_of(here));
      known.push_back(here.change);
    }
  }
  for (const OnConstraint& here : on_constraint_) {
    Change symbols = here.change;
    if (step_.conjugate.exists()) symbols.v.clear();
    const quad c = time_of(here);
    step_.seek(of(here), symbols, c, sum(next_increment(times_between, c), known));
  }
}

void SparkStep::require(const std::vector<std::pair<Solve*, Vector>>& conditions) {
  for (std::size_t r = 0; !conditions.empty() && r < conditions.front().second.size(); ++r) {
    for (const auto& [solve, values] : conditions) solve->residuals.push_back(values[r]);
  }
}

void SparkStep::velocity_conditions(const Stage& mean) {
  if (is_projected_) {
    for (const OnConstraint& here : on_constraint_) of(here).require(here.at.k);
    return;
  }
  std::vector<std::pair<Solve*, Vector>> conditions;
  if (spark_.constraint_at_mean) conditions.emplace_back(&stages_solve_, mean.k);
  Vectors k = {at_end().at.k};
  for (const Stage& stage : stages_) k.push_back(stage.k);
  for (const Weights& omega : spark_.omega) {
    Vector weights = {coefficient(step_.graph, omega[s_])};
    for (int j = 0; j < s_; ++j) weights.push_back(coefficient(step_.graph, omega[j]));
    conditions.emplace_back(omega[s_] != 0 ? &end() : &stages_solve_, sum(weights, k));
  }
  require(conditions);
}

void SparkStep::position_conditions() {
  const Expr per_step = step_.graph.alias(Number(1) / step_.h);
  std::vector<std::pair<Solve*, Vector>> conditions;
  for (int j = 1; j < node_count(); ++j) conditions.emplace_back(&stages_solve_, per_step * nodes_[j].g);
  conditions.emplace_back(&end(), at_end().at.rates);
  require(conditions);
}

Expr SparkStep::mean_time() const {
  return step_.time(std::inner_product(spark_.q.b.begin(), spark_.q.b.end(), spark_.q.c.begin(), quad(0)));
}

Vector SparkStep::used_positions() const {
  Vector g, q;
  for (const HolonomicConstraint& constraint : step_.system.holonomic()) g.push_back(constraint.g);
  const Vector used = symbols_of(g);  // in order
  const auto is_older = [](Expr a, Expr b) { return a.id < b.id; };
  for (std::size_t k = 0; k < step_.q0.size(); ++k) {
    if (std::binary_search(used.begin(), used.end(), step_.system.q()[k], is_older)) q.push_back(step_.q0[k]);
  }
  return q;
}

StepRecipe SparkStep::finish() {
  multipliers_.add_unknowns([this](int j) -> Solve& { return of_stage(j); },
                            [this](int j) -> Solve& { return of_node(j); });
  // A position constraint holds to rounding of the positions: it does not tell velocities apart that differ by less
  // than that, divided by the step. On a group velocities move all entries.
  if (l_ > 0) stages_solve_.background = (step_.system.is_on_group() ? step_.q0 : used_positions()) / step_.h;
  const Vector& w = at_end().change.v;
  if (!stages_solve_.unknowns.empty()) {
    step_.add(std::move(stages_solve_), step_.v0, decoupled_.end ? D_.v.back() : w);
  }
  if (!end_solve_.unknowns.empty()) step_.add(std::move(end_solve_), step_.v0, w);
  multipliers_.set_at_end();
  multipliers_.add_work(stages_, nodes_);
  return std::move(step_.recipe);
}

}  // namespace noslip

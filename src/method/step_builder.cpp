#include "method/step_builder.hpp"

#include <cassert>

#include "method/state_units.hpp"
#include "model/system_data.hpp"

namespace noslip {

Change operator/(const Change& a, const Number& divisor) { return {a.v / divisor, a.z / divisor}; }

void Changes::push_back(Change change) {
  v.push_back(std::move(change.v));
  if (!change.z.empty()) z.push_back(std::move(change.z));
}

Change sum(const Weights& weights, const Changes& changes) {
  return {sum(weights, changes.v), sum(weights, changes.z)};
}

StepBuilder::StepBuilder(const System& of, bool carries_multipliers)
    : system(of),
      recipe(begin_recipe(of, carries_multipliers)),
      graph(*recipe.graph),
      t(recipe.t),
      h(recipe.h),
      conjugate(of, recipe),
      q0(recipe.start(0, of.q().size())),
      v0(start_velocities()),
      has_plain_momenta(noslip::has_plain_momenta(of)) {
  if (!of.offers().lagrangian) return;
  const std::shared_ptr<const Group>& group = of.data().group;
  space_ = of.states().empty() ? group : product({group, vector_space(static_cast<int>(of.states().size()))});
  if (of.states().empty()) return;
  size_ = size_or_one(graph, head(v0, velocities()));
  units_ = state_units(graph, tail(q0, q0.size() - of.states().size()), tail(v0, velocities()), h, size_);
}

Vector StepBuilder::start_velocities() const {
  if (conjugate.exists()) return conjugate.start_velocities();
  Vector result = recipe.start(system.q().size(), velocities());
  if (system.states().empty()) return result;
  Substitution at_start(graph);
  at_start.replace(system.t(), t);
  replace(at_start, system.q(), q0);
  replace(at_start, system.v(), result);
  for (const FirstOrderState& state : system.states()) result.push_back(alias({at_start(state.rate)}).front());
  return result;
}

Stage StepBuilder::stage(Expr time, const Vector& q, const Vector& v, const Vector& z) const {
  return stage_at(system, graph, time, q, v, z);
}

const Stage& StepBuilder::start() {
  if (!start_) start_ = stage(t, q0, v0, conjugate.start());
  return *start_;
}

Stage StepBuilder::at(Expr time, const Vector& move, const Change& change) const {
  const Vector Q = alias(q0 + move), V = alias(v0 + change.v);
  return stage(time, Q, V, moved_z(change));
}

Stage StepBuilder::following(Expr time, const Vector& q, Change& change) const {
  const Vector z = moved_z(change);
  if (!conjugate.exists()) return stage(time, q, alias(v0 + change.v), z);
  const Vector v = stage(time, q, {}, z).velocities;
  change.v = v - v0;
  return stage(time, q, v, z);
}

Vector StepBuilder::move_positions(const Vector& increment, const Vector& added_last) {
  return recipe.move(0, increment, added_last, !system.constraints().empty());
}

Stage StepBuilder::end(const Vector& q1, Change& change, bool sees_low_part) {
  if (change.v.empty()) {
    const Vector v1 = conjugate.end_velocities(t + h, q1, change.z);
    change.v = v1 - v0;
    return stage(t + h, q1, v1, moved_z(change));
  }
  const Vector stored = recipe.move(q0.size(), head(change.v, velocities()));
  const Vector z1 = recipe.move(conjugate.first(), change.z), v1 = alias(v0 + change.v);
  return stage(t + h, q1, sees_low_part ? joined(stored, tail(v1, velocities())) : v1, z1);
}

Vector StepBuilder::new_velocities(const std::string& v) {
  const Vector symbols = new_symbols(graph, v, v0.size());
  if (units_.empty()) return symbols;
  const Vector of_states = tail(symbols, velocities()), changes = in_units(units_, of_states);
  for (std::size_t i = 0; i < changes.size(); ++i) state_symbols_.emplace(changes[i].id, of_states[i]);
  return joined(head(symbols, velocities()), changes);
}

Change StepBuilder::new_change(const std::string& v, const std::string& z) {
  return {new_velocities(v), new_symbols(graph, z, conjugate.start().size())};
}

Change StepBuilder::new_following_change(const std::string& v, const std::string& z) {
  return {conjugate.exists() ? Vector{} : new_velocities(v), new_symbols(graph, z, conjugate.start().size())};
}

Vector StepBuilder::sizes(const Vector& all) const {
  if (units_.empty()) return all;
  Vector result = head(all, velocities());
  result.push_back(size_);
  for (const Expr& change : tail(all, velocities())) {
    const auto symbol = state_symbols_.find(change.id);
    if (symbol != state_symbols_.end()) result.push_back(symbol->second);
  }
  return result;
}

void StepBuilder::seek(Solve& solve, const Change& symbols, quad c, const Change& next) const {
  if (!symbols.z.empty()) solve.seek(symbols.z, c * conjugate.first_change(), next.z);
  if (symbols.v.empty()) return;
  const Vector change = conjugate.exists() ? conjugate.first_change_of_velocities() : h * recipe.accelerations;
  const std::size_t n = change.size();
  solve.seek(head(symbols.v, n), c * change, head(next.v, n));
  for (std::size_t i = 0; i < units_.size(); ++i) {
    solve.seek({state_symbols_.at(symbols.v[n + i].id)}, zeros(graph, 1), {next.v[n + i] / units_[i]}, true, true);
  }
}

void StepBuilder::tie(Solve& solve, const Stage& stage) {
  if (!stage.velocities.empty()) solve.require(stage.v - stage.velocities);
}

Vector StepBuilder::momentum_change(const Stage& from, const Stage& to, const Change& change) const {
  return momentum_increment(system, graph, to, from, conjugate.exists() ? change.z : change.v);
}

void StepBuilder::add(Solve solve, const Vector& velocities, const Vector& change) {
  assert(solve.unknowns.size() == solve.residuals.size());
  solve.scale = joined(sizes(velocities), sizes(change));
  recipe.solves.push_back(std::move(solve));
}

void StepBuilder::add(Solve solve, const Change& change, const Vector& z) {
  seek(solve, change, 1, change);
  solve.seek(z, h * recipe.multipliers, z, false);
  add(std::move(solve), v0, change.v);
}

}  // namespace noslip

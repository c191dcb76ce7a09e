#include "method/skew_step.hpp"

#include <limits>

#include "method/coefficients.hpp"
#include "method/state_units.hpp"

namespace noslip {

SkewStep::SkewStep(const System& of, bool solves_for_y, Coordinates coordinates, BasisDerivatives derivatives)
    : system(of),
      recipe(begin_recipe(of)),
      graph(*recipe.graph),
      h(recipe.h),
      form(skew_form(of, recipe, coordinates, derivatives,
                     !solves_for_y                            ? std::numeric_limits<std::size_t>::max()
                     : coordinates == Coordinates::canonical ? most_canonical_written_out
                                                              : most_written_out)),
      n(form.positions),
      states(of.states().size()),
      v0(recipe.start(n + states, n)),
      y_end(new_y("y_end")),
      u0_(recipe.start(n, states)) {
  if (states == 0) return;
  Substitution at_start(graph);
  at_start.replace(of.t(), recipe.t);
  replace(at_start, of.q(), recipe.start(0, n + states));
  replace(at_start, of.v(), v0);
  Vector rates;
  for (const FirstOrderState& state : of.states()) rates.push_back(at_start(state.rate));
  size_ = size_or_one(graph, form.has_scalar_mass ? tail(form.start, n) : v0);
  units_ = state_units(graph, u0_, rates, h, size_);
}

void SkewStep::add_stage(const std::string& suffix) {
  V.push_back(new_symbols(graph, "V" + suffix, n));
  rest.push_back(new_symbols(graph, "k" + suffix, form.x.size() - n));
  z.push_back(new_symbols(graph, "z" + suffix, form.reactions.size()));
  k.push_back(joined(h * V.back(), rest.back()));
  y.push_back(new_y("y" + suffix));
  state_symbols_.push_back(new_symbols(graph, "R" + suffix, states));
  R.push_back(h * in_units(units_, state_symbols_.back()));
}

/// Applied forces at a stage, as they act on the momenta; their work.
Vector SkewStep::push(std::size_t i, SkewPoint& point, Substitution& here, quad weight) {
  if (!system.structure().has_forces) return {};
  const Vector force = here(system.applied_forces());
  if (recipe.has_work) {  // forces may do none: those of a magnetic field
    Expr& work = recipe.state.back().increment;
    work = work + coefficient(graph, weight) * (h * dot(graph, force, V[i]));
  }
  return point.forced(force);
}

void SkewStep::require(Solve& solve, std::size_t i, SkewPoint& point, const Vector& rates, const Place& at) {
  if (x_.size() <= i) x_.resize(i + 1);
  x_[i] = point.x();
  Substitution here(graph);
  here.replace(system.t(), at.t);
  replace(here, system.q(), joined(head(point.x(), n), alias(u0_ + sum(at.reach, R))));
  replace(here, system.v(), V[i]);
  for (std::size_t r = 0; r < states; ++r) solve.require({R[i][r] - h * here(system.states()[r].rate)});
  moved_u_ = moved_u_ + at.weight * R[i];
  const Vector pushed = push(i, point, here, at.weight);
  const Vectors K = point.reactions();
  solve.require(V[i] - head(rates, n));
  solve.require(rest[i] - h * (tail(rates, n) + pushed) - sum(z[i], K));
  solve.require(K * V[i]);
}

void SkewStep::seek(Solve& solve, std::size_t i, quad c, const Vector& next_V, const Vector& next_rest, bool by_rest) {
  if (rates_at_start_.empty()) rates_at_start_ = tail(form.rates_at_start(graph), n);
  solve.seek(V[i], v0 + c * (h * head(recipe.accelerations, n)), next_V, !by_rest, true);
  solve.seek(rest[i], h * rates_at_start_, next_rest, by_rest, !form.y.empty());
  solve.seek(z[i], h * head(recipe.multipliers, z[i].size()), z[i], false);
  solve.seek(state_symbols_[i], zeros(graph, states), state_symbols_[i], true, true);
  const Vector size = by_rest ? joined(tail(form.start, n), rest[i]) : joined(v0, V[i]);
  solve.scale = joined(joined(std::move(solve.scale), size), state_symbols_[i]);
  if (states > 0) solve.scale.push_back(size_);
}

void SkewStep::seek_y(Solve& solve, const Vector& unknowns, const Vector& x, quad c, const Weights& times) {
  if (unknowns.empty()) return;
  solve.require(SkewPoint(form, graph, x, unknowns).y_equations());
  const Vector at_start = form.in_state(graph, SkewPoint(form, graph, form.start).quasi_velocities(form.velocity));
  const auto of = [&](const Vector& v, const Vector& q) {
    Substitution put(graph);
    replace(put, form.velocity, v);
    replace(put, recipe.start(0, n), q);
    return put(at_start);
  };
  Weights known_times = {0, 1};
  known_times.insert(known_times.end(), times.begin(), times.end());
  const auto continued = [&](const Vector& start, const Vector& end, const Vectors& stages) {
    Vectors known = {start, end};
    known.insert(known.end(), stages.begin(), stages.end());
    return sum(continuation(known_times, 1 + c), known);
  };
  // Where signs are chosen at the start of a step, the next step may have another basis.
  const Vector next = form.has_signs ? of(continued(v0, v_end_, V), head(x_end_, n))
                                     : continued(form.start_y, y_end, y);
  solve.seek(unknowns, of(v0 + c * (h * head(recipe.accelerations, n)), {}), next, false);
}

void SkewStep::seek_all(const std::vector<Solve*>& solves, const Weights& times, const Vector& v1) {
  Weights with_ends = {0, 1};
  with_ends.insert(with_ends.end(), times.begin(), times.end());
  Vectors known = {v0, v1};
  known.insert(known.end(), V.begin(), V.end());
  const bool by_rest = n == 0 || form.has_scalar_mass;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const quad next = 1 + times[i];
    seek(*solves[i], i, times[i], sum(continuation(with_ends, next), known), sum(continuation(times, next), rest),
         by_rest);
    seek_y(*solves[i], y[i], x_[i], times[i], times);
  }
  seek_y(*solves.back(), y_end, x_end_, 1, times);
}

Vector SkewStep::move(const Vector& increment) {
  if (n == 0) {
    recipe.move(0, increment);
    return {};
  }
  const Vector q1 = recipe.move(0, head(increment, n));
  recipe.move(n, moved_u_);
  const Vector rho0 = tail(form.start, n), total = alias(tail(increment, n) + form.start_low);
  const Vector rho1 = alias(rho0 + total);
  // The basis is taken at the positions that are stored, so that constraints hold for what is stored.
  x_end_ = joined(q1, rho1);
  SkewPoint end(form, graph, x_end_, y_end);
  const Vector v1 = v_end_ = alias(end.velocities());
  // Nothing of the momenta is lost to rounding, neither in their sum (Kahan) nor on their way to the velocities and
  // back: in a long fall, say, one step is like the other, and rounding would always err to the same side.
  const Vector by_sum = total - alias(rho1 - rho0), by_velocities = alias(rho1 - alias(end.momenta(v1)));
  recipe.store(n + states, v1, end.kept(by_sum + by_velocities));
  return v1;
}

}  // namespace noslip

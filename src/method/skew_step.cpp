#include "method/skew_step.hpp"

#include "method/coefficients.hpp"

namespace noslip {

SkewStep::SkewStep(const System& of, Coordinates coordinates, BasisDerivatives derivatives)
    : system(of),
      recipe(begin_recipe(of)),
      graph(*recipe.graph),
      h(recipe.h),
      form(skew_form(of, recipe, coordinates, derivatives)),
      n(form.positions),
      v0(recipe.start(n, n)) {}

void SkewStep::add_stage(const std::string& suffix) {
  V.push_back(new_symbols(graph, "V" + suffix, n));
  rest.push_back(new_symbols(graph, "k" + suffix, form.x.size() - n));
  z.push_back(new_symbols(graph, "z" + suffix, form.reactions.size()));
  k.push_back(joined(h * V.back(), rest.back()));
}

/// Applied forces at a stage, as they act on the momenta; their work.
Vector SkewStep::push(std::size_t i, SkewPoint& point, Expr t, quad weight) {
  if (!system.structure().has_forces) return {};
  Substitution put(graph);
  put.replace(system.t(), t);
  replace(put, system.q(), head(point.x(), n));
  replace(put, system.v(), V[i]);
  const Vector force = put(system.applied_forces());
  if (recipe.has_work) {  // forces may do none: those of a magnetic field
    Expr& work = recipe.state.back().increment;
    work = work + coefficient(graph, weight) * (h * dot(graph, force, V[i]));
  }
  return point.forced(force);
}

void SkewStep::require(Solve& solve, std::size_t i, SkewPoint& point, const Vector& rates, Expr t, quad weight) {
  const Vector pushed = push(i, point, t, weight);
  const Vectors K = point.reactions();
  solve.require(V[i] - head(rates, n));
  solve.require(rest[i] - h * (tail(rates, n) + pushed) - sum(z[i], K));
  solve.require(K * V[i]);
}

void SkewStep::seek(Solve& solve, std::size_t i, quad c, const Vector& next_V, const Vector& next_rest, bool by_rest) {
  if (rates_at_start_.empty()) rates_at_start_ = tail(form.rates_at_start(graph), n);
  solve.seek(V[i], v0 + c * (h * head(recipe.accelerations, n)), next_V, !by_rest, true);
  solve.seek(rest[i], h * rates_at_start_, next_rest, by_rest);
  solve.seek(z[i], h * head(recipe.multipliers, z[i].size()), z[i], false);
  const Vector size = by_rest ? joined(tail(form.start, n), rest[i]) : joined(v0, V[i]);
  solve.scale = joined(std::move(solve.scale), size);
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
  }
}

Vector SkewStep::move(const Vector& increment) {
  if (n == 0) {
    recipe.move(0, increment);
    return {};
  }
  const Vector q1 = recipe.move(0, head(increment, n));
  const Vector rho0 = tail(form.start, n), total = alias(tail(increment, n) + form.start_low);
  const Vector rho1 = alias(rho0 + total);
  // The basis is taken at the positions that are stored, so that constraints hold for what is stored.
  SkewPoint end(form, graph, joined(q1, rho1));
  const Vector v1 = alias(end.velocities());
  // Nothing of the momenta is lost to rounding, neither in their sum (Kahan) nor on their way to the velocities and
  // back: in a long fall, say, one step is like the other, and rounding would always err to the same side.
  const Vector by_sum = total - alias(rho1 - rho0), by_velocities = alias(rho1 - alias(end.momenta(v1)));
  recipe.store(n, v1, end.velocity_change(by_sum + by_velocities));
  return v1;
}

}  // namespace noslip

#include "method/energy_steps.hpp"

namespace noslip {

Vector move_state(const SkewForm& form, StepRecipe& recipe, const Vector& increment) {
  const std::size_t n = form.positions;
  if (n == 0) {
    recipe.move(0, increment);
    return {};
  }
  const Vector q1 = recipe.move(0, head(increment, n));
  const Vector rho0 = tail(form.start, n), total = alias(tail(increment, n) + form.start_low);
  const Vector rho1 = alias(rho0 + total);
  // The basis is taken at the positions that are stored, so that constraints hold for what is stored.
  SkewPoint end(form, *recipe.graph, joined(q1, rho1));
  const Vector v1 = alias(end.velocities());
  // Nothing of the momenta is lost to rounding, neither in their sum (Kahan) nor on their way to the velocities and
  // back: in a long fall, say, one step is like the other, and rounding would always err to the same side.
  const Vector by_sum = total - alias(rho1 - rho0), by_velocities = alias(rho1 - alias(end.momenta(v1)));
  recipe.store(n, v1, end.velocity_change(by_sum + by_velocities));
  return v1;
}

Vector applied_forces_at(const System& system, Graph& graph, Expr t, const Vector& x, const Vector& v) {
  Substitution put(graph);
  put.replace(system.t(), t);
  replace(put, system.q(), head(x, v.size()));
  replace(put, system.v(), v);
  return put(system.applied_forces());
}

}  // namespace noslip

// The method of McLachlan and Perlmutter for any mass matrix, as S. K. Hilden generalises it (Numerical Methods for
// Nonholonomic Mechanics, 2009, eq. (4.3)): the discrete Lagrangian h L(q, v) is taken at the points between the steps,
// with the velocity of the step that follows them.
//
//   q_- = q0 - h/2 v0,   q_+ = q0 + h/2 v0,   q1 = q_+ + h/2 v1
//   L_v(t_+, q_+, v1) - h F(t_+, q_+, v1) = L_v(t_-, q_-, v0) + h K(t_+, q_+, v1)^T lambda,   t_-+ = t0 -+ h/2
//   k(t1, q1, v1) = 0
//
// Where L_v = M v with a constant M this is the method of McLachlan and Perlmutter. Elsewhere v0 and v1 are momenta of
// the middle of a step, divided by the mass there, and the method is of order 1 and not symmetric; see
// mclachlan_perlmutter.cpp for the form that stays so. Unknowns are the increment w = v1 - v0 and z = h lambda; where a
// Hamiltonian gives v(t, q, p) (conjugate.hpp), also the differences of the momenta of v0 at q_-, of v1 at q_+ and of
// v1 at q1 from p0.
#include <noslip/method/discrete.hpp>

#include "method/step_builder.hpp"
#include "method/work.hpp"

namespace noslip {

StepRecipe record_hilden(const System& system) {
  StepBuilder step(system);
  Graph& graph = step.graph;
  const Expr t = step.t, h = step.h, half = graph.alias(h / Number(2));
  const Vector &q0 = step.q0, &v0 = step.v0;
  Change w = step.new_change("w", "e");
  const Vector z = new_symbols(graph, "z", system.constraints().size());
  const Change to_minus{{}, new_symbols(graph, "a", w.z.size())}, to_plus{w.v, new_symbols(graph, "b", w.z.size())};
  const Vector q_minus = alias(q0 - half * v0), q_plus = alias(q0 + half * v0);
  const Vector q1 = step.move_positions(h * v0, half * w.v);
  const Stage end = step.end(q1, w);
  const Stage minus = step.stage(t - half, q_minus, v0, step.moved_z(to_minus));
  Stage plus = step.stage(t + half, q_plus, end.v, step.moved_z(to_plus));
  plus.react(graph, h, z);
  Solve solve;
  step.tie(solve, minus);
  step.tie(solve, plus);
  step.tie(solve, end);
  const Change change{w.v, to_plus.z - to_minus.z};
  solve.require(step.momentum_change(minus, plus, change) - h * plus.force - plus.reactions);
  solve.require(end.k);
  solve.seek(to_minus.z, zeros(graph, w.z.size()), to_minus.z);
  step.seek(solve, {{}, to_plus.z}, 1, to_plus);
  step.add(std::move(solve), w, z);
  // Positions move with v0 first and with v1 then.
  const Stage plus_before = step.stage(t + half, q_plus, v0, step.moved_z(to_minus));
  add_work(step.recipe, h, {0.5, 0.5}, {plus_before, plus});
  add_reaction_work(step.recipe, {1}, {plus});
  return std::move(step.recipe);
}

}  // namespace noslip

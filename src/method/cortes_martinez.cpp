// The implicit midpoint rule of the discrete Lagrange-d'Alembert principle (J. Cortes and S. Martinez, Nonlinearity 14
// (2001) 1365; Hilden 2009, eq. (3.3)), as the map between the midpoints of the discrete trajectory, where its
// constraint holds:
//
//   q_h = q0 + h/2 v0,   q1 = q_h + h/2 v1
//   p1 - h/2 F(t1, q1, v1) = p0 + h/2 F(t0, q0, v0) + h K(t_h, q_h, (v0 + v1)/2)^T lambda
//   k(t1, q1, v1) = 0
//
// Unknowns are the increment w = v1 - v0 and z = h lambda.
#include <noslip/method/discrete.hpp>

#include "method/step_builder.hpp"
#include "method/work.hpp"

namespace noslip {

StepRecipe record_cortes_martinez(const System& system) {
  StepBuilder step(system);
  const Expr h = step.h, half = h / Number(2);
  Change w = step.new_change("w", "e");
  const Vector z = new_symbols(step.graph, "z", system.constraints().size());
  const Vector q1 = step.move_positions(half * (2 * step.v0 + w.v));
  const Stage& start = step.start();
  Stage middle = step.at(step.t + half, half * step.v0, w / 2);
  const Stage end = step.end(q1, w);
  middle.react(step.graph, h, z);
  Solve solve;
  step.tie(solve, end);
  solve.require(step.momentum_change(end, w) - half * (start.force + end.force) - middle.reactions);
  solve.require(end.k);
  step.add(std::move(solve), w, z);
  add_work(step.recipe, h, {0.5, 0.5}, {start, end});
  add_reaction_work(step.recipe, {1}, {middle});
  return std::move(step.recipe);
}

SparkCoefficients cortes_martinez_pair() { return {lobatto_iiia(2), lobatto_iiia(2), lobatto_iiia(2), {}}; }

}  // namespace noslip

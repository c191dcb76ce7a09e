// The discrete gradient of coordinate increments: T. Itoh and K. Abe, J. Comput. Phys. 76 (1988) 85; Celledoni et al.
// 2019, eq. (13), (14).
//
//   d = h Pi(x0 + d/2) G,   x1 = x0 + d
//   G_i = (H(x1_1, ..., x1_i, x0_i+1, ..., x0_N) - H(x1_1, ..., x1_i-1, x0_i, ..., x0_N)) / d_i
//
// G . d telescopes to H(x1) - H(x0), so that the energy is kept; the order is one, since G depends on the order of the
// coordinates. The quotients are divided differences without cancellation: d_i may be zero.
//
// Unknowns are V = (q-part of d)/h and the rest of d. Forces at the midpoint: see energy_collocation.cpp.
#include <noslip/expr/difference.hpp>
#include <noslip/method/energy.hpp>

#include "method/skew_step.hpp"

namespace noslip {

StepRecipe record_itoh_abe(const System& system) {
  SkewStep step(system);
  Graph& graph = step.graph;
  const Vector &x = step.form.x, &x0 = step.form.start;
  step.add_stage("");
  const Vector d = alias(step.k[0]), x1 = alias(x0 + d);
  SkewPoint middle(step.form, graph, alias(x0 + d / 2));
  Vector G;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Substitution others(graph);
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (j != i) others.replace(x[j], j < i ? x1[j] : x0[j]);
    }
    const Move move{x[i], x0[i], graph.constant(1)};
    G.push_back(divided_difference(others(step.form.energy), {&move, 1}, d[i]));
  }
  Solve solve;
  solve.before = step.form.before;
  step.require(solve, 0, middle, middle.product(G),
               {step.recipe.t + step.h / Number(2), {quad(1) / 2}, 1});
  const Vector v1 = step.move(d);
  step.seek(solve, 0, 0.5, step.V[0] + (v1 - step.v0), step.rest[0], step.n == 0);
  step.recipe.solves.push_back(std::move(solve));
  return std::move(step.recipe);
}

}  // namespace noslip

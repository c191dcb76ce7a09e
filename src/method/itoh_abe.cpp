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

#include "method/energy_steps.hpp"

namespace noslip {

StepRecipe record_itoh_abe(const System& system) {
  StepRecipe recipe = begin_recipe(system);
  Graph& graph = *recipe.graph;
  const SkewForm form = skew_form(system, recipe);
  const std::size_t n = form.positions, size = form.x.size();
  const Expr h = recipe.h;
  const Vector V = new_symbols(graph, "V", n), rest = new_symbols(graph, "k", size - n);
  const Vector d = joined(alias(h * V), rest);
  const Vector middle = alias(form.start + d / 2), end = alias(form.start + d);
  Vector G;
  for (std::size_t i = 0; i < size; ++i) {
    Substitution others(graph);
    for (std::size_t j = 0; j < size; ++j) {
      if (j != i) others.replace(form.x[j], j < i ? end[j] : form.start[j]);
    }
    const Move move{form.x[i], form.start[i], graph.constant(1)};
    G.push_back(divided_difference(others(form.energy), {&move, 1}, d[i]));
  }
  SkewPoint point(form, graph, middle);
  const Vector rates = point.product(G);
  Vector pushed;
  if (system.structure().has_forces) {
    const Vector force = applied_forces_at(system, graph, recipe.t + h / Number(2), middle, V);
    recipe.state.back().increment = recipe.state.back().increment + h * dot(graph, force, V);
    pushed = point.forced(force);
  }
  const Vector v0 = recipe.start(n, n), v1 = move_state(form, recipe, d), first = form.rates_at_start(graph);
  Solve solve;
  solve.before = form.before;
  solve.seek(V, v0 + h * head(recipe.accelerations, n) / 2, V + (v1 - v0), true, true);
  solve.require(V - head(rates, n));
  solve.seek(rest, h * tail(first, n), rest, n == 0);
  solve.require(rest - h * (tail(rates, n) + pushed));
  solve.scale = n > 0 ? joined(v0, V) : joined(form.start, rest);
  recipe.solves.push_back(std::move(solve));
  return recipe;
}

}  // namespace noslip

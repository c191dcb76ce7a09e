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

#include "method/coefficients.hpp"
#include "method/energy_steps.hpp"

namespace noslip {

namespace {

using Vector = std::vector<Expr>;

}  // namespace

StepRecipe record_itoh_abe(const System& system) {
  StepRecipe recipe = begin_recipe(system);
  Graph& graph = *recipe.graph;
  const SkewForm form = skew_form(system, recipe);
  const std::size_t n = form.positions, size = form.x.size();
  const Expr h = recipe.h;
  const Vector V = new_symbols(graph, "V", static_cast<int>(n));
  const Vector rest = new_symbols(graph, "k", static_cast<int>(size - n));
  Vector d, middle, end;
  for (std::size_t j = 0; j < size; ++j) {
    d.push_back(j < n ? graph.alias(h * V[j]) : rest[j - n]);
    middle.push_back(graph.alias(form.start[j] + d[j] / Number(2)));
    end.push_back(graph.alias(form.start[j] + d[j]));
  }
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
  Vector pushed(size - n, graph.constant(0));
  if (system.structure().has_forces) {
    const Vector force = applied_forces_at(system, graph, recipe.t + h / Number(2), middle, V);
    recipe.state.back().increment = recipe.state.back().increment + h * dot(graph, force, V);
    pushed = point.forced(force);
  }
  const Vector v1 = move_state(form, recipe, d);
  const Vector first = form.rates_at_start(graph);
  Solve solve;
  solve.before = form.before;
  for (std::size_t j = 0; j < n; ++j) {
    const Expr v0 = recipe.state[n + j].symbol;
    solve.unknowns.push_back({V[j], v0 + h * recipe.accelerations[j] / Number(2), V[j] + (v1[j] - v0), true, true});
    solve.residuals.push_back(V[j] - rates[j]);
    solve.scale.push_back(v0);
    solve.scale.push_back(V[j]);
  }
  for (std::size_t j = n; j < size; ++j) {
    solve.unknowns.push_back({rest[j - n], h * first[j], rest[j - n], n == 0});
    solve.residuals.push_back(rest[j - n] - h * (rates[j] + pushed[j - n]));
    if (n > 0) continue;
    solve.scale.push_back(form.start[j]);
    solve.scale.push_back(rest[j]);
  }
  recipe.solves.push_back(std::move(solve));
  return recipe;
}

}  // namespace noslip

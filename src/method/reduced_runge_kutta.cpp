// Runge-Kutta methods for the reduced equations x' = Pi(x) grad H(x) + (0, X^T f(t, x)), x = (q, rho), of which the
// velocities X(q) y satisfy the constraints (skew_form.hpp):
//
//   x_i = x0 + sum_j a_ij k_j
//   k_i = h (Pi(x_i) grad H(x_i) + (0, X(q_i)^T f(t0 + c_i h, x_i)))
//   x1  = x0 + sum_i b_i k_i
//
// Unknowns are V_i = (q-part of k_i)/h and the rest of k_i. Stages that no earlier stage needs are solved when those
// are known: one after the other where the matrix a is triangular, and without iteration where its diagonal is zero.
#include <noslip/method/reduced_runge_kutta.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "method/skew_step.hpp"

namespace noslip {

namespace {

/// For every stage the number of the solve that it belongs to.
std::vector<std::size_t> solves_of(const Tableau& tableau) {
  const std::size_t s = tableau.b.size();
  std::vector<std::size_t> solves(s, 0);
  std::size_t needed = 0;  // the last stage that those so far need
  for (std::size_t i = 0; i < s; ++i) {
    if (i > 0) solves[i] = solves[i - 1] + (needed < i ? 1 : 0);
    for (std::size_t j = i; j < s; ++j) {
      if (tableau.a[i][j] != 0) needed = std::max(needed, j);
    }
  }
  return solves;
}

}  // namespace

StepRecipe record_reduced_runge_kutta(const System& system, const Tableau& tableau) {
  SkewStep step(system);
  const std::vector<std::size_t> numbers = solves_of(tableau);
  std::vector<Solve> solves(numbers.back() + 1);
  solves.front().before = step.form.before;
  std::vector<Solve*> of_stages;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    of_stages.push_back(&solves[numbers[i]]);
    step.add_stage(fmt::format("{}_", i + 1));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    SkewPoint point(step.form, step.graph, step.moved(tableau.a[i]));
    const Expr t = step.recipe.t + coefficient(step.graph, tableau.c[i]) * step.h;
    step.require(*of_stages[i], i, point, point.rates(), {t, tableau.a[i], tableau.b[i]});
  }
  step.seek_all(of_stages, tableau.c, step.move(alias(sum(tableau.b, step.k))));
  step.recipe.solves = std::move(solves);
  return std::move(step.recipe);
}

}  // namespace noslip

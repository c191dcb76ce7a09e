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
#include <noslip/method/stage.hpp>

#include "method/coefficients.hpp"
#include "method/conjugate.hpp"
#include "method/work.hpp"

namespace noslip {

StepRecipe record_hilden(const System& system) {
  StepRecipe recipe = begin_recipe(system);
  Graph& graph = *recipe.graph;
  const int n = system.dimension(), m = static_cast<int>(system.constraints().size());
  const Expr h = recipe.h, half = graph.alias(h / Number(2));
  const std::vector<Expr> w = new_symbols(graph, "w", n), z = new_symbols(graph, "z", m);
  const Conjugate conjugate(system, recipe);
  const bool ties = conjugate.exists();
  const std::vector<Expr> P_minus = new_symbols(graph, "a", ties ? n : 0),
                          P_plus = new_symbols(graph, "b", ties ? n : 0), e = new_symbols(graph, "e", ties ? n : 0);
  const bool stores_next = has_plain_momenta(system) || ties;
  std::vector<Expr> v0, before, between, q1, v1, p1, change;
  for (int i = 0; i < n; ++i) {
    StateVariable& q = recipe.state[i];
    StateVariable& v = recipe.state[n + i];
    q.increment = h * v.symbol;
    q.late = half * w[i];
    q.settles = m > 0;
    v.increment = w[i];
    v0.push_back(v.symbol);
    before.push_back(graph.alias(q.symbol - half * v.symbol));
    between.push_back(graph.alias(q.symbol + half * v.symbol));
    q1.push_back(q.next(graph));
    v1.push_back(stores_next ? v.next(graph) : graph.alias(v.symbol + w[i]));  // see spark.cpp on momenta
    change.push_back(ties ? P_plus[i] - P_minus[i] : w[i]);
    if (!ties) continue;
    StateVariable& p = recipe.state[2 * n + i];
    p.increment = e[i];
    p1.push_back(p.next(graph));
  }
  const std::vector<Expr> p_minus = ties ? conjugate.moved(P_minus) : P_minus,
                          p_plus = ties ? conjugate.moved(P_plus) : P_plus;
  const Stage minus = stage_at(system, graph, recipe.t - half, before, v0, p_minus);
  const Stage plus = stage_at(system, graph, recipe.t + half, between, v1, p_plus);
  const Stage end = stage_at(system, graph, recipe.t + h, q1, v1, p1);
  const std::vector<Expr> difference = momentum_increment(system, graph, plus, minus, change);
  const std::vector<Expr> friction = plus.nonideal_impulse(graph, h, z);
  Solve solve;
  if (ties) {
    for (const Stage* stage : {&minus, &plus, &end}) conjugate.tie(solve, *stage);
    for (int i = 0; i < n; ++i) {
      solve.unknowns.push_back({P_minus[i], graph.constant(0), P_minus[i], true});
      solve.unknowns.push_back({P_plus[i], conjugate.first_guess(i, 1), P_plus[i], true});
      solve.unknowns.push_back({e[i], conjugate.first_guess(i, 1), e[i], true});
    }
  }
  for (int i = 0; i < n; ++i) {
    solve.unknowns.push_back({w[i], h * recipe.accelerations[i], w[i], true});
    solve.residuals.push_back(difference[i] - h * plus.force[i] - plus.reaction(graph, i, z) - friction[i]);
  }
  for (int r = 0; r < m; ++r) {
    solve.unknowns.push_back({z[r], h * recipe.multipliers[r], z[r], false});
    solve.residuals.push_back(end.k[r]);
  }
  solve.scale = v0;
  solve.scale.insert(solve.scale.end(), w.begin(), w.end());
  recipe.solves.push_back(std::move(solve));
  // Positions move with v0 first and with v1 then.
  const Stage plus_before = stage_at(system, graph, recipe.t + half, between, v0, p_minus);
  add_work(recipe, h, {quad(0.5), quad(0.5)}, {plus_before, plus});
  add_reaction_work(recipe, {quad(1)}, {plus}, {z});
  add_nonideal_work(recipe, {quad(1)}, {plus}, {friction});
  return recipe;
}

}  // namespace noslip

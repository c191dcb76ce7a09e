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
#include <noslip/method/stage.hpp>

#include "method/coefficients.hpp"
#include "method/conjugate.hpp"
#include "method/work.hpp"

namespace noslip {

StepRecipe record_cortes_martinez(const System& system) {
  StepRecipe recipe = begin_recipe(system);
  Graph& graph = *recipe.graph;
  const int n = system.dimension(), m = static_cast<int>(system.constraints().size());
  const Expr h = recipe.h, half = h / Number(2);
  const std::vector<Expr> w = new_symbols(graph, "w", n), z = new_symbols(graph, "z", m);
  const Conjugate conjugate(system, recipe);
  const std::vector<Expr> e = new_symbols(graph, "e", conjugate.exists() ? n : 0);
  const bool stores_next = has_plain_momenta(system) || conjugate.exists();
  std::vector<Expr> q0, v0, q_half, v_half, q1, v1, z0, z_half, z1;
  for (int i = 0; i < n; ++i) {
    StateVariable& q = recipe.state[i];
    StateVariable& v = recipe.state[n + i];
    q.increment = half * (Number(2) * v.symbol + w[i]);
    v.increment = w[i];
    q.settles = m > 0;
    q0.push_back(q.symbol);
    v0.push_back(v.symbol);
    q_half.push_back(graph.alias(q.symbol + half * v.symbol));
    v_half.push_back(graph.alias(v.symbol + w[i] / Number(2)));
    q1.push_back(q.next(graph));
    v1.push_back(stores_next ? v.next(graph) : graph.alias(v.symbol + w[i]));  // see spark.cpp on momenta
    if (!conjugate.exists()) continue;
    StateVariable& p = recipe.state[2 * n + i];
    p.increment = e[i];
    z0.push_back(p.symbol);
    z_half.push_back(graph.alias(p.symbol + e[i] / Number(2)));
    z1.push_back(p.next(graph));
  }
  const Stage start = stage_at(system, graph, recipe.t, q0, v0, z0);
  const Stage middle = stage_at(system, graph, recipe.t + half, q_half, v_half, z_half);
  const Stage end = stage_at(system, graph, recipe.t + h, q1, v1, z1);
  const std::vector<Expr> difference = momentum_increment(system, graph, end, start, conjugate.exists() ? e : w);
  const std::vector<Expr> friction = middle.nonideal_impulse(graph, h, z);
  Solve solve;
  if (conjugate.exists()) {
    conjugate.tie(solve, end);
    for (int i = 0; i < n; ++i) solve.unknowns.push_back({e[i], conjugate.first_guess(i, 1), e[i], true});
  }
  for (int i = 0; i < n; ++i) {
    solve.unknowns.push_back({w[i], h * recipe.accelerations[i], w[i], true});
    solve.residuals.push_back(difference[i] - half * (start.force[i] + end.force[i]) - middle.reaction(graph, i, z) -
                              friction[i]);
  }
  for (int r = 0; r < m; ++r) {
    solve.unknowns.push_back({z[r], h * recipe.multipliers[r], z[r], false});
    solve.residuals.push_back(end.k[r]);
  }
  solve.scale = v0;
  solve.scale.insert(solve.scale.end(), w.begin(), w.end());
  recipe.solves.push_back(std::move(solve));
  add_work(recipe, h, {quad(0.5), quad(0.5)}, {start, end});
  add_reaction_work(recipe, {quad(1)}, {middle}, {z});
  add_nonideal_work(recipe, {quad(1)}, {middle}, {friction});
  return recipe;
}

SparkCoefficients cortes_martinez_pair() { return {lobatto_iiia(2), lobatto_iiia(2), lobatto_iiia(2), {}}; }

}  // namespace noslip

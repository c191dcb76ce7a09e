// What follows from a Hamiltonian whose momenta stay symbols, without position constraints. A motion has q' = v =
// H_p(t, q, p), hence
//   a = H_pt + H_pq v + H_pp p',    p' = M (a - H_pt - H_pq v),    M = H_pp^-1.
// With p' = F + ad*_v p + K^T lambda (the second term on groups only; F stands for both below), and with k(t, q, v, p)
// differentiated along the motion:
//   M a - K^T lambda = F + M (H_pq v + H_pt),                  F = -H_q + f
//   K a = -(k_t + k_q v) + k_p M (H_pq v + H_pt),              K = k_v + k_p M
#include <noslip/expr/degree.hpp>
#include <noslip/expr/derivative.hpp>

#include "model/builder.hpp"

namespace noslip {
namespace {

/// Of a function of the velocities and momenta; with p = M v + ... it is one of the velocities alone.
ConstraintKind kind_of(SystemData& data, const Constraint& constraint) {
  if (!is_smooth(constraint.k, data.v) || !is_smooth(constraint.k, data.p)) return ConstraintKind::nonlinear;
  const std::span<const Expr> K = constraint.K.values();
  if (touches(K, data.v) || touches(K, data.p)) return ConstraintKind::nonlinear;
  Graph& graph = *data.graph;
  Substitution at_rest(graph);
  for (const Expr v : data.v) at_rest.replace(v, graph.constant(0));
  for (const Expr p : data.p) at_rest.replace(p, graph.constant(0));
  bool is_at_rest_without_momenta = true;
  for (const Expr velocity : data.velocities) is_at_rest_without_momenta &= at_rest(velocity).is_zero();
  const bool is_without_momenta = !touches(std::span(&constraint.k, 1), data.p);
  return at_rest(constraint.k).is_zero() && (is_without_momenta || is_at_rest_without_momenta) ? ConstraintKind::linear
                                                                                               : ConstraintKind::affine;
}

}  // namespace

void derive_hamiltonian(SystemData& data) {
  Graph& graph = *data.graph;
  const std::size_t n = data.v.size();
  data.velocities = data.momentum_velocities;
  data.momenta = data.p;
  data.energy = data.hamiltonian;
  const std::vector<Expr> slope = gradient_along(data, data.hamiltonian);
  for (std::size_t i = 0; i < n; ++i) data.forces.push_back(data.applied_forces[i] - slope[i]);

  const std::vector<Expr> drift = times(data.mass, change_in_motion(data, data.velocities, data.position_rates));
  data.turning = turning_of_momenta(data);
  for (std::size_t i = 0; i < n; ++i) data.acceleration_rhs.push_back(data.forces[i] + data.turning[i] + drift[i]);

  for (Constraint& constraint : data.constraints) {
    const std::vector<Expr> k_p = gradient(constraint.k, data.p);
    const std::vector<Expr> along_p = times(data.mass, k_p);
    std::vector<Expr> K = constraint.K.dense();
    for (std::size_t i = 0; i < n; ++i) K[i] = K[i] + along_p[i];
    constraint.K = SparseRow(K);
    const Expr change = change_in_motion(data, std::span(&constraint.k, 1), data.position_rates).front();
    data.constraint_rhs.push_back(dot(graph, k_p, drift) - change);
    constraint.kind = kind_of(data, constraint);
  }
}

}  // namespace noslip

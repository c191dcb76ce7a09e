// The system's functions at one point of a step, as expressions of the recipe's graph.
#pragma once

#include <span>
#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

/// p, F, k, K, the derivatives of position constraints and what does work at (t, q, v).
///
/// States u' = r(t, q, v, u) of first order are positions: q holds them behind the coordinates, and v their derivatives
/// behind the velocities. Their momenta are u' - r. No force and no reaction changes these, and they are zero in the
/// beginning: a method that keeps to d/dt p = F + K^T lambda has u' = r at every point, and moves u as it moves q.
struct Stage {
  std::vector<Expr> v;               ///< the velocity of the point
  std::vector<Expr> velocities;      ///< v(t, q, z), where velocities are functions of other variables; empty otherwise
  std::vector<Expr> p;               ///< L_v
  std::vector<Expr> force;           ///< L_q + external forces
  std::vector<Expr> k;               ///< constraints
  SparseMatrix K;                    ///< dk/dv, one row per constraint
  std::vector<Expr> rates;           ///< g_t + g_q v, one per position constraint
  // Unset and empty where nothing does work:
  Expr power;                         ///< of forces and time
  std::vector<Expr> reaction_powers;  ///< to be multiplied by lambda

  std::vector<Expr> nonideal;  ///< N, a function of psi; empty where all reactions are ideal
  std::vector<Expr> psi;       ///< symbols

  // What acts there; empty before react(), and where there is nothing:
  std::vector<Expr> z;          ///< h lambda
  std::vector<Expr> friction;   ///< h N
  std::vector<Expr> reactions;  ///< K^T z + h N

  /// Reactions with z = h lambda, and N with psi = -(z, y)/h (Jay 2009, sec. 3.3), where y are h mu of the position
  /// constraints; only N needs them.
  void react(Graph& graph, Expr h, const std::vector<Expr>& z, const std::vector<Expr>& y = {});
};

/// Position constraints g and G = g_q at (t, q), and their reactions.
struct PositionNode {
  std::vector<Expr> g;
  SparseMatrix G;                     ///< one row per constraint
  std::vector<Expr> r, lambda;        ///< of an overdetermined system: r(t, y, lambda) and the symbols lambda
  std::vector<Expr> reaction_powers;  ///< to be multiplied by mu; empty where nothing does work

  /// G^T y, y = h mu; of an overdetermined system h r(t, y, lambda) with lambda = y/h. Empty without constraints.
  std::vector<Expr> reactions(Graph& graph, Expr h, const std::vector<Expr>& y) const;
};

/// Parameters keep their names in the target graph. Of a system with states, v has their derivatives behind the
/// velocities.
/// `z` holds the other variables that velocities are functions of, where they are (System::velocities): momenta of a
/// Hamiltonian, z of an overdetermined system.
Stage stage_at(const System& system, Graph& graph, Expr t, std::span<const Expr> q, std::span<const Expr> v,
               std::span<const Expr> z = {});

PositionNode node_at(const System& system, Graph& graph, Expr t, std::span<const Expr> q);

/// Is L_v = M v with a constant M (up to a constant)? Otherwise momenta change with the point, also where M does not.
bool has_plain_momenta(const System& system);

/// L_v(point) - L_v(start) where `increment` is the difference of the velocities, or of the variables that they are
/// functions of. With plain momenta this is M * increment, which does not lose the digits that the difference of two
/// momenta loses; momenta that are such variables themselves lose none, either.
std::vector<Expr> momentum_increment(const System& system, Graph& graph, const Stage& point, const Stage& start,
                                     std::span<const Expr> increment);

}  // namespace noslip

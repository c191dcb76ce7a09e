// What has to hold where steps start, as expressions.
#pragma once

#include <span>
#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

inline constexpr double few_units = 4;         ///< in the last place: how far a constraint may be off
inline constexpr double good_condition = 1e7;  ///< in any units; Continuous warns from 1e8 on

/// Mechanical, with equations of motion that are linear in what they are solved for.
bool is_linear_mechanics(const System& system);

class StartConditions {
 public:
  explicit StartConditions(const System& system);

  Graph& graph() { return graph_; }  ///< of all of them, a copy of the system's

  std::vector<Expr> residuals;  ///< what has to vanish
  std::vector<Expr> sizes;      ///< of these: sums of the sizes of their terms
  std::vector<Expr> finite;     ///< what has to be finite
  std::vector<Expr> mass;       ///< entries of the mass matrix that are not zero
  std::vector<Expr> A, B;       ///< of an index-2 system, all entries

 private:
  void vanish(Expr residual, Expr size);
  /// To a few units in the last place of its terms in these variables: the sum of |slope_i x_i|. Continuous allows
  /// more, since it counts all variables, and all operations.
  void vanish(const std::vector<Expr>& functions, const std::vector<Expr>& variables);
  void be_finite(std::span<const Expr> expressions);
  std::vector<Expr> slopes(const std::vector<Expr>& functions, const std::vector<Expr>& variables);
  /// The entries (i, j) and (j, i) are opposite.
  void add_structure();
  /// g = 0, and the hidden constraint.
  void add_index_two();
  /// Of a Lagrangian, a Hamiltonian, or p, f and r of an odae system.
  void add_mechanics();
  /// v = H_p, where momenta are variables.
  void add_velocities();

  const System& system_;
  Graph graph_;
  std::vector<Expr> q_, v_, z_;
};

}  // namespace noslip

// Velocities that are functions v(t, q, z) of other variables of the state: of the momenta, where a Hamiltonian has no
// Legendre transform in closed form, or of the z of an overdetermined system (Jay 2007, eq. (2.11)). At a stage both V
// and Z are unknowns then, tied by V = v(T, Q, Z); at the end of a step v follows from z.
#pragma once

#include <string>
#include <vector>

#include <noslip/method/recipe.hpp>
#include <noslip/method/stage.hpp>

namespace noslip {

class Conjugate {
 public:
  /// Nothing exists, and no member but exists() may be called, where velocities are variables of the state themselves.
  Conjugate(const System& system, StepRecipe& recipe);

  bool exists() const { return !start_.empty(); }
  const std::vector<Expr>& start() const { return start_; }  ///< z at the start of the step
  const std::vector<Expr>& start_velocities() const { return velocities_; }

  /// z0 + increment
  std::vector<Expr> moved(const std::vector<Expr>& increment) const;

  /// Adds V = v(T, Q, Z) to the equations of a stage.
  void tie(Solve& solve, const Stage& stage) const;

  /// How z changes from the start to `fraction` of the step, to first order.
  Expr first_guess(std::size_t i, quad fraction) const;

  /// z1 and v1 of the end, where z moves by `increment`: sets these parts of the state, and gives v1 as the expression
  /// that is stored.
  std::vector<Expr> end_velocities(Expr t1, const std::vector<Expr>& q1, const std::vector<Expr>& increment);

 private:
  const System& system_;
  StepRecipe& recipe_;
  std::size_t first_ = 0;  // of z in the state
  std::vector<Expr> start_, velocities_, rates_;
};

}  // namespace noslip

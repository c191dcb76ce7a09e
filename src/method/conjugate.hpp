// Velocities that are functions v(t, q, z) of other variables of the state: of the momenta, where a Hamiltonian has no
// Legendre transform in closed form, or of the z of an overdetermined system (Jay 2007, eq. (2.11)). At a stage both V
// and Z are unknowns then, tied by V = v(T, Q, Z); at the end of a step v follows from z.
#pragma once

#include <noslip/method/recipe.hpp>
#include <noslip/method/stage.hpp>

#include "method/vectors.hpp"

namespace noslip {

class Conjugate {
 public:
  /// Nothing exists, and start() is empty, where velocities are variables of the state themselves.
  Conjugate(const System& system, StepRecipe& recipe);

  bool exists() const { return !start_.empty(); }
  std::size_t first() const { return first_; }    ///< of z in the state
  const Vector& start() const { return start_; }  ///< z at the start of the step
  const Vector& start_velocities() const { return velocities_; }

  /// How z and v change in a step, to first order.
  Vector first_change() const { return recipe_.h * rates_; }
  const Vector& first_change_of_velocities() const { return velocity_change_; }

  /// z1 and v1 of the end, where z moves by `increment`: sets these parts of the state, and gives v1 as the expression
  /// that is stored.
  Vector end_velocities(Expr t1, const Vector& q1, const Vector& increment) const;

 private:
  const System& system_;
  StepRecipe& recipe_;
  std::size_t first_ = 0;
  Vector start_, velocities_, rates_, velocity_change_;
};

}  // namespace noslip

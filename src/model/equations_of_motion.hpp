// The equations of motion at a state, in any scalar type: what gives accelerations and multipliers there.
//
//   M a = g + R(lambda),   K a = gamma    R = K^T lambda + N(-lambda) with nonideal reactions N; odae: the r of the
//                                         system, with a = z' and M = p_z
//   G(z) = 0                              dae2: the hidden constraint; there are no accelerations
//
// Everything depends on t and the state, too. A skew-gradient system has nothing to solve.
#pragma once

#include <span>
#include <vector>

#include <noslip/model/system.hpp>
#include <noslip/solve/implicit.hpp>

namespace noslip {

/// The equations: immutable, shared by threads.
template <class T>
class EquationsOfMotion {
 public:
  explicit EquationsOfMotion(const System& system);

 private:
  template <class U>
  friend class MotionSolver;

  enum class Start {
    linear,  // the equations are linear: anywhere
    ideal,   // at the solution without nonideal reactions
    given    // at the given multipliers
  };
  std::size_t multiplier_count_;
  Start start_;
  ImplicitFunction<T> equations_;  // given: t; state; parameters; share of the nonideal reactions
};

/// Their solutions at states with the same parameters: one object per thread.
template <class T>
class MotionSolver {
 public:
  MotionSolver(const EquationsOfMotion<T>& equations, std::span<const T> parameters);
  /// Without parameters: they have to be set before anything is solved.
  explicit MotionSolver(const EquationsOfMotion<T>& equations);
  void set_parameters(std::span<const T> parameters) { solver_.set(2, parameters); }

  /// `state` begins with q and v, and p where momenta are implicit (dae2: y). `multipliers` hold the ones to begin with
  /// of a dae2 or odae system: of several solutions, the one near them is meant. False if no solution is found; both
  /// spans are zero then.
  bool solve(T t, std::span<const T> state, std::span<T> accelerations, std::span<T> multipliers);

  /// Of the matrix that was solved with last, in the units of the system.
  T condition() { return unknowns_.empty() ? T(1) : solver_.condition(); }
  /// Cheaper where states follow each other.
  bool condition_is_at_most(T limit) { return unknowns_.empty() || solver_.condition_is_at_most(limit); }

  /// Sizes (largest sums in a row) of the parts of this matrix, [M -R; K 0], and of its inverse.
  struct Sizes {
    T K, R, inverse;
  };
  Sizes sizes();
  std::size_t multiplier_count() const { return equations_.multiplier_count_; }

  /// Of the last state, without nonideal reactions.
  std::span<const T> ideal_multipliers() const { return ideal_multipliers_; }

 private:
  bool find(bool is_linear);

  EquationsOfMotion<T> equations_;
  ImplicitSolver<T> solver_;
  std::vector<T> unknowns_, ideal_multipliers_;
};

extern template class EquationsOfMotion<double>;
extern template class EquationsOfMotion<long double>;
extern template class EquationsOfMotion<quad>;
extern template class MotionSolver<double>;
extern template class MotionSolver<long double>;
extern template class MotionSolver<quad>;

}  // namespace noslip

// Whether steps may start at a state, for callers who ask often.
#pragma once

#include <span>
#include <vector>

#include <noslip/exec/function.hpp>

#include "model/equations_of_motion.hpp"

namespace noslip {

/// What the check evaluates, compiled once per program.
template <class T>
struct StartFunctions {
  StartFunctions() = default;
  explicit StartFunctions(const System& system);

  /// The quick check knows systems of this kind: mechanical, with equations of motion that are linear in what they are
  /// solved for.
  bool are_known = false;
  /// Of t; state; parameters: what has to vanish; sums of the sizes of its terms; the energy, which has to be finite; the
  /// mass matrix, which has to be positive definite.
  Function<T> function;
};

/// One per thread; allocates nothing once it is made.
template <class T>
class StartCheck {
 public:
  explicit StartCheck(const StartFunctions<T>& functions);

  /// True if the state is certainly one from which a run may start without a word: constraints hold to a few units in
  /// the last place, and the equations of motion are well-conditioned, with a positive mass matrix. Otherwise
  /// Continuous::require_consistent decides.
  /// `solver` has the parameters; it is left at the solution.
  bool is_certain(MotionSolver<T>& solver, T t, std::span<const T> state, std::span<const T> parameters,
                  std::span<T> accelerations, std::span<T> multipliers);

  /// Accelerations and multipliers at a state, if the equations of motion are certainly well-conditioned there.
  bool can_solve(MotionSolver<T>& solver, T t, std::span<const T> state, std::span<T> accelerations,
                 std::span<T> multipliers) const;

 private:
  bool has_inertia();

  bool are_known_;
  Evaluation<T> at_;
  std::vector<T> mass_;
};

extern template struct StartFunctions<double>;
extern template struct StartFunctions<long double>;
extern template struct StartFunctions<quad>;
extern template class StartCheck<double>;
extern template class StartCheck<long double>;
extern template class StartCheck<quad>;

}  // namespace noslip

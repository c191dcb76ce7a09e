// Whether steps may start at a state, for callers who ask often.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <noslip/exec/function.hpp>
#include <noslip/solve/linear.hpp>

#include "model/equations_of_motion.hpp"
#include "run/basis_check.hpp"

namespace noslip {

/// What the check evaluates, compiled once per program.
template <class T>
struct StartFunctions {
  StartFunctions() = default;
  explicit StartFunctions(const System& system);

  /// What multiplies what in the matrix of the equations of motion.
  enum class Matrix {
    symmetric,  ///< [M -K^T; K 0] with a positive M, or nothing to solve
    reactions,  ///< [M -R; K 0], with reactions that are not K^T lambda
    product     ///< A B
  };
  Matrix matrix = Matrix::symmetric;
  bool has_inertia = false;    ///< the mass matrix has to be positive
  bool is_linear = false;      ///< mechanical, with equations of motion that are linear in what they are solved for
  bool solves_from_z = false;  ///< of several multipliers the ones near z are meant
  bool keeps_given_z = false;  ///< ... and z stays as it is given
  bool stays_when_projected = false;  ///< a projection does not change a state that passes
  std::size_t first_z = 0;
  /// Of t; state; parameters: what has to vanish; sums of the sizes of its terms; what has to be finite; entries of the
  /// mass matrix; A; B.
  Function<T> function;
  std::size_t mass_size = 0;
  std::vector<std::pair<int, int>> mass_places;  ///< row and column of its entries
  BasisFunctions<T> basis;
};

/// One per thread; allocates nothing once it is made.
template <class T>
class StartCheck {
 public:
  explicit StartCheck(const StartFunctions<T>& functions);

  /// True if the state is certainly one from which a run may start without a word: constraints hold to a few units in
  /// the last place, and the equations of motion are well-conditioned, with a positive mass matrix if the system is
  /// mechanical. Otherwise Continuous::require_consistent decides; so does it if the state is projected, and that might
  /// change it.
  /// `solver` has the parameters; it is left at the solution.
  bool is_certain(MotionSolver<T>& solver, T t, std::span<const T> state, std::span<const T> parameters, bool projects,
                  std::span<T> accelerations, std::span<T> multipliers);

  /// False if a state that was good with the parameters `before` is certainly none with those after: constraints are
  /// violated, something is not finite, or the mass matrix is no longer positive.
  bool still_holds(T t, std::span<const T> state, std::span<const T> before, std::span<const T> after);

  /// Accelerations and multipliers at a state, if the equations of motion are linear, and certainly well-conditioned
  /// there.
  bool can_solve(MotionSolver<T>& solver, T t, std::span<const T> state, std::span<T> accelerations,
                 std::span<T> multipliers) const;

 private:
  bool has_inertia();
  bool solve(MotionSolver<T>& solver, T t, std::span<const T> state, std::span<T> accelerations,
             std::span<T> multipliers) const;
  T condition(MotionSolver<T>& solver);
  T inverse_of_mass();

  StartFunctions<T> functions_;
  Evaluation<T> at_;
  BasisCheck<T> basis_;
  std::vector<T> column_, sums_, residuals_;
  /// Cholesky's factor: rows from their first entry to the diagonal. Fill-in stays there.
  std::vector<std::size_t> first_column_, row_start_;
  std::vector<T> factor_;
  LinearSolver<T> mass_;  ///< of matrices with reactions
};

extern template struct StartFunctions<double>;
extern template struct StartFunctions<long double>;
extern template struct StartFunctions<quad>;
extern template class StartCheck<double>;
extern template class StartCheck<long double>;
extern template class StartCheck<quad>;

}  // namespace noslip

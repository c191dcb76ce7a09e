// The continuous problem in the scalar type of a run: where first steps start, and multipliers where a method has none.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <noslip/exec/kernel.hpp>
#include <noslip/model/system.hpp>
#include <noslip/solve/dense.hpp>

namespace noslip {

/// Newton's method on the continuous problem (model/system.hpp). Mechanical: M a - K^T lambda = g and K a = gamma for
/// (a, lambda), which is linear; with nonideal reactions Newton's method starts from the solution without them. dae2:
/// the hidden constraint for z, of several solutions the one near the given z. odae: z' and lambda, likewise.
template <class T>
class ContinuousSolver {
 public:
  ContinuousSolver(const System& system, std::span<const T> parameters);

  /// `state` begins with q and v, and p where momenta are implicit (dae2: y). `multipliers` hold the z to begin with of
  /// a dae2 system, which has no accelerations. False if no solution is found; both spans are zero then.
  bool solve(T t, std::span<const T> state, std::span<T> accelerations, std::span<T> multipliers);

 private:
  enum class Start {
    linear,  // the problem is linear: anywhere
    ideal,   // at the solution without nonideal reactions
    given    // at the given multipliers
  };
  std::size_t first_unknown() const;
  bool newton(bool is_linear);

  std::size_t state_count_, multiplier_count_, unknown_count_;
  Start start_;
  std::size_t share_slot_ = 0;
  Kernel<T> kernel_;
  std::vector<std::pair<int, int>> pattern_;  // of the Jacobian
  std::vector<T> workspace_, scratch_, correction_;
  DenseSolver<T> dense_;
};

extern template class ContinuousSolver<double>;
extern template class ContinuousSolver<long double>;
extern template class ContinuousSolver<quad>;

}  // namespace noslip

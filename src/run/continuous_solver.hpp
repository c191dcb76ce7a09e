// The continuous problem in the scalar type of a run: where first steps start, and multipliers of methods that have none.
#pragma once

#include <span>
#include <vector>

#include <noslip/exec/kernel.hpp>
#include <noslip/model/system.hpp>
#include <noslip/solve/dense.hpp>

namespace noslip {

/// Accelerations and multipliers from [M -K^T; K 0] (a, lambda) = (g, gamma). Not finite where that is singular.
template <class T>
class ContinuousSolver {
 public:
  ContinuousSolver(const System& system, std::span<const T> parameters);

  /// `state` begins with q and v.
  void solve(T t, std::span<const T> state, std::span<T> accelerations, std::span<T> multipliers);

 private:
  int n_, m_, first_output_;
  Kernel<T> kernel_;
  std::vector<T> workspace_, scratch_, solution_;
  DenseSolver<T> dense_;
};

extern template class ContinuousSolver<double>;
extern template class ContinuousSolver<long double>;
extern template class ContinuousSolver<quad>;

}  // namespace noslip

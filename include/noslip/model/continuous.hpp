// The continuous problem at one state: accelerations and multipliers, consistency, rank, projection.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

/// Accelerations and multipliers are empty where the problem is singular.
struct ContinuousState {
  std::vector<double> accelerations;
  std::vector<double> multipliers;  ///< d/dt L_v = L_q + f + K^T lambda
  double energy = 0;
  std::vector<double> constraints;  ///< k, one per constraint
  double max_constraint = 0;
  int constraint_rank = 0;  ///< of K in the metric of the mass; 0 where a value is not finite
};

/// Evaluates the continuous problem of a system with fixed parameter values. Not for inner loops.
class Continuous {
 public:
  Continuous(const System& system, std::vector<double> parameter_values);

  /// Everything at (t, q, v). Problems (not thrown, returned through `problems`): singular L_vv, dependent constraints
  /// (rank, and which ones by their texts), values that are not finite (which expression).
  ContinuousState evaluate(const InitialState& state, std::vector<Problem>& problems) const;

  /// The velocities nearest in the mass metric that satisfy the constraints at (t, q); Newton for nonlinear constraints.
  /// InputError where there are none to be found.
  InitialState project(const InitialState& state) const;

  /// Refuses (InputError, all problems at once) a state from which no run can start: not finite, constraints violated by
  /// more than rounding (size, hint `--project`), dependent constraints, singular L_vv.
  void require_consistent(const InitialState& state) const;

 private:
  void require_shape(const InitialState& state) const;
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace noslip

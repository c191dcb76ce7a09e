// Multipliers of the continuous problem with all digits of quadruple precision.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <noslip/run/run.hpp>

namespace noslip {

/// Solves [M -K^T; K 0] (a, lambda) = (g, gamma), see model/system.hpp. A few evaluations in a study, not for loops.
class FullMultipliers {
 public:
  FullMultipliers(const System& system, const std::map<std::string, double>& settings);

  /// In the order of the constraints; not finite where the problem is singular. Empty for a system that has no such
  /// problem.
  std::vector<quad> at(const QuadState& state) const;

  /// Whether the multipliers of a run are those of the continuous problem, evaluated in double at its last state: then
  /// at() has more digits of the same.
  bool are_continuous(const Trajectory& run) const;

 private:
  bool has_problem() const;

  std::vector<quad> parameters_;
  Continuous continuous_;
  Kernel<quad> kernel_;  // slots: t, q, v, parameters, then M, K, g, gamma
  std::size_t coordinates_, constraints_, outputs_ = 0;
};

}  // namespace noslip

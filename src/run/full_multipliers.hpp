// Multipliers of the continuous problem with all digits of quadruple precision.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <noslip/expr/derivative.hpp>
#include <noslip/run/run.hpp>

namespace noslip {

/// Newton's method on the continuous problem (model/system.hpp): mechanical, M a - K^T lambda = g and K a = gamma for
/// (a, lambda); dae2, the hidden constraint for z. A few evaluations in a study, not for loops.
class FullMultipliers {
 public:
  FullMultipliers(const System& system, const std::map<std::string, double>& settings);

  /// In the order of the constraints. For a dae2 system, where there may be several, the ones near `near`. Empty where
  /// they are not found, or there are none.
  std::vector<quad> at(const QuadState& state, const std::vector<quad>& near) const;

  /// Whether the multipliers of a run are those of the continuous problem, evaluated in double at its last state: then
  /// at() has more digits of the same.
  bool are_continuous(const Trajectory& run) const;

 private:
  void build(const System& system);

  std::vector<quad> parameters_;
  Continuous continuous_;
  bool is_dae2_;
  Kernel<quad> kernel_;  // slots: t, q, v, parameters, unknowns, then residuals and entries
  struct Place {
    int row, column;
  };
  std::vector<Place> entries_;                  // of the Jacobian
  std::size_t unknowns_ = 0, multipliers_ = 0;  // the multipliers are the last of the unknowns
};

}  // namespace noslip

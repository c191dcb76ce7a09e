// The solution that a system file gives under [exact], with velocities and multipliers.
#pragma once

#include <memory>
#include <optional>

#include <noslip/run/run.hpp>

namespace noslip {

class ExactSolution {
 public:
  /// Nothing where the table does not name every coordinate.
  static std::optional<ExactSolution> of(const System& system, const Settings& settings);

  /// q from the table, v by differentiation (those of the body on a group). Multipliers from the table where it names
  /// them, otherwise from the continuous problem: of several that a dae2 system may have, those near `near`; NaN where
  /// there are none.
  QuadState at(quad t, const std::vector<quad>& near = {}) const;

  /// Whether it goes through this state: an exact solution holds for the initial data that it was found for.
  bool passes(const InitialState& state) const;

 private:
  ExactSolution() = default;
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace noslip

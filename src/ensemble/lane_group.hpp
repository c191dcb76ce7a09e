// A few members side by side in the lanes of one stepper.
#pragma once

#include <span>
#include <vector>

#include "ensemble/lane_functions.hpp"

namespace noslip {

/// One group of members after the other; the stepper makes their steps between these calls.
class LaneGroup {
 public:
  LaneGroup(const EnsemblePlan& plan, const ProgramData<double>& program, const LaneFunctions& functions,
            LaneStepper<double>& stepper);

  /// Members that start like this, at most as many as there are lanes.
  void set(std::span<const Start<double>> starts);
  /// Which of them certainly can start there (StartCheck).
  std::vector<bool> find_certain();
  /// Makes the first step, which tells for which lanes the order of elimination is bad. False if there are any.
  bool make_first_step();
  /// With those that are not doubtful, if there are any.
  void start_again(std::span<const Start<double>> starts);

  void begin_watch();
  /// Marks lanes whose numbers cannot be believed. After evaluate().
  void watch();
  /// Energy and residuals at this time.
  void evaluate(double t);
  /// Columns at a row, after evaluate(); `values`: of each member.
  void store(std::size_t row, double t, std::span<double* const> values);

  /// Failed, or in doubt, or in need of another order of elimination: integrate() has to run these members.
  const std::vector<bool>& doubtful() const { return doubtful_; }
  std::size_t moving() const;  ///< how many are not doubtful
  LaneStepper<double>& stepper() { return stepper_; }

 private:
  void set_lanes(std::span<const Start<double>> starts);
  void unfold();
  double slot(std::size_t number, std::size_t lane) const {
    return stepper_.workspace()[number * static_cast<std::size_t>(plan_.lanes) + lane];
  }
  double balance(std::size_t lane) const;

  const EnsemblePlan& plan_;
  const ProgramData<double>& program_;
  const LaneFunctions& functions_;
  LaneStepper<double>& stepper_;
  std::vector<double> scratch_, state_;
  std::vector<double> balance_, most_kinetic_, most_speed_;  ///< per lane: at the start; so far
  std::vector<bool> doubtful_;                               ///< of those that are used
  std::size_t used_ = 0;
};

}  // namespace noslip

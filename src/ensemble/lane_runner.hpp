// A few members side by side in the lanes of one stepper.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ensemble/plan.hpp"
#include "run/setup.hpp"

namespace noslip {

/// What a runner is told and asked while it works: so many steps are done since the last time; false ends it.
using GoesOn = std::function<bool(long long steps)>;

/// Carries out one group of members after the other; one per thread.
class LaneRunner {
 public:
  /// `first` is a member whose start is known to be good.
  LaneRunner(const EnsemblePlan& plan, std::size_t first);

  /// Members with these starts, at most as many as there are lanes, and where the values of each go. Returns which of
  /// them integrate() has to run: those that have failed, look doubtful, or need another order of elimination.
  std::vector<bool> run(std::span<const Start<double>> starts, std::span<double* const> values, const GoesOn& goes_on);
  /// Of the last call: it was not ended early.
  bool is_complete() const { return is_complete_; }

  const RunSetup<double>& setup() const { return setup_; }

 private:
  /// How a column is read.
  struct Source {
    enum class Kind { time, state, workspace, energy } kind;
    std::size_t index = 0;  ///< of the state, or slot of the workspace
  };

  void set_lanes(std::span<const Start<double>> starts);
  void find_unsuited();
  void start_watch();
  /// Energy and residuals at this time.
  void evaluate(double t);
  /// Marks lanes whose numbers cannot be believed.
  void watch();
  void store(std::size_t row, double t, std::span<double* const> values);
  void unfold();
  double slot(std::size_t number, std::size_t lane) const {
    return setup_.stepper->workspace()[number * static_cast<std::size_t>(plan_.lanes) + lane];
  }
  bool is_alive() const;
  double balance(std::size_t lane) const;

  const EnsemblePlan& plan_;
  RunSetup<double> setup_;
  std::vector<Source> sources_;
  std::size_t first_slot_ = 0;  ///< of what belongs to this runner: kinetic energy, the state with whole angles, functions
  Function<double> kinetic_, functions_;
  std::vector<double> scratch_, state_;
  std::vector<double> balance_, most_kinetic_, most_speed_;  ///< per lane: at the start; so far
  std::vector<bool> doubtful_;
  std::size_t used_ = 0;
  bool is_complete_ = false;
};

}  // namespace noslip

// Members in lanes: one or two groups of them at a time, with steps between two looks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ensemble/lane_group.hpp"
#include "run/lane_pair.hpp"
#include "run/run_tools.hpp"

namespace noslip {

/// What a runner is told and asked while it works: so many steps are done since the last time; false ends it.
using GoesOn = std::function<bool(long long steps)>;

/// Carries out members that are given to it, a few at a time; one per thread.
class LaneRunner {
 public:
  /// The program has steps: the order of elimination does not depend on members.
  LaneRunner(const EnsemblePlan& plan, std::shared_ptr<const ProgramData<double>> program);

  /// The most members at a time.
  std::size_t capacity() const { return groups_.size() * static_cast<std::size_t>(plan_.lanes); }
  /// Which of these certainly can start where they are (StartCheck); of the others nothing is known.
  std::vector<bool> find_certain(std::span<const Start<double>> starts);
  /// Members with these starts, which are good, and where the values of each go. Returns which of them integrate() has
  /// to run (LaneGroup::doubtful).
  std::vector<bool> run(std::span<const Start<double>> starts, std::span<double* const> values, const GoesOn& goes_on);
  /// Of the last call: it was not ended early.
  bool is_complete() const { return is_complete_; }

 private:
  /// False if it does not count: lanes were not suited, and everything is at the start again.
  bool make_first_step(std::span<LaneGroup*> groups, std::span<const Start<double>> starts);
  void advance(std::span<LaneGroup*> groups, long long first, long long count);
  /// Those of one group.
  template <class Each>
  std::span<Each> part(std::span<Each> all, std::size_t group) const;

  const EnsemblePlan& plan_;
  std::shared_ptr<const ProgramData<double>> program_;
  LaneFunctions functions_;
  BorrowedTools<double> tools_;
  std::unique_ptr<LaneStepper<double>> second_;  ///< of two groups
  std::vector<std::unique_ptr<LaneGroup>> groups_;
  std::optional<LanePair<double>> pair_;
  bool is_complete_ = false;
};

}  // namespace noslip

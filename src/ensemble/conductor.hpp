// Hands out blocks of members to whoever is free, and passes on what comes back in the order of the members.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>

#include <noslip/core/archive.hpp>

#include "ensemble/plan.hpp"

namespace noslip {

/// Threads share it.
class Conductor {
 public:
  /// `workers`: how many blocks may be under way at a time. Goes on from EnsembleOptions::from.
  Conductor(const EnsemblePlan& plan, Ensemble& result, std::size_t workers);

  /// The first member of the next block. Nothing if there is none left, or none yet: a few blocks may wait for a slow one
  /// before them, and not more. With `waits` the latter is waited for.
  std::optional<std::size_t> next(bool waits);
  /// Everything was passed on, or it ends early.
  bool is_over() const;
  void deliver(MemberBlock block);

  /// So many steps were made since the last call; false if it has to end.
  bool report(long long steps);
  /// Ends it; the first exception is thrown by finish().
  void fail(std::exception_ptr error);
  /// To be called once, when nobody works any more.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void reduce(const MemberBlock& block);
  void pass_on(const MemberBlock& block);
  void checkpoint();
  void carry(Archive& archive);
  bool is_waiting_needed() const { return next_ >= passed_ + window_; }
  void stop();

  const EnsemblePlan& plan_;
  Ensemble& result_;
  std::size_t window_;  ///< members that may be ahead of the first that was not passed on

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;    ///< member that comes next
  std::size_t passed_ = 0;  ///< all members before this one were passed on
  std::map<std::size_t, MemberBlock> waiting_;
  bool is_passing_ = false;
  std::exception_ptr error_;
  std::atomic<bool> stopped_ = false;

  std::mutex telling_;
  std::atomic<long long> steps_ = 0;
  bool has_told_ = false;
  Clock::time_point last_told_, last_checkpoint_;
};

}  // namespace noslip

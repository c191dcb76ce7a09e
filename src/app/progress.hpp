// A line on the terminal that tells how far a long run is.
#pragma once

#include <chrono>
#include <string>

namespace noslip::app {

/// Draws nothing unless standard error is a terminal and the run has taken more than a second.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(long long done, long long all);
  /// One of many runs, named in front of the line; the time left is that of this run.
  void update(const std::string& what, long long done, long long all);
  /// Wipes the line, so that other text can be written.
  void clear();

 private:
  bool enabled_;
  bool drawn_ = false;
  std::string what_;
  std::chrono::steady_clock::time_point start_, run_start_;
};

}  // namespace noslip::app

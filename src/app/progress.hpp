// A line on the terminal that tells how far a long run is, or that it has not started yet.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace noslip::app {

/// After two seconds without a first step, a line says that the step is being prepared, until `end`.
class StartNotice {
 public:
  explicit StartNotice(bool enabled);
  ~StartNotice() { end(); }
  StartNotice(const StartNotice&) = delete;
  StartNotice& operator=(const StartNotice&) = delete;

  void end();

 private:
  void wait(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any never_;
  bool drawn_ = false;
  std::jthread thread_;
};

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
  long long first_done_ = -1;  ///< steps before this run was seen first; -1: it was not
  std::chrono::steady_clock::time_point start_, run_start_;
  StartNotice notice_;
};

}  // namespace noslip::app

// The picture of noslip run: --plot, --show and --theme.
#pragma once

#include <functional>
#include <optional>

#include <noslip/io/run_plot.hpp>
#include <noslip/run/run.hpp>

#include "arguments.hpp"
#include "options.hpp"

namespace noslip::app {

/// Problems that can be seen without a system.
void check_run_plot(Arguments& arguments);

/// Watches a run, and draws it where --plot asks for that.
class RunPicture {
 public:
  /// FileError where the file cannot be made, InputError for panels that do not exist.
  /// `is_resumed`: the run has begun earlier, and its file may be there.
  RunPicture(const Arguments& arguments, const SystemChoice& choice, const RunOptions& options, bool is_resumed);

  /// Makes the options show every step to the picture (of more than two million, some). What options.sink gets stays
  /// what options.every says.
  void watch(RunOptions& options);
  /// After the run: hands on the last row if --every has left it out, which belongs to what is stored.
  void hand_on_last_row();
  void write(Arguments& arguments, const Trajectory& run) const;
  /// What it has seen so far.
  void carry(Archive& archive);

 private:
  std::optional<RunPlot> plot_;
  bool is_resumed_ = false;
  std::function<void(const Sample&)> rows_;  ///< where the rows go that are stored; empty: nowhere
  double begin_ = 0, end_ = 0;
  long long every_ = 1, seen_ = 0;  ///< counted in samples
  bool is_last_left_out_ = false;
  Sample last_;
};

}  // namespace noslip::app

// Several methods on one problem with one step: errors, what is kept, and cost.
#pragma once

#include <string>
#include <vector>

#include <noslip/run/converge.hpp>

namespace noslip {

struct CompareOptions {
  std::vector<std::string> methods;
  quad step = 0;
  quad until = std::numeric_limits<double>::quiet_NaN();
  Settings set = {}, init = {};  ///< as those of RunOptions
  Control control = {};
  bool project = false;
  Backend backend = Backend::automatic;
  Precision precision = Precision::double_precision;
  StudyProgress progress = {};
};

struct CompareResult {
  Trajectory run;      ///< to the end time; nothing stored
  StateNumbers error;  ///< at the end, where the exact solution is known
  /// As bench() measures it: minimum of several runs of many steps, nothing monitored. NaN if a step failed.
  double nanoseconds_per_step = std::numeric_limits<double>::quiet_NaN();
};

struct Comparison {
  std::string system;
  double step = 0, until = 0;
  bool has_exact = false;              ///< errors are known
  std::vector<CompareResult> results;  ///< by cost, the cheapest first; without cost at the end
  std::vector<std::string> notes;
  Outcome outcome;  ///< stopped: by the progress function; then results of the remaining methods are missing
};

/// InputError, all problems at once, for a step that makes no sense, methods that do not exist or do not accept the
/// system (with the reason), an end before the initial time. Takes about half a second per method.
Comparison compare(const System& system, const InitialState& initial, const CompareOptions& options);
/// From the initial data of the system file, exact in every precision.
Comparison compare(const System& system, const CompareOptions& options);

}  // namespace noslip

// Carries out an experiment: runs, measures, judges.
#pragma once

#include <noslip/run/converge.hpp>

#include "experiment.hpp"
#include "table.hpp"

namespace noslip::papers {

struct ReproduceOptions {
  bool quick = false;  ///< the shortened forms
  /// Called from time to time with the label of what is run, steps done and all steps; return false to stop.
  StudyProgress progress = {};
};

struct CheckResult {
  const Check* check = nullptr;
  const Bounds* bounds = nullptr;  ///< of the form that was run
  double measured = 0;
  Verdict verdict = Verdict::differs;
};

struct Reproduction {
  const Experiment* experiment = nullptr;
  std::vector<Table> tables;
  std::vector<CheckResult> checks;
  Verdict verdict = Verdict::agrees;  ///< the worst one
  Verdict recorded = Verdict::agrees;
  bool as_recorded = true;  ///< every check has the verdict that was recorded
  double seconds = 0;
  Outcome outcome;  ///< stopped: by the progress function; there are no checks then
};

/// InputError only where the data of the experiment are wrong. A run that fails leaves a table with a failed outcome.
Reproduction reproduce(const Experiment& experiment, const ReproduceOptions& options);

// One function per kind of run. They stop early, with a table whose outcome is `stopped`, when the progress function
// says so.
std::vector<Table> carry_out(const TimeRun& run, const ReproduceOptions& options);
std::vector<Table> carry_out(const OrderRun& run, const ReproduceOptions& options);
std::vector<Table> carry_out(const EnsembleRun& run, const ReproduceOptions& options);
std::vector<Table> carry_out(const RivalRun& run, const ReproduceOptions& options);
std::vector<Table> carry_out(const SectionRun& run, const ReproduceOptions& options);

}  // namespace noslip::papers

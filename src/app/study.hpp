// What the verbs for several methods (converge, compare) have in common.
#pragma once

#include <string>

#include <noslip/core/status.hpp>
#include <noslip/core/stopping.hpp>
#include <noslip/io/json.hpp>
#include <noslip/io/study_plot.hpp>
#include <noslip/run/converge.hpp>

#include "arguments.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "plot_options.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace noslip::app {

/// --until: a number; a problem otherwise, also if it is missing.
quad chosen_end(Arguments& arguments);

/// Draws the line of progress, and ends the study at Ctrl-C.
StudyProgress study_progress(ProgressBar& bar);

/// The exit code of a study with this outcome; `has_failures`: a run in it failed.
int exit_code_of_study(const Outcome& outcome, bool has_failures);

/// The rest of such a verb, when its own options are read: chooses the system, runs the study (`run` takes it and the
/// options), prints it as JSON or by `as_text`, tells notes and failures (`tell_failures` says whether there
/// are any), and writes the picture that `draw` makes of it.
template <class Options, class Run, class Text, class Notes, class Failures, class Draw>
int carry_out_study(Arguments& arguments, Options options, Run run, Text as_text, Notes tell_notes,
                    Failures tell_failures, Draw draw) {
  options.project = arguments.has("--project");
  check_plot(arguments);
  if (arguments.has("--force") && !arguments.has("--plot")) {
    arguments.problem("--force has no effect without --plot FILE.svg", "drop it, or add --plot FILE.svg");
  }
  const SystemChoice choice = choose_system(arguments);
  refuse_plot_file(arguments);
  options.set = choice.set;
  options.init = choice.init;
  options.control = choice.control;

  const bool quiet = arguments.has("--quiet");
  ProgressBar bar(quiet);
  options.progress = study_progress(bar);
  const auto study = run(choice.system, options);
  bar.clear();
  if (ends_preparation()) throw Interrupted();  // nothing is there to be shown
  const StopShield shield;
  if (arguments.has("--json")) {
    print(to_json_text(study));
  } else if (!quiet) {
    print(as_text(study));
  }
  if (!quiet) tell_notes(study);
  const bool has_failures = tell_failures(study);
  if (study.outcome.status == Status::done) write_plot(arguments, draw(study));
  return exit_code_of_study(study.outcome, has_failures);
}

/// A number with an exponent, `-` for what is not finite.
std::string error_text(double error);

}  // namespace noslip::app

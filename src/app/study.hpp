// What the verbs for several methods (converge, compare) have in common.
#pragma once

#include <string>

#include <noslip/core/status.hpp>
#include <noslip/io/plot.hpp>
#include <noslip/run/converge.hpp>

#include "arguments.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace noslip::app {

/// Declares --plot and --force.
void declare_plot(Arguments& arguments);
/// A problem for an ending that cannot be written, or --force alone.
void check_plot(Arguments& arguments);
/// Before anything runs: FileError where the file cannot be made, or exists without --force.
void refuse_plot_file(const Arguments& arguments);
/// Writes the picture if there is --plot.
void write_plot(const Arguments& arguments, const Plot& plot);

/// --until: a number; a problem otherwise, also if it is missing.
double chosen_end(Arguments& arguments);

/// Draws the line of progress, and ends the study at Ctrl-C.
StudyProgress study_progress(ProgressBar& bar);

/// The exit code of a study with this outcome; `has_failures`: a run in it failed.
int exit_code_of_study(const Outcome& outcome, bool has_failures);

/// A number with an exponent, `-` for NaN.
std::string error_text(double error);

}  // namespace noslip::app

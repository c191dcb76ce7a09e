// Options of a run as somebody has written them: what is wrong with them, in words for the writer.
//
// The tool and the Python module say the same of the same mistake. A value is shown as it was written, `1/10`, and options
// are spelled as the program at hand has them (core/option_name.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/core/given.hpp>
#include <noslip/model/system.hpp>
#include <noslip/run/run.hpp>

namespace noslip {

/// A name among the values of `set` that is no parameter (after System::resized, which takes the sizes).
std::vector<Problem> problems_with_parameters(const System& system, const Settings& set);
/// Names that `init` may have are those of System::with_initial.
std::optional<Problem> problem_with_initial_name(const System& system, const std::string& name, const std::string& written);
std::optional<Problem> problem_with_input_name(const System& system, const std::string& name, const std::string& written);

/// Machine code computes in double precision only.
std::optional<Problem> problem_with_precision(Backend backend, Precision precision);

/// InputError if the run ends before it begins, or has more steps than can be counted. `start` is the initial time.
void check_end(const RunOptions& options, quad start, const std::string& until, const std::string& step);

}  // namespace noslip

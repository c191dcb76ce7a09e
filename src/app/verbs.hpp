// The verbs of the tool. Each takes what follows it on the command line and returns the exit code; mistakes of the user
// are thrown (InputError, FileError) and reported by main.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/core/options.hpp>

namespace noslip::app {

/// Exit codes that scripts rely on.
enum ExitCode : int {
  exit_done = 0,
  exit_numerical_failure = 1,
  exit_bad_input = 2,
  exit_file = 3,
  exit_disagreement = 4,
  exit_bug = 70,
  exit_signal = 128  ///< plus the number of the signal
};

using Words = std::vector<std::string>;

/// One per line of `noslip --help`.
struct Verb {
  const char* name;
  const char* summary;
  int (*run)(const Words& words);
};
/// All verbs, in the order of the help.
std::span<const Verb> all_verbs();
/// The verb of this name; null if there is none.
const Verb* find_verb(std::string_view name);

/// What stands in the place of a verb: `--help` and the like.
std::span<const Option> general_options();
const Option& general_option(std::string_view name);  ///< it has to exist

/// Commands to begin with, one per line.
std::span<const char* const> first_examples();

int run_verb(const Words& words);
int ensemble_verb(const Words& words);
int resume_verb(const Words& words);
int merge_verb(const Words& words);
int check_verb(const Words& words);
int show_verb(const Words& words);
int systems_verb(const Words& words);
int methods_verb(const Words& words);
int bench_verb(const Words& words);
int converge_verb(const Words& words);
int compare_verb(const Words& words);
int section_verb(const Words& words);
int reproduce_verb(const Words& words);

}  // namespace noslip::app

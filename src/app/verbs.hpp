// The verbs of the tool. Each takes what follows it on the command line and returns the exit code; mistakes of the user
// are thrown (InputError, FileError) and reported by main.
#pragma once

#include <string>
#include <vector>

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

#include "study.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "output.hpp"

namespace noslip::app {

quad chosen_end(Arguments& arguments) { return arguments.number("--until").value_or(0); }

StudyProgress study_progress(ProgressBar& bar) {
  return [&bar, is_first = true](const std::string& what, long long done, long long all) mutable {
    if (std::exchange(is_first, false)) note_first_step();
    bar.update(what, done, all);
    return remembered_signal() == 0;
  };
}

int exit_code_of_study(const Outcome& outcome, bool has_failures) {
  if (outcome.status == Status::interrupted && remembered_signal() != 0) return exit_signal + remembered_signal();
  return has_failures || outcome.status != Status::done ? exit_numerical_failure : exit_done;
}

std::string error_text(double error) { return number_text("{:.2e}", error); }

}  // namespace noslip::app

// Options that make no sense are refused, all of them at once.
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/option_name.hpp>
#include <noslip/run/limits.hpp>
#include <noslip/run/run.hpp>

namespace noslip {

void RunOptions::check() const {
  std::vector<Problem> problems;
  const auto refuse = [&](std::string what, std::string remedy) {
    problems.push_back({std::move(what), {}, std::move(remedy)});
  };
  if (!(step >= smallest_step_allowed && step <= largest_step_allowed)) {
    refuse(fmt::format("the step is {}", to_text(static_cast<double>(step))),
           fmt::format("give a number from {} to {}, for example {}", to_text(smallest_step_allowed),
                       to_text(largest_step_allowed), option("step", "0.1")));
  }
  if (std::isinf(static_cast<double>(until))) {
    refuse(fmt::format("the end time is {}", to_text(static_cast<double>(until))),
           "give a finite time, for example " + option("until", "100"));
  }
  if (steps < 0) {
    refuse(fmt::format("the number of steps is {}", steps),
           "give a positive number, for example " + option("steps", "1000"));
  }
  if (every < 0) {
    refuse(fmt::format("every {} steps cannot be stored", every),
           "give a positive number, for example " + option("every", "10"));
  }
  if (!std::isfinite(tolerance) || tolerance < 0 || tolerance >= 1) {
    refuse(fmt::format("the tolerance is {}", to_text(tolerance)), "give a number between 0 and 1, for example " +
                                                                       option("tolerance", "1e-6") +
                                                                       "; without it steps are solved to rounding");
  }
  if (looks_per_step < 1 || looks_per_step > most_looks_per_step) {
    refuse(fmt::format("a step cannot be looked at {} times", looks_per_step),
           fmt::format("give a number from 1 to {}", most_looks_per_step));
  }
  for (const quad asked : at) {
    const auto time = static_cast<double>(asked);
    if (!std::isfinite(time)) refuse(fmt::format("there is no state at time {}", to_text(time)), "give finite times");
  }
  for (const Event& event : events) {
    if (event.stop_after >= 0) continue;
    refuse(fmt::format("a run cannot stop at crossing {} of '{}'", event.stop_after, event.when),
           "count from 1, or give 0 to go on");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace noslip

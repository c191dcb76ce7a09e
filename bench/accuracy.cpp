// Time to reach an energy error of 1e-10 over the whole span of the test systems: the best method of noslip and the
// best program of Boost.odeint, in one run. With --markdown: the table of README.md.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <noslip/run/run.hpp>

#include "rivals.hpp"
#include "table.hpp"
#include "test_systems.hpp"

namespace {

constexpr double limit = 1e-10;

struct Best {
  std::string name;
  double seconds = 0, energy_error = 0;
};

Best best_method(const noslip::System& system, double span) {
  Best best;
  for (const std::string method : {"mp:4", "mp:6", "mp:8", "gauss:2", "gauss:3", "gauss:4", "gauss:5", "gauss:6",
                                   "gauss:8", "lobatto-ab:4", "lobatto-ab:5"}) {
    for (double step = 1.6; step > 0.004; step /= 1.05) {
      noslip::RunOptions options;
      options.method = method;
      options.steps = std::lround(span / step);
      options.step = span / static_cast<double>(options.steps);
      const noslip::Trajectory run = noslip::integrate(system, options);
      if (run.outcome.status != noslip::Status::done || !(run.energy.max_abs_error <= limit)) continue;
      const auto initial = system.initial_state(system.parameter_values());
      double nanoseconds = 1e300;
      for (int round = 0; round < 2; ++round) {
        nanoseconds = std::min(nanoseconds, noslip::bench(system, initial, options, 1).nanoseconds_per_step);
      }
      const double seconds = nanoseconds * 1e-9 * static_cast<double>(options.steps);
      if (best.seconds == 0 || seconds < best.seconds) {
        best = {fmt::format("{}, step {:.3g}", method, static_cast<double>(options.step)), seconds,
                run.energy.max_abs_error};
      }
      break;  // smaller steps cost more
    }
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const bool markdown = wants_markdown(argc, argv);
  if (markdown) {
    print_head({"system", "noslip", "us", "odeint", "us"});
  } else {
    fmt::print("{:<34}{:<28}{:>11}{:>11}   {:<32}{:>11}{:>11}{:>8}\n", "system", "noslip", "us", "error", "odeint",
               "us", "error", "ratio");
  }
  for (const TestSystem& test : test_systems()) {
    const Best ours = best_method(noslip::System::parse(test.toml), test.span);
    const RivalResult theirs = best_rival(test.which, test.span, limit);
    if (markdown) {
      print_row({test.name, ours.name, short_time(ours.seconds * 1e6), theirs.name, short_time(theirs.seconds * 1e6)});
    } else {
      fmt::print("{:<34}{:<28}{:>11.1f}{:>11.1e}   {:<32}{:>11.1f}{:>11.1e}{:>8.2f}\n", test.name, ours.name,
                 ours.seconds * 1e6, ours.energy_error, theirs.name, theirs.seconds * 1e6, theirs.energy_error,
                 ours.seconds / theirs.seconds);
    }
  }
}

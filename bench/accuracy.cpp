// Time to reach an energy error of 1e-10 over the whole span of the test systems: the best method of noslip and the
// best program of Boost.odeint, in one run. With --markdown: the table of README.md.
#include <string>

#include <fmt/format.h>

#include <noslip/run/run.hpp>

#include "best.hpp"
#include "rivals.hpp"
#include "table.hpp"
#include "test_systems.hpp"

namespace {

constexpr double limit = 1e-10;

Best best_method(const noslip::System& system, double span) {
  Best best;
  const auto error = [](const noslip::Trajectory& run) { return run.energy.max_abs_error; };
  for (const std::string method : {"mp:4", "mp:6", "mp:8", "gauss:2", "gauss:3", "gauss:4", "gauss:5", "gauss:6",
                                   "gauss:8", "lobatto-ab:4", "lobatto-ab:5"}) {
    try_method(system, method, span, {1.6, 0.004, 1.05}, limit, error, best);
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
    const std::string method = fmt::format("{}, step {:.3g}", ours.method, ours.setting);
    const RivalResult theirs = best_rival(test.which, test.span, limit);
    if (markdown) {
      print_row({test.name, method, short_time(ours.seconds * 1e6), theirs.name, short_time(theirs.seconds * 1e6)});
    } else {
      fmt::print("{:<34}{:<28}{:>11.1f}{:>11.1e}   {:<32}{:>11.1f}{:>11.1e}{:>8.2f}\n", test.name, method,
                 ours.seconds * 1e6, ours.error, theirs.name, theirs.seconds * 1e6, theirs.energy_error,
                 ours.seconds / theirs.seconds);
    }
  }
}

// Time to reach an energy error of 1e-10 over the whole span of P1 ... P4: the best method of noslip and the best
// program of Boost.odeint, in one run.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <noslip/run/run.hpp>

#include "rivals.hpp"

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
        best = {fmt::format("{}, step {:.3g}", method, static_cast<double>(options.step)), seconds, run.energy.max_abs_error};
      }
      break;  // smaller steps cost more
    }
  }
  return best;
}

}  // namespace

int main() {
  fmt::print("{:<8}{:<28}{:>11}{:>11}   {:<32}{:>11}{:>11}{:>8}\n", "system", "noslip", "us", "error", "odeint", "us",
             "error", "ratio");
  for (int problem = 1; problem <= 4; ++problem) {
    const auto system = noslip::System::load(fmt::format("{}/systems/P{}.toml", NOSLIP_PEERS, problem));
    const Best ours = best_method(system, time_span(problem));
    const RivalResult theirs = best_rival(problem, limit);
    fmt::print("P{:<7}{:<28}{:>11.1f}{:>11.1e}   {:<32}{:>11.1f}{:>11.1e}{:>8.2f}\n", problem, ours.name,
               ours.seconds * 1e6, ours.energy_error, theirs.name, theirs.seconds * 1e6, theirs.energy_error,
               ours.seconds / theirs.seconds);
  }
}

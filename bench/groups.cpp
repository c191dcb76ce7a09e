// ns per step of systems on Lie groups, minima of several rounds, beside the limits that were set for them.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/run/run.hpp>

namespace {

struct Row {
  const char* system;
  const char* method;
  double step, limit;  ///< limit in ns; 0: none was set
};

constexpr int rounds = 5;

}  // namespace

int main() {
  const Row rows[] = {
      {"turntable-ball", "nh-lobatto:2", 0.1, 1500}, {"turntable-ball", "nh-lobatto:3", 0.1, 4000},
      {"rattleback", "nh-lobatto:3", 0.1, 15000},    {"turntable-ball", "nh-lobatto:3,map=exp", 0.1, 0},
      {"turntable-ball", "gauss:2", 0.1, 0},         {"rattleback", "gauss:2", 0.1, 0},
      {"chaplygin-ball", "gauss:2", 0.1, 0},         {"heavy-top", "gauss:2", 0.1, 0},
      {"rolling-coin-so3", "gauss:2", 0.01, 0},      {"unicycle-spring", "nh-lobatto:3", 0.1, 0},
      {"chaplygin-ball", "gonzalez", 0.1, 0},        {"chaplygin-ball", "mp", 0.1, 0},
  };
  fmt::print("{:<18}{:<22}{:>8}{:>10}{:>8}{:>9}{:>9}\n", "system", "method", "step", "noslip", "iter", "8 lanes",
             "limit");
  for (const Row& row : rows) {
    const noslip::System system = noslip::catalogue_system(row.system);
    const noslip::InitialState start = system.initial_state(system.parameter_values());
    noslip::RunOptions options;
    options.method = row.method;
    options.step = row.step;
    options.steps = 1000;
    double one = 1e300, eight = 1e300, iterations = 0;
    for (int round = 0; round < rounds; ++round) {
      const noslip::BenchResult result = noslip::bench(system, start, options, 1);
      one = std::min(one, result.nanoseconds_per_step);
      iterations = result.iterations_mean;
      eight = std::min(eight, noslip::bench(system, start, options, 8).nanoseconds_per_step);
    }
    fmt::print("{:<18}{:<22}{:>8}{:>10.0f}{:>8.2f}{:>9.0f}{:>9}\n", row.system, row.method, row.step, one, iterations,
               eight, row.limit > 0 ? fmt::format("{:.0f}", row.limit) : "");
  }
}

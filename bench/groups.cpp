// ns per step of systems on Lie groups, minima of several rounds, beside the limits that were set for them. With
// --markdown: the table of docs/groups.md.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/run/run.hpp>

#include "table.hpp"

namespace {

struct Row {
  const char* system;
  const char* method;
  double step = 0.1;
  double limit = 0;  ///< in ns; 0: none was set
  bool in_documents = true;
};

constexpr int rounds = 5;

constexpr Row rows[] = {
    {.system = "turntable-ball", .method = "nh-lobatto:2", .limit = 1500},
    {.system = "turntable-ball", .method = "nh-lobatto:3", .limit = 4000},
    {.system = "turntable-ball", .method = "nh-lobatto:3,map=exp"},
    {.system = "turntable-ball", .method = "gauss:2"},
    {.system = "chaplygin-ball", .method = "gauss:2"},
    {.system = "chaplygin-ball", .method = "gonzalez"},
    {.system = "chaplygin-ball", .method = "mp", .in_documents = false},
    {.system = "rattleback", .method = "nh-lobatto:3", .limit = 15000},
    {.system = "rattleback", .method = "gauss:2"},
    {.system = "heavy-top", .method = "gauss:2", .in_documents = false},
    {.system = "rolling-coin-so3", .method = "gauss:2", .step = 0.01, .in_documents = false},
    {.system = "unicycle-spring", .method = "nh-lobatto:3", .in_documents = false},
};

}  // namespace

int main(int argc, char** argv) {
  const bool markdown = wants_markdown(argc, argv);
  if (markdown) {
    print_head({"system", "method", "step", "ns", "8 lanes, each"});
  } else {
    fmt::print("{:<18}{:<22}{:>8}{:>10}{:>8}{:>9}{:>9}\n", "system", "method", "step", "noslip", "iter", "8 lanes",
               "limit");
  }
  for (const Row& row : rows) {
    if (markdown && !row.in_documents) continue;
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
    if (markdown) {
      print_row({row.system, fmt::format("`{}`", row.method), fmt::format("{}", row.step), short_time(one),
                 short_time(eight)});
    } else {
      fmt::print("{:<18}{:<22}{:>8}{:>10.0f}{:>8.2f}{:>9.0f}{:>9}\n", row.system, row.method, row.step, one, iterations,
                 eight, row.limit > 0 ? fmt::format("{:.0f}", row.limit) : "");
    }
  }
}

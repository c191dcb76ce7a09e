// Trajectories per second of ensembles, on one and two threads: beside a program by hand, and beside runs in a loop.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <noslip/noslip.hpp>

#include "lanes_by_hand.hpp"
#include "table.hpp"
#include "timing.hpp"

namespace {

constexpr double budget = 1;  ///< seconds of each measurement

struct Case {
  std::string name;
  noslip::System system;
  noslip::RunOptions run;
  noslip::GridAxis varied;
};

double together(const Case& one, int threads) {
  const auto members = noslip::grid_members({one.varied});
  noslip::EnsembleOptions options;
  options.run = one.run;
  options.threads = threads;
  const double seconds =
      shortest_seconds([&] { noslip::integrate_ensemble(one.system, *members, options); }, 3, budget);
  return static_cast<double>(one.varied.count) / seconds;
}

/// Members by integrate, one after the other.
double one_by_one(const Case& one, int count) {
  const auto members = noslip::grid_members({one.varied});
  const double seconds = shortest_seconds(
      [&] {
        for (int i = 0; i < count; ++i) {
          double value = 0;
          members->read(static_cast<std::size_t>(i), 1, &value);
          noslip::RunOptions run = one.run;
          const auto& parameters = one.system.parameters();
          const bool is_parameter = std::any_of(parameters.begin(), parameters.end(),
                                                [&](const auto& other) { return other.name == one.varied.name; });
          (is_parameter ? run.set : run.init)[one.varied.name] = value;
          noslip::integrate(one.system, run);
        }
      },
      3, budget);
  return count / seconds;
}

std::string rate(double per_second) { return fmt::format("{:.0f}", per_second); }

void print(const Case& one, int compared, double by_hand) {
  const double single = together(one, 1), twice = together(one, 2), alone = one_by_one(one, compared);
  print_row({one.name, "`" + one.run.method + "`", rate(single), fmt::format("{:.2f}", twice / single), rate(alone),
             fmt::format("{:.1f}", single / alone), by_hand > 0 ? rate(by_hand) : "",
             by_hand > 0 ? fmt::format("{:.2f}", single / by_hand) : ""});
}

}  // namespace

int main(int argc, char** argv) {
  wants_markdown(argc, argv);
  print_head({"members", "method", "per second", "2 threads", "`integrate`, per second", "ratio", "by hand, per second",
              "ratio"});
  const noslip::System chaotic = noslip::catalogue_system("chaotic");
  const double h = 0.05;
  const long steps = 1000;
  for (const std::string method : {"mp", "mp,sums=plain"}) {
    const noslip::RunOptions run{.method = method, .step = h, .steps = steps};
    const double by_hand = hand_tuned_trajectories_per_second(method == "mp", h, steps);
    print({"`chaotic`, x varies", chaotic, run, {"x", 0.1, 0.9, 100000}}, 2000, by_hand);
    noslip::RunOptions with_family = run;
    with_family.set = {{"J", 99999}};
    print({"`chaotic`, j varies", chaotic, with_family, {"j", 0, 99999, 100000}}, 2000, by_hand);
  }
  const noslip::System bicycle = noslip::catalogue_system("bicycle");
  const noslip::RunOptions run{.method = "gauss:2", .step = 0.01, .steps = 1000};
  print({"`bicycle`, v0 varies", bicycle, run, {"v0", 4.5, 5.5, 4096}}, 200, 0);
}

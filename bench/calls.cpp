// What it costs to hold a compiled step: many steps in one call, one call per step, one call per step with an input
// that changes before it, and whole runs of ten steps in a loop over a parameter.
#include <string>

#include <fmt/format.h>

#include <noslip/run/run.hpp>
#include <noslip/run/stepper.hpp>

#include "table.hpp"
#include "test_systems.hpp"
#include "timing.hpp"

namespace {

constexpr double h = 0.1;
constexpr int rounds = 200;
constexpr int steps_per_round = 1000;
constexpr int runs_per_round = 50;

/// The test system with an input that pushes its first coordinate, and a parameter to vary.
struct Driven {
  noslip::System system;
  std::string parameter;

  explicit Driven(const TestSystem& test) : system(noslip::System::parse(test.toml)) {
    const std::string first = system.coordinates().front();
    std::string text = test.toml + "\n[inputs]\nu = 0\n[forces]\n" + first + " = \"u\"\n";
    if (system.parameters().empty()) {
      text += "[parameters]\nc = 1\n";
      parameter = "c";
    } else {
      parameter = system.parameters().front().name;
    }
    system = noslip::System::parse(text);
  }
};

/// ns per step of `move`, which makes so many; every round starts from the initial state.
template <class Move>
double nanoseconds(noslip::Stepper<double>& stepper, Move move) {
  const std::vector<double> q(stepper.q().begin(), stepper.q().end()), v(stepper.v().begin(), stepper.v().end());
  const double seconds = shortest_seconds(
      [&] {
        stepper.set_state(0, q, v);
        move();
      },
      rounds);
  return 1e9 * seconds / steps_per_round;
}

void print(const TestSystem& test, const std::string& method) {
  const Driven driven(test);
  noslip::Stepper stepper(noslip::Program(driven.system, {.method = method}), h);
  const double many = nanoseconds(stepper, [&] { stepper.advance(steps_per_round); });
  const double single = nanoseconds(stepper, [&] {
    for (int i = 0; i < steps_per_round; ++i) stepper.step();
  });
  const double controlled = nanoseconds(stepper, [&] {
    for (int i = 0; i < steps_per_round; ++i) {
      stepper.set_input(0, 1e-3 * stepper.v()[0]);
      stepper.step();
    }
  });
  noslip::RunOptions options{.method = method, .step = h, .steps = 10};
  const double runs = shortest_seconds(
                          [&] {
                            for (int i = 0; i < runs_per_round; ++i) {
                              options.set = {{driven.parameter, 1 + 1e-3 * i}};
                              noslip::integrate(driven.system, options);
                            }
                          },
                          rounds) /
                      runs_per_round;
  fmt::print("{:<34}{:<10}{:>10.1f}{:>10.1f}{:>12.1f}{:>16.2f}\n", test.name, method, many, single, controlled,
             1e6 * runs);
}

}  // namespace

int main() {
  fmt::print("{:<34}{:<10}{:>10}{:>10}{:>12}{:>16}\n", "system", "method", "advance", "step", "with input",
             "10 steps (us)");
  for (const TestSystem& test : test_systems()) {
    for (const std::string method : {"mp", "gauss:2"}) print(test, method);
  }
}

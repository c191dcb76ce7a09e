// ns per step of the test systems beside the hand-tuned programs of the same methods, in one run, and of
// energy-preserving methods beside Gauss methods of the same order. All sides are measured in turns and the minima are
// compared, since the machine may be noisy. With --markdown: the table of README.md.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <noslip/run/run.hpp>

#include "hand_tuned.hpp"
#include "table.hpp"
#include "test_systems.hpp"

namespace {

constexpr double h = 0.1;
constexpr int rounds = 3;

/// The side of noslip: minima over the rounds so far.
class Ours {
 public:
  Ours(const noslip::System& system, const std::string& method, long steps, int lanes,
       noslip::Backend backend = noslip::Backend::automatic)
      : system_(system), initial_(system.initial_state(system.parameter_values())), lanes_(lanes) {
    options_.method = method;
    options_.step = h;
    options_.steps = steps;
    options_.backend = backend;
  }
  void measure() {
    const noslip::BenchResult result = noslip::bench(system_, initial_, options_, lanes_);
    nanoseconds = std::min(nanoseconds, result.nanoseconds_per_step);
    iterations = result.iterations_mean;
  }
  double nanoseconds = 1e300, iterations = 0;

 private:
  const noslip::System& system_;
  noslip::InitialState initial_;
  noslip::RunOptions options_;
  int lanes_;
};

/// As long as the whole time span.
long steps_of(const TestSystem& test) { return std::lround(test.span / h); }

void print_for_documents() {
  print_head({"system", "method", "hand-tuned", "noslip", "8 lanes, per trajectory"});
  for (const TestSystem& test : test_systems()) {
    const auto system = noslip::System::parse(test.toml);
    std::string name = test.name;
    for (const std::string method : {"gauss:2", "gauss:3", "mp", "mp:8"}) {
      double hand = 1e300;
      Ours one(system, method, steps_of(test), 1), eight(system, method, steps_of(test), 8);
      for (int round = 0; round < rounds; ++round) {
        hand = std::min(hand, hand_tuned_nanoseconds(test.which, method, h, steps_of(test)));
        one.measure();
        eight.measure();
      }
      print_row({name, method, short_time(hand), short_time(one.nanoseconds), short_time(eight.nanoseconds)});
      name.clear();
    }
  }
}

/// A method of noslip, and the hand-tuned program that it is compared with.
struct Comparison {
  std::string method, beside;
};

void print_beside_hand_tuned() {
  static const Comparison comparisons[] = {
      {"gauss:2", "gauss:2"}, {"gauss:3", "gauss:3"}, {"mp", "mp"},     {"mp,sums=plain", "mp"}, {"mp", compensated_mp},
      {"mp:4", "mp:4"},       {"mp:6", "mp:6"},       {"mp:8", "mp:8"},
  };
  fmt::print("{:<34}{:<15}{:<16}{:>11}{:>9}{:>8}{:>7}{:>9}{:>8}{:>9}{:>8}{:>12}{:>9}\n", "system", "method", "beside",
             "hand-tuned", "noslip", "ratio", "iter", "4 lanes", "of one", "8 lanes", "of one", "interpreter",
             "of jit");
  for (const TestSystem& test : test_systems()) {
    const auto system = noslip::System::parse(test.toml);
    const long steps = steps_of(test);
    for (const auto& [method, beside] : comparisons) {
      double hand = 1e300;
      Ours one(system, method, steps, 1), four(system, method, steps, 4), eight(system, method, steps, 8);
      Ours interpreted(system, method, steps, 1, noslip::Backend::interpreter);
      for (int round = 0; round < rounds; ++round) {
        hand = std::min(hand, hand_tuned_nanoseconds(test.which, beside, h, steps));
        for (Ours* side : {&one, &four, &eight, &interpreted}) side->measure();
      }
      fmt::print(
          "{:<34}{:<15}{:<16}{:>11.1f}{:>9.1f}{:>8.2f}{:>7.2f}{:>9.1f}{:>8.2f}{:>9.1f}{:>8.2f}{:>12.1f}{:>9.2f}\n",
          test.name, method, beside, hand, one.nanoseconds, one.nanoseconds / hand, one.iterations, four.nanoseconds,
          four.nanoseconds / one.nanoseconds, eight.nanoseconds, eight.nanoseconds / one.nanoseconds,
          interpreted.nanoseconds, interpreted.nanoseconds / one.nanoseconds);
    }
  }
}

void print_energy_preserving() {
  fmt::print("{:<34}{:<10}{:>10}{:<3}{:<9}{:>9}{:>8}{:>7}\n", "system", "method", "noslip", "", "beside", "noslip",
             "ratio", "iter");
  for (const TestSystem& test : test_systems()) {
    const auto system = noslip::System::parse(test.toml);
    for (const auto& [method, beside] : {std::pair<std::string, std::string>{"gonzalez", "gauss:1"},
                                         {"avf", "gauss:1"},
                                         {"itoh-abe", "gauss:1"},
                                         {"energy:2", "gauss:2"},
                                         {"energy:3", "gauss:3"}}) {
      Ours preserving(system, method, steps_of(test), 1), gauss(system, beside, steps_of(test), 1);
      for (int round = 0; round < rounds; ++round) {
        preserving.measure();
        gauss.measure();
      }
      fmt::print("{:<34}{:<10}{:>10.1f}{:<3}{:<9}{:>9.1f}{:>8.2f}{:>7.2f}\n", test.name, method, preserving.nanoseconds,
                 "", beside, gauss.nanoseconds, preserving.nanoseconds / gauss.nanoseconds, preserving.iterations);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (wants_markdown(argc, argv)) {
    print_for_documents();
    return 0;
  }
  print_beside_hand_tuned();
  fmt::print("\n");
  print_energy_preserving();
}

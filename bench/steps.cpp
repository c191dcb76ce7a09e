// ns per step on P1 ... P4 beside the hand-tuned programs of the same methods, in one run, and of energy-preserving
// methods beside Gauss methods of the same order. All sides are measured in turns and the minima are compared, since
// the machine may be noisy.
#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include <noslip/run/run.hpp>

#include "hand_tuned.hpp"

namespace {

constexpr double h = 0.1;
constexpr int rounds = 3;

double measure(const noslip::System& system, const std::string& method, int lanes, noslip::Backend backend,
               double& iterations) {
  noslip::RunOptions options;
  options.method = method;
  options.step = h;
  options.backend = backend;
  const auto parameters = system.parameter_values();
  // As long as the hand-tuned runs.
  static const std::map<char, long long> steps = {{'1', 2500}, {'2', 1000}, {'3', 500}, {'4', 1000}};
  options.steps = steps.at(system.name()[1]);
  const noslip::BenchResult result = noslip::bench(system, system.initial_state(parameters), options, lanes);
  iterations = result.iterations_mean;
  return result.nanoseconds_per_step;
}

}  // namespace

int main() {
  fmt::print("{:<10}{:<9}{:>11}{:>9}{:>8}{:>7}{:>9}{:>8}{:>9}{:>8}{:>12}{:>9}\n", "system", "method", "hand-tuned",
             "noslip", "ratio", "iter", "4 lanes", "of one", "8 lanes", "of one", "interpreter", "of jit");
  for (int problem = 1; problem <= 4; ++problem) {
    const auto system = noslip::System::load(fmt::format("{}/systems/P{}.toml", NOSLIP_PEERS, problem));
    for (const std::string method : {"gauss:2", "gauss:3", "mp", "mp:4", "mp:6", "mp:8"}) {
      double hand = 1e300, one = 1e300, four = 1e300, eight = 1e300, interpreted = 1e300, iterations = 0, unused = 0;
      for (int round = 0; round < rounds; ++round) {
        using noslip::Backend;
        hand = std::min(hand, hand_tuned_nanoseconds(problem, method, h));
        one = std::min(one, measure(system, method, 1, Backend::automatic, iterations));
        four = std::min(four, measure(system, method, 4, Backend::automatic, unused));
        eight = std::min(eight, measure(system, method, 8, Backend::automatic, unused));
        interpreted = std::min(interpreted, measure(system, method, 1, Backend::interpreter, unused));
      }
      fmt::print("P{:<9}{:<9}{:>11.1f}{:>9.1f}{:>8.2f}{:>7.2f}{:>9.1f}{:>8.2f}{:>9.1f}{:>8.2f}{:>12.1f}{:>9.2f}\n",
                 problem, method, hand, one, one / hand, iterations, four, four / one, eight, eight / one, interpreted,
                 interpreted / one);
    }
  }
  fmt::print("\n{:<10}{:<10}{:>10}{:<3}{:<9}{:>9}{:>8}{:>7}\n", "system", "method", "noslip", "", "beside", "noslip",
             "ratio", "iter");
  for (int problem = 1; problem <= 4; ++problem) {
    const auto system = noslip::System::load(fmt::format("{}/systems/P{}.toml", NOSLIP_PEERS, problem));
    for (const auto& [method, beside] : {std::pair<std::string, std::string>{"gonzalez", "gauss:1"},
                                         {"avf", "gauss:1"},
                                         {"itoh-abe", "gauss:1"},
                                         {"energy:2", "gauss:2"},
                                         {"energy:3", "gauss:3"}}) {
      double ours = 1e300, theirs = 1e300, iterations = 0, unused = 0;
      for (int round = 0; round < rounds; ++round) {
        ours = std::min(ours, measure(system, method, 1, noslip::Backend::automatic, iterations));
        theirs = std::min(theirs, measure(system, beside, 1, noslip::Backend::automatic, unused));
      }
      fmt::print("P{:<9}{:<10}{:>10.1f}{:<3}{:<9}{:>9.1f}{:>8.2f}{:>7.2f}\n", problem, method, ours, "", beside, theirs,
                 ours / theirs, iterations);
    }
  }
}

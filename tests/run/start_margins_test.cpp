// The check of starts in lanes says what the one of single states says.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "run/lane_systems.hpp"
#include "run/program_data.hpp"
#include "run/start_margins.hpp"

namespace noslip {
namespace {

/// A state and parameters, as both checks want them.
struct Asked {
  double t;
  std::vector<double> state, parameters;
};

bool all_good(const Function<double>& margins, const Asked& asked) {
  const Evaluation<double> at = margins({asked.t, asked.state, asked.parameters});
  return std::all_of(at.output(0).begin(), at.output(0).end(), [](double margin) { return margin >= 0; });
}

/// Onto the constraints, if that is possible from there.
void project(const Continuous& continuous, const System& system, Asked& asked) {
  const auto middle = asked.state.begin() + static_cast<std::ptrdiff_t>(system.q().size());
  try {
    const InitialState found = continuous.project({asked.t, {asked.state.begin(), middle}, {middle, asked.state.end()}, {}});
    asked.state = found.q;
    asked.state.insert(asked.state.end(), found.v.begin(), found.v.end());
  } catch (const InputError&) {
  }
}

TEST(StartMargins, AgreeWithTheCheckOfOneState) {
  int systems = 0, good = 0, bad = 0;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const System& system : testing::lane_systems()) {
    StartConditions conditions(system);
    const std::vector<Expr> values = start_margins(system, conditions);
    if (values.empty()) continue;
    SCOPED_TRACE(system.name());
    ++systems;
    std::vector<Expr> state = system.q();
    state.insert(state.end(), system.v().begin(), system.v().end());
    std::vector<Expr> constants;
    for (const Parameter& one : system.step_constants()) constants.push_back(one.symbol);
    const Function<double> margins({{system.t()}, state, constants}, {values});

    const StartFunctions<double> functions(system);
    StartCheck<double> check(functions);
    const Continuous continuous(system, system.parameter_values({}));
    MotionSolver<double> solver(continuous.equations<double>());
    std::vector<double> accelerations(system.v().size()), multipliers(system.multiplier_names().size());
    const Asked start{0, {}, system.parameter_values({})};
    const InitialState given = system.initial_state(start.parameters);
    for (int i = 0; i < 120; ++i) {
      Asked asked = start;
      asked.t = given.t;
      const double reach = i == 0 ? 0 : std::pow(10.0, -17 + 0.17 * i);
      for (const auto* numbers : {&given.q, &given.v}) {
        for (const double value : *numbers) asked.state.push_back(value + reach * unit(random) * (1 + std::fabs(value)));
      }
      if (i % 2 == 0) project(continuous, system, asked);
      if (i % 10 == 9) asked.state[random() % asked.state.size()] = std::numeric_limits<double>::quiet_NaN();
      solver.set_parameters(asked.parameters);
      const bool expected =
          check.is_certain(solver, asked.t, asked.state, asked.parameters, false, accelerations, multipliers);
      EXPECT_EQ(all_good(margins, asked), expected) << "reach " << reach << ", " << i;
      ++(expected ? good : bad);
    }
  }
  EXPECT_EQ(systems, 10);
  EXPECT_GT(good, 20 * systems);
  EXPECT_GT(bad, 20 * systems);
}

}  // namespace
}  // namespace noslip

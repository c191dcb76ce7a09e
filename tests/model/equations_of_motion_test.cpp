// The equations of motion in the precision of a run, for systems whose equations are not linear in the multipliers or
// whose momenta are part of the state.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/model/continuous.hpp>

#include "model/equations_of_motion.hpp"
#include "support/overdetermined.hpp"

namespace noslip {
namespace {

template <class T>
void expect_as_continuous(const System& system, double tolerance) {
  const std::vector<double> parameters = system.parameter_values();
  const InitialState start = system.initial_state(parameters);
  std::vector<Problem> problems;
  const ContinuousState expected = Continuous(system, parameters).evaluate(start, problems);
  ASSERT_TRUE(problems.empty());
  std::vector<T> state;
  for (const auto& values : {start.q, start.v, start.z}) state.insert(state.end(), values.begin(), values.end());
  std::vector<T> accelerations(expected.accelerations.size()), multipliers(expected.multipliers.size());
  const Offers& offers = system.offers();
  if (offers.multiplier_variables && !offers.given_multipliers) multipliers.assign(start.z.begin(), start.z.end());
  MotionSolver<T> solver(EquationsOfMotion<T>(system), std::vector<T>(parameters.begin(), parameters.end()));
  ASSERT_TRUE(solver.solve(T(start.t), state, accelerations, multipliers));
  for (std::size_t i = 0; i < accelerations.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(accelerations[i]), expected.accelerations[i], tolerance);
  }
  for (std::size_t i = 0; i < multipliers.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(multipliers[i]), expected.multipliers[i], tolerance);
  }
}

TEST(EquationsOfMotion, ImplicitMomenta) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    hamiltonian = "sqrt(m^2 + p(x)^2 + p(y)^2) + x*y"
    constraints = ["y' = x*x' + p(x)/10"]
    [parameters]
    m = 0.7
    [initial]
    q = [0.3, 0.2]
    p = [0.5, 0.2]
  )toml");
  expect_as_continuous<double>(system, 1e-13);
  expect_as_continuous<quad>(system, 1e-13);
}

TEST(EquationsOfMotion, NonidealReactions) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2 + theta'^2)/2 - y"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [nonideal]
    x = "-abs(psi(1))/3 + psi(1)^2/10"
    [initial]
    q = [0, 0, 0.5]
    v = { theta = 1 }
  )toml");
  expect_as_continuous<double>(system, 1e-14);
  expect_as_continuous<quad>(system, 1e-14);
}

TEST(EquationsOfMotion, OverdeterminedSystems) {
  const System system = System::parse(testing::jay_problem);
  expect_as_continuous<double>(system, 1e-14);
  expect_as_continuous<quad>(system, 1e-14);
  // lambda^2 + lambda = 2
  MotionSolver<quad> solver(EquationsOfMotion<quad>(system), {});
  std::vector<quad> accelerations(2), multipliers{-3};
  ASSERT_TRUE(solver.solve(0, std::vector<quad>{1, 1, 1, 1}, accelerations, multipliers));
  EXPECT_LT(std::fabs(static_cast<double>(multipliers[0] + 2)), 1e-30);
}

TEST(EquationsOfMotion, HasAllDigits) {
  const System skate = System::parse(R"toml(
    coordinates = ["x", "y", "phi"]
    lagrangian  = "(x'^2 + y'^2 + phi'^2)/2 + x"
    constraints = ["cos(phi)*y' = sin(phi)*x'"]
    [initial]
    v = [0, 0, 1]
  )toml");
  // On this solution the multiplier is 2 sin(t).
  const long double t = 0.7L, c = std::cos(t), s = std::sin(t);
  const std::vector<quad> state = {s * s / 2, t / 2 - s * c / 2, t, s * c, s * s, 1};
  std::vector<quad> accelerations(3), multipliers(1);
  MotionSolver<quad> solver(EquationsOfMotion<quad>(skate), {});
  ASSERT_TRUE(solver.solve(t, state, accelerations, multipliers));
  EXPECT_LT(std::fabs(static_cast<double>(multipliers[0] - 2 * s)), 1e-18);
  EXPECT_LT(std::fabs(static_cast<double>(accelerations[2])), 1e-30);
}

}  // namespace
}  // namespace noslip

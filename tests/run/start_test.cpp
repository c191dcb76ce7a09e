// Starts of runs: singular ones are refused whatever the method, ill-conditioned ones are announced.
#include <gtest/gtest.h>

#include "run/help.hpp"
#include "run/setup.hpp"

namespace noslip::testing {
namespace {

/// Two constraints that are d apart (`apart`: as they are).
System nearly_dependent(const std::string& d, bool apart = false) {
  const std::string first = "x'*cos(z) + y'*sin(z)", second = "z' - x*y'";
  return System::parse(
      "coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2 - x^2/2 - y - z*x\"\n"
      "constraints = [\"" +
      first + " = 0\", \"" + (apart ? second : first + " + " + d + "*(" + second + ")") +
      " = 0\"]\n[initial]\nq = [1, 0.3, 0.7]");
}

TEST(Start, SingularEquationsAreRefusedByAllMethods) {
  const System system = System::parse(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 - y'^2)/2 - x^2/2\"\nconstraints = [\"x' = y'\"]\n[initial]\n"
      "q = [1, 0]");
  for (const std::string method : {"gauss:2", "mp", "cm", "lobatto-ab:3", "nh-lobatto:3", "gonzalez"}) {
    const std::string message = refusal([&] { integrate(system, {.method = method, .step = 0.1, .until = 1}); });
    EXPECT_NE(message.find("the equations of motion are singular at the initial state"), std::string::npos)
        << method << ": " << message;
  }
}

TEST(Start, ConstraintsThatAreNearlyDependentAreAnnounced) {
  const RunOptions options{.method = "gauss:2", .step = 0.01, .until = 0.1};
  const Trajectory apart = integrate(nearly_dependent("", true), options);
  EXPECT_TRUE(apart.warnings.empty());
  const Trajectory near = integrate(nearly_dependent("1e-6"), options);
  ASSERT_EQ(near.warnings.size(), 1U);
  EXPECT_EQ(near.warnings[0].code, "condition");
  EXPECT_NE(near.warnings[0].message.find("nearly depends on constraint 1"), std::string::npos);
  EXPECT_EQ(near.outcome.status, Status::done);
  RunOptions more = options;
  more.precision = Precision::quadruple;
  EXPECT_TRUE(integrate(nearly_dependent("1e-6"), more).warnings.empty());
}

TEST(Start, StartAndEndAgreeOnTheRank) {
  // What the start accepts has multipliers at the end.
  for (const std::string d : {"1e-4", "1e-6", "1e-7"}) {
    for (const std::string method : {"gauss:2", "mp", "lobatto-ab:3"}) {
      const Trajectory run = integrate(nearly_dependent(d), {.method = method, .step = 1e-3, .steps = 1});
      const Trajectory apart = integrate(nearly_dependent("", true), {.method = method, .step = 1e-3, .steps = 1});
      ASSERT_EQ(run.last.multipliers.size(), 2U);
      for (const double multiplier : run.last.multipliers) EXPECT_TRUE(std::isfinite(multiplier)) << method << d;
      if (run.outcome.status != Status::done) continue;
      EXPECT_NEAR(run.last.multipliers[1] * std::stod(d) / apart.last.multipliers[1], 1, 1e-2) << method << d;
    }
  }
}

TEST(Start, UnitsAreNoReasonForAWarning) {
  const System system = System::parse(
      "coordinates = ['x', 'y', 'theta']\nlagrangian = \"1e-25*(x'^2 + y'^2) + 1e-13*theta'^2\"\n"
      "constraints = [\"1e12*y'*cos(theta) = 1e12*x'*sin(theta)\"]\n[initial]\nv = [1e6, 0, 1]");
  const Trajectory run = integrate(system, {.method = "gauss:2", .step = 0.01, .steps = 10});
  EXPECT_TRUE(run.warnings.empty());
  EXPECT_EQ(run.outcome.status, Status::done);
}

TEST(Start, FirstStepsSolveTheEquationsOfMotionOncePerState) {
  const System system = System::parse(
      "coordinates = ['x', 'y', 'phi']\nlagrangian = \"(x'^2 + y'^2 + phi'^2)/2 - g*y\"\n"
      "constraints = [\"cos(phi)*y' - sin(phi)*x' = phi'\"]\n[parameters]\ng = 0.1\n[initial]\nq = [2, 0, 0]");
  const RunSetup<double> setup(system, nullptr, options("mp", 0.1, 1), 1);
  const ContinuousProblem<double> problem = setup.program->problem();
  int solved = 0;
  LaneStepper<double> stepper(setup.program->steps, [&](double t, auto state, auto parameters, auto a, auto lambda) {
    ++solved;
    problem(t, state, parameters, a, lambda);
  });
  std::vector<double> state = setup.start.state, parameters = setup.start.parameters;
  // Each time a stepper that knows nothing does the same.
  const auto solved_after_step = [&](double t, double h) {
    LaneStepper<double> other(setup.program->steps, problem);
    std::vector<double> ends[2];
    for (LaneStepper<double>* each : {&stepper, &other}) {
      each->set_parameters(parameters);
      each->set_state(0, state);
      EXPECT_TRUE(each->step(t, h));
      std::vector<double>& end = ends[each == &other ? 1 : 0];
      end.resize(state.size());
      each->copy_state(0, end);
    }
    EXPECT_EQ(ends[0], ends[1]);
    return solved;
  };
  EXPECT_EQ(solved_after_step(0, 0.1), 1);
  EXPECT_EQ(solved_after_step(0, 0.1), 1);
  EXPECT_EQ(solved_after_step(0, 0.05), 1);
  EXPECT_EQ(solved_after_step(0.1, 0.05), 2);
  state[1] = -0.0;  // no other number, but another sign
  EXPECT_EQ(solved_after_step(0.1, 0.05), 3);
  parameters[0] = 0.2;
  EXPECT_EQ(solved_after_step(0.1, 0.05), 4);
  std::vector<double> a(3), lambda(1);
  problem(0.3, state, parameters, a, lambda);
  stepper.know(0.3, state, parameters, a, lambda);
  EXPECT_EQ(solved_after_step(0.3, 0.1), 4);
}

}  // namespace
}  // namespace noslip::testing

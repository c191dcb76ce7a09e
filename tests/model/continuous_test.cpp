// The continuous problem: accelerations, multipliers, what makes it singular, projection.
#include <cmath>

#include "model/help.hpp"

namespace noslip::test {
namespace {

struct Trial {
  System system;
  std::vector<double> parameters;
  InitialState state;
  Continuous continuous;

  explicit Trial(const std::string& toml, const std::map<std::string, double>& settings = {})
      : system(System::parse(toml)),
        parameters(system.parameter_values(settings)),
        state(system.initial_state(parameters)),
        continuous(system, parameters) {}

  ContinuousState evaluate() const {
    std::vector<Problem> problems;
    ContinuousState result = continuous.evaluate(state, problems);
    EXPECT_TRUE(problems.empty());
    return result;
  }
  std::string message() const {
    return refusal([&] { continuous.require_consistent(state); });
  }
};

std::string two_masses(const std::string& rest) {
  return "coordinates = [\"x\", \"y\", \"z\"]\nlagrangian = \"x'^2/2 + 2*y'^2 + z'^2/2 + x'*y' - y\"\n" + rest;
}

TEST(Continuous, SleighFromRest) {
  const Trial sleigh(sleigh_text);
  const ContinuousState state = sleigh.evaluate();
  EXPECT_EQ(state.multipliers, std::vector<double>{0.05});  // 1/20
  EXPECT_DOUBLE_EQ(state.accelerations[0], 0);
  EXPECT_DOUBLE_EQ(state.accelerations[1], 0);
  EXPECT_DOUBLE_EQ(state.accelerations[2], -0.05);  // 2 a = -g
  EXPECT_EQ(state.energy, 0);
  EXPECT_EQ(state.max_constraint, 0);
  EXPECT_EQ(sleigh.message(), "");
}

TEST(Continuous, SleighInMotionAgainstHilden2009) {
  const std::map<std::string, double> settings = {{"m", 0.001}, {"a", 0.04}, {"J", 0.01}, {"g", 9.8}};
  Trial sleigh(sleigh_text, settings);
  const double theta = 0.2, speed = 1.7, w = -0.9;
  sleigh.state.q = {1, 0, theta};
  sleigh.state.v = {speed * std::cos(theta), speed * std::sin(theta), w};
  EXPECT_EQ(sleigh.message(), "");
  // (a^2/I + 1/m) lambda = g cos + v_x w cos + v_y w sin
  const double lambda = (9.8 * std::cos(theta) + speed * w) / (0.04 * 0.04 / 0.01 + 1 / 0.001);
  EXPECT_NEAR(sleigh.evaluate().multipliers[0], lambda, 1e-16);
}

TEST(Continuous, SignOfTheMultiplier) {
  // Pendulum-like: x is held at rest against the force 1, so the reaction on x is -1 and K = (1, 0).
  const Trial held("coordinates = ['x', 'y']\nlagrangian = \"x'^2/2 + y'^2/2 + x\"\nconstraints = [\"x' = 0\"]");
  EXPECT_EQ(held.evaluate().multipliers[0], -1);
}

TEST(Continuous, WithoutConstraints) {
  const Trial fall("coordinates = ['x']\nlagrangian = \"m*x'^2/2 - m*9.81*x\"\n[parameters]\nm = 3");
  EXPECT_DOUBLE_EQ(fall.evaluate().accelerations[0], -9.81);
  EXPECT_TRUE(fall.evaluate().multipliers.empty());
  EXPECT_EQ(fall.message(), "");
}

TEST(Continuous, AcrossTwentyOrdersOfMagnitude) {
  const Trial scaled(
      "coordinates = ['x', 'y']\nlagrangian = \"1e-10*x'^2/2 + 1e10*y'^2/2 - 1e-10*x\"\n"
      "constraints = [\"1e8*x' = 1e8*y'\"]");
  EXPECT_DOUBLE_EQ(scaled.evaluate().accelerations[0], -1e-10 / (1e-10 + 1e10));
}

TEST(Continuous, ViolatedConstraintSaysByHowMuch) {
  Trial sleigh(sleigh_text);
  sleigh.state.v = {0, 0.25, 0};
  EXPECT_EQ(sleigh.message(),
            "constraint 'y'*cos(theta) = x'*sin(theta)' is violated by 0.25 at the initial state\n"
            "  give consistent velocities, or use `project` to take the nearest ones");
  sleigh.state.v = {0, 1e-12, 0};
  EXPECT_TRUE(contains(sleigh.message(), "is violated by 1e-12"));
  // Rounding is no violation, also when the velocities are large.
  const double theta = 0.7, speed = 1e9;
  sleigh.state.q[2] = theta;
  sleigh.state.v = {speed * std::cos(theta), speed * std::sin(theta), 1};
  EXPECT_EQ(sleigh.message(), "");
  sleigh.state.v[1] += 1e-4;
  EXPECT_TRUE(contains(sleigh.message(), "is violated by"));
}

TEST(Continuous, DependentConstraintsAreNamed) {
  const Trial three(two_masses("constraints = [\"x' = 0\", \"y' = 0\", \"3*x' = y'\"]"));
  EXPECT_EQ(three.message(),
            "constraint 3 '3*x' = y'' depends on constraints 1 and 2 at the initial state (rank 2 of 3)\n"
            "  remove it, or start where the constraints are independent");
  const Trial pair(two_masses("constraints = [\"z' = 0\", \"x' = y*z'\", \"2*x' = y\"]"));
  EXPECT_EQ(pair.message(),
            "constraint 3 '2*x' = y' depends on constraint 2 at the initial state (rank 2 of 3)\n"
            "  remove it, or start where the constraints are independent");
  const Trial none(two_masses("constraints = [\"x*z' = 0\", \"x' = 0\"]"));
  EXPECT_EQ(none.message(),
            "constraint 1 'x*z' = 0' does not restrict the velocities at the initial state (rank 1 of 2)\n"
            "  remove it, or start where the constraints are independent");
  // Dependent to rounding only: cos(pi/2) is 6e-17.
  const Trial rounded(two_masses("constraints = [\"x' = cos(z)*y'\", \"x' = 0\"]\n[initial]\nq = [0, 0, \"pi/2\"]"));
  EXPECT_TRUE(contains(rounded.message(), "constraint 2 'x' = 0' depends on constraint 1"));
}

TEST(Continuous, SingularMassNamesTheCoordinate) {
  const Trial massless("coordinates = ['x', 'y']\nlagrangian = \"x'^2 - y*x + y'\"");
  EXPECT_EQ(massless.message(),
            "L_vv is singular: the Lagrangian has no term that is quadratic in the velocity of 'y'\n"
            "  give 'y' an inertia, for example m/2*y'^2");
  const Trial combined("coordinates = ['x', 'y', 'z']\nlagrangian = \"(x' + y')^2 + z'^2\"");
  EXPECT_EQ(combined.message(),
            "L_vv is singular (rank 2 of 3): there is a motion of 'x' and 'y' without inertia\n"
            "  give it an inertia, or remove a coordinate");
  const Trial zero("coordinates = ['x']\nlagrangian = \"m*x'^2\"\n[parameters]\nm = 0");
  EXPECT_TRUE(contains(zero.message(), "quadratic in the velocity of 'x'"));
  // Indefinite is unusual, not singular.
  const Trial indefinite("coordinates = ['x', 'y']\nlagrangian = \"x'*y' - x\"");
  EXPECT_EQ(indefinite.message(), "");
  EXPECT_DOUBLE_EQ(indefinite.evaluate().accelerations[1], -1);
}

TEST(Continuous, WhatIsNotFiniteIsNamed) {
  const Trial potential("coordinates = ['x', 'y']\nlagrangian = \"x'^2 + y'^2 - 1/x\"");
  EXPECT_TRUE(contains(potential.message(), "the Lagrangian is not finite at the initial state"));
  const Trial constraint(two_masses("constraints = [\"x' = log(z)*y'\"]"));
  EXPECT_TRUE(contains(constraint.message(), "constraint 'x' = log(z)*y'' is not finite at the initial state"));
  const Trial force("coordinates = ['x', 'y']\nlagrangian = \"x'^2 + y'^2\"\n[forces]\ny = \"sqrt(-1 - x)\"");
  EXPECT_TRUE(contains(force.message(), "the force of 'y' is not finite at the initial state"));
  const Trial root("coordinates = ['x', 'y']\nlagrangian = \"x'^2 + y'^2 - sqrt(x)\"");
  EXPECT_TRUE(contains(root.message(), "the force of 'x' is not finite at the initial state"));
}

TEST(Continuous, StatesOfTheWrongShape) {
  Trial sleigh(sleigh_text);
  sleigh.state.q.pop_back();
  EXPECT_TRUE(contains(sleigh.message(), "the initial state has 2 positions and 3 velocities\n  system 'sleigh' has 3 and 3"));
  sleigh.state.q = {0, NAN, 0};
  EXPECT_TRUE(contains(sleigh.message(), "the initial value of y is nan"));
  EXPECT_TRUE(contains(refusal([&] { Continuous(sleigh.system, {1}); }), "1 parameter values for 4"));
}

}  // namespace
}  // namespace noslip::test

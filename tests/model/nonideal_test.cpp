// Nonideal reactions: d/dt L_v = L_q + f + K^T lambda + N(t, q, v, psi), psi = -lambda.
#include <cmath>

#include "model/help.hpp"

namespace noslip::test {
namespace {

/// A block on a blade in a field of force, with friction that grows with the reaction of the blade.
std::string block(const std::string& nonideal) {
  return "coordinates = ['x', 'y', 'theta']\n"
         "lagrangian = \"m/2*(x'^2 + y'^2) + J/2*theta'^2 + a*x + b*y\"\n"
         "constraints = [\"y'*cos(theta) = x'*sin(theta)\"]\n"
         "[parameters]\nm = 2\nJ = 0.5\na = 0.3\nb = -0.7\nmu = 0.4\n"
         "[definitions]\nu = \"x'*cos(theta) + y'*sin(theta)\"\nfriction = \"mu*abs(psi(1))*sign(u)\"\n"
         "[nonideal]\n" +
         nonideal;
}

struct Trial {
  System system;
  std::vector<double> parameters = system.parameter_values();
  InitialState state = system.initial_state(parameters);

  explicit Trial(const std::string& text) : system(System::parse(text)) {}

  void move(double theta, double speed, double spin) {
    state.q = {0.3, -0.2, theta};
    state.v = {speed * std::cos(theta), speed * std::sin(theta), spin};
  }
  ContinuousState evaluate() const {
    std::vector<Problem> problems;
    ContinuousState result = Continuous(system, parameters).evaluate(state, problems);
    for (const Problem& problem : problems) ADD_FAILURE() << to_text(problem);
    // What a test reads is there, whatever has failed.
    result.multipliers.resize(system.multiplier_names().size(), NAN);
    result.accelerations.resize(system.v().size(), NAN);
    return result;
  }
  std::string message() const {
    return refusal([&] { Continuous(system, parameters).require_consistent(state); });
  }
};

constexpr double m = 2, a = 0.3, b = -0.7, mu = 0.4;

TEST(Nonideal, FrictionAlongTheBladeByHand) {
  Trial trial(block("x = \"-friction*cos(theta)\"\ny = \"-friction*sin(theta)\""));
  EXPECT_TRUE(trial.system.structure().has_nonideal);
  ASSERT_EQ(trial.system.psi().size(), 1U);
  EXPECT_EQ(trial.system.psi()[0].name(), "psi(1)");
  ASSERT_EQ(trial.system.nonideal().size(), 3U);
  EXPECT_TRUE(trial.system.nonideal()[2].is_zero());
  for (const double speed : {1.5, -0.8}) {
    for (const double spin : {0.9, -2.0}) {
      const double theta = 0.7, c = std::cos(theta), s = std::sin(theta);
      trial.move(theta, speed, spin);
      const ContinuousState result = trial.evaluate();
      // Across the blade: m theta' u = F_n + lambda; along it: m u' = F_e - mu |lambda| sign(u).
      const double lambda = m * spin * speed - (-a * s + b * c);
      const double along = (a * c + b * s - mu * std::abs(lambda) * std::copysign(1, speed)) / m;
      EXPECT_NEAR(result.multipliers[0], lambda, 1e-14);
      EXPECT_NEAR(result.accelerations[0], along * c - spin * speed * s, 1e-14);
      EXPECT_NEAR(result.accelerations[1], along * s + spin * speed * c, 1e-14);
      EXPECT_EQ(result.accelerations[2], 0);
      EXPECT_EQ(trial.message(), "");
    }
  }
}

TEST(Nonideal, ReactionsThatChangeTheMultiplierByHand) {
  // N acts on x alone: lambda + mu sin(theta) |lambda| = m theta' u - F_n.
  Trial trial(block("x = \"-mu*abs(psi(1))\""));
  for (const double spin : {0.9, -2.0}) {
    const double theta = 0.7, speed = 1.5, s = std::sin(theta);
    trial.move(theta, speed, spin);
    const double needed = m * spin * speed - (-a * s + b * std::cos(theta));
    const double lambda = needed / (1 + mu * s * std::copysign(1, needed));
    EXPECT_NEAR(trial.evaluate().multipliers[0], lambda, 1e-14);
  }
}

TEST(Nonideal, SmoothAndNonlinear) {
  Trial trial(block("x = \"psi(1)^3*x + t*psi(1)\"\ntheta = \"exp(-psi(1)) - x'\""));
  trial.move(0.4, 0.7, 1.1);
  trial.state.t = 0.25;
  const ContinuousState result = trial.evaluate();
  std::map<std::string, double> values{{"t", 0.25}, {"psi(1)", -result.multipliers[0]}};
  for (std::size_t i = 0; i < 3; ++i) {
    values[trial.system.q()[i].name()] = trial.state.q[i];
    values[trial.system.v()[i].name()] = trial.state.v[i];
  }
  for (std::size_t i = 0; i < trial.parameters.size(); ++i) {
    values[trial.system.parameters()[i].name] = trial.parameters[i];
  }
  const Constraint& constraint = trial.system.constraints()[0];
  double rate = -value(trial.system.constraint_rhs()[0], values);
  for (std::size_t i = 0; i < 3; ++i) {
    double residual = -value(trial.system.acceleration_rhs()[i], values) -
                      value(constraint.K[i], values) * result.multipliers[0] -
                      value(trial.system.nonideal()[i], values);
    for (std::size_t j = 0; j < 3; ++j) residual += value(trial.system.mass()[i][j], values) * result.accelerations[j];
    EXPECT_NEAR(residual, 0, 1e-14);
    rate += value(constraint.K[i], values) * result.accelerations[i];
  }
  EXPECT_NEAR(rate, 0, 1e-14);
  EXPECT_GT(std::abs(value(trial.system.nonideal()[2], values)), 0.1);
}

TEST(Nonideal, PositionConstraintsHaveTheLaterNumbers) {
  // A bead on a hoop: the reaction of the hoop, lambda2, brakes it.
  Trial trial(
      "coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nconstraints = [\"z' = 0\"]\n"
      "holonomic = [\"(x^2 + y^2)/2 = 1/2\"]\n[nonideal]\ny = \"-abs(psi(2))/4\"\nx = \"0*psi(1)\"\n"
      "[initial]\nq = [1, 0, 0]\nv = [0, 3, 0]");
  const ContinuousState result = trial.evaluate();
  EXPECT_NEAR(result.multipliers[1], -9, 1e-14);
  EXPECT_NEAR(result.accelerations[1], -9.0 / 4, 1e-14);
}

TEST(Nonideal, WithImplicitMomenta) {
  Trial trial(
      "coordinates = ['x', 'y']\nhamiltonian = \"sqrt(1 + p(x)^2 + p(y)^2) - x\"\nconstraints = [\"y' = 0\"]\n"
      "[nonideal]\nx = \"-abs(psi(1))*p(x)/2\"\n[forces]\ny = \"-0.6\"\n[initial]\np = [0.75, 0]");
  // gamma = 1.25; y is held: lambda = 0.6. p(x)' = 1 - 0.3*0.75, x'' = p'/gamma^3.
  const ContinuousState result = trial.evaluate();
  EXPECT_NEAR(result.multipliers[0], 0.6, 1e-14);
  EXPECT_NEAR(result.accelerations[0], (1 - 0.3 * 0.75) / (1.25 * 1.25 * 1.25), 1e-14);
}

TEST(Nonideal, WhatHasNoSolutionIsRefused) {
  // N takes back every reaction.
  Trial taken(block("x = \"-psi(1)*sin(theta)\"\ny = \"psi(1)*cos(theta)\""));
  taken.move(0.3, 1, 1);
  EXPECT_EQ(taken.message(),
            "the multipliers are not determined at the initial state: no reaction acts on constraint 1 "
            "'y'*cos(theta) = x'*sin(theta)' (rank 0 of 1)\n"
            "  start elsewhere, or change the reactions or the constraints");
  // lambda + 2 |lambda| = negative
  Trial jammed(block("x = \"-2*abs(psi(1))/sin(theta)\""));
  jammed.move(0.7, 1.5, -2);
  EXPECT_TRUE(contains(jammed.message(), "no multipliers of the nonideal reactions were found from the ideal ones (-"))
      << jammed.message();
  Trial infinite(block("x = \"log(-1 - psi(1)^2)\""));
  EXPECT_TRUE(contains(infinite.message(), "the nonideal reaction on 'x' is not finite at the initial state"));
}

TEST(Nonideal, NothingGiven) {
  const System ideal = System::parse(sleigh_text);
  EXPECT_TRUE(ideal.nonideal().empty());
  EXPECT_TRUE(ideal.psi().empty());
  EXPECT_FALSE(ideal.structure().has_nonideal);
  EXPECT_TRUE(System::parse(block("x = 0")).nonideal().empty());
}

TEST(NonidealErrors, Texts) {
  const std::string head = "coordinates = ['x', 'y']\nlagrangian = \"x'^2 + y'^2\"\n";
  const std::string one = head + "constraints = [\"x' = y'\"]\n";
  EXPECT_EQ(problem_of(one + "[nonideal]\nx = \"psi(2)\""),
            "s.toml:5:10: there is no multiplier psi(2)\n  x = \"psi(2)\"\n           ^\n"
            "  multipliers are numbered from 1, in the order of the constraints");
  EXPECT_TRUE(contains(problem_of(one + "[nonideal]\nx = \"psi(0)\""), "there is no multiplier psi(0)"));
  EXPECT_TRUE(contains(problem_of(one + "[nonideal]\nx = \"psi(x)\""), "psi(...) takes one number"));
  EXPECT_TRUE(contains(problem_of(one + "[nonideal]\nw = \"psi(1)\""), "5:1: unknown coordinate 'w'"));
  EXPECT_TRUE(contains(problem_of(one + "[forces]\nx = \"psi(1)\"\n[nonideal]\ny = \"psi(1)\""),
                       "5:10: 'psi(1)' is a multiplier"));
  EXPECT_TRUE(contains(problem_of(one + "[forces]\nx = \"2*n\"\n[definitions]\nn = \"psi(1)\"\n[nonideal]\ny = \"n\""),
                       "5:8: definition 'n' cannot be used here: 'psi(1)' is a multiplier"));
  EXPECT_TRUE(contains(problem_of(one + "[forces]\nx = \"psi(1)\""), "psi(...), a multiplier, is not available here"));
  EXPECT_TRUE(contains(problem_of(head + "[nonideal]\nx = \"x'\""), "4:1: [nonideal] without constraints"));
  EXPECT_TRUE(contains(problem_of(one + "nonideal = \"psi(1)\""), "`nonideal` has to be a table, not a string"));
}

TEST(NonidealErrors, InCppForm) {
  SystemText text;
  text.coordinates = {"x", "y"};
  text.lagrangian = "x'^2 + y'^2";
  text.constraints = {"x' = y'"};
  text.nonideal = {{"x", "-abs(psi(1))"}};
  EXPECT_EQ(System::from(text).nonideal().size(), 2U);
  text.kind = "dae2";
  EXPECT_TRUE(contains(refusal([&] { System::from(text); }), "`nonideal` does not belong to a system of kind dae2"));
}

TEST(Nonideal, ReactionsThatAreTakenBackLeaveNone) {
  // N is the opposite of the reaction in another form, with other rounding errors.
  Trial trial(block("x = \"-tan(theta)*cos(theta)*psi(1)\"\ny = \"sin(theta)/tan(theta)*psi(1)\""));
  for (const double theta : {0.3, 0.7, 1.1, 2.5}) {
    trial.move(theta, 1.5, 0.9);
    EXPECT_TRUE(contains(trial.message(),
                         "the multipliers are not determined at the initial state: no reaction acts on "
                         "constraint 1"))
        << theta << ": " << trial.message();
  }
}

}  // namespace
}  // namespace noslip::test

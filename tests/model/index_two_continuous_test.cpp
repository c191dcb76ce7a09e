// The continuous problem of index 2: rates, z on its branch, what makes it singular or inconsistent, projection.
#include <cmath>
#include <random>

#include "model/index_two_help.hpp"

namespace noslip::test {
namespace {

std::string linear(const std::string& f, const std::string& g, const std::string& rest = "") {
  return "kind = 'dae2'\ny = ['a', 'b', 'c']\nz = ['u', 'w']\nf = [[], [" + f + "]]\ng = [" + g + "]\n" + rest;
}

TEST(IndexTwoContinuous, RatesOfAKnownSolution) {
  const IndexTwoTrial trial(branches_text);
  EXPECT_EQ(trial.message(), "");
  const ContinuousState state = trial.evaluate();
  EXPECT_EQ(state.multipliers, std::vector<double>{1});
  EXPECT_EQ(state.rates, (std::vector<double>{1, -2}));
  EXPECT_EQ(state.multiplier_rates, std::vector<double>{2});
  EXPECT_TRUE(state.accelerations.empty());
  EXPECT_TRUE(std::isnan(state.energy));
  EXPECT_EQ(state.constraints, std::vector<double>{0});
  EXPECT_EQ(state.max_constraint, 0);
  EXPECT_EQ(state.constraint_rank, 1);
}

TEST(IndexTwoContinuous, TheBranchOfTheGivenZIsKept) {
  IndexTwoTrial trial(branches_text);
  for (const auto& [start, root] :
       {std::pair{0.9, 1.0}, {1.4, 1.0}, {100.0, 1.0}, {0.6, 0.5}, {0.0, 0.5}, {-9.0, 0.5}}) {
    trial.state.z = {start};
    EXPECT_DOUBLE_EQ(trial.evaluate().multipliers[0], root) << start;
  }
  // On the other branch y1 = exp(t/4), y2 = exp(-t/2), z1 = exp(t/2)/2.
  trial.state.z = {0.5};
  EXPECT_EQ(trial.message(), "");
  const ContinuousState state = trial.evaluate();
  EXPECT_DOUBLE_EQ(state.rates[0], 0.25);
  EXPECT_DOUBLE_EQ(state.rates[1], -0.5);
  EXPECT_DOUBLE_EQ(state.multiplier_rates[0], 0.25);
}

TEST(IndexTwoContinuous, RatesOfZAgreeWithDifferences) {
  IndexTwoTrial trial(five_parts_text, {{"m", 1.3}});
  trial.state.t = 0.2;
  trial.state.q = {0.5, 0.7, std::sqrt(1.3 * 0.7)};
  trial.state = trial.projected();
  const ContinuousState at = trial.evaluate();
  const auto z_at = [&](double s) {
    InitialState there = trial.state;
    there.t += s;
    for (std::size_t i = 0; i < 3; ++i) there.q[i] += s * at.rates[i];
    there.z = at.multipliers;
    std::vector<Problem> problems;
    return trial.continuous.evaluate(there, problems).multipliers;
  };
  const double h = 1e-4;
  for (std::size_t i = 0; i < 2; ++i) {
    const double near = z_at(h)[i] - z_at(-h)[i], far = z_at(2 * h)[i] - z_at(-2 * h)[i];
    EXPECT_NEAR((8 * near - far) / (12 * h) / at.multiplier_rates[i], 1, 1e-10);
  }
}

TEST(IndexTwoContinuous, AcrossTwentyOrdersOfMagnitude) {
  const IndexTwoTrial trial(linear("'1e-10*u', '1e10*w', '1'", "'1e8*a = 0', '1e-8*(b + c) = 0'"));
  const ContinuousState state = trial.evaluate();
  EXPECT_EQ(state.multipliers[0], 0);
  EXPECT_DOUBLE_EQ(state.multipliers[1], -1e-10);
  EXPECT_EQ(state.constraint_rank, 2);
}

TEST(IndexTwoContinuous, ViolationsSayByHowMuchAndWhatToDo) {
  IndexTwoTrial trial(branches_text);
  trial.state.z = {0};
  const std::string one = trial.message();
  const std::string before =
      "the hidden constraint g_t + g_y f = 0 of 'y1^2*y2 = 1' is violated by 1 at the initial state\n  give z1 = ";
  ASSERT_EQ(one.substr(0, before.size()), before);
  std::size_t length = 0;
  EXPECT_NEAR(std::stod(one.substr(before.size()), &length), 0.5, 1e-15);
  EXPECT_EQ(one.substr(before.size() + length), " (which `project` finds from here), or the value of another branch");
  trial.state = {0, {1, 1.25}, {}, {1}};
  const std::string both = trial.message();
  EXPECT_TRUE(contains(both,
                       "constraint 'y1^2*y2 = 1' is violated by 0.25 at the initial state\n"
                       "  give consistent y, or use `project` to take the nearest"))
      << both;
  EXPECT_TRUE(contains(both, "give consistent z, or use `project` to find one from here")) << both;
  const double slightly = std::ldexp(1.0, -40);  // 9.09e-13
  trial.state = {0, {1, 1}, {}, {1 + slightly}};
  EXPECT_TRUE(contains(trial.message(), "is violated by 9.09495e-13")) << trial.message();
  trial.state = {0, {1, 1 - slightly}, {}, {1}};
  EXPECT_TRUE(contains(trial.message(), "constraint 'y1^2*y2 = 1' is violated by 9.09495e-13")) << trial.message();
}

TEST(IndexTwoContinuous, RoundingIsNoViolationWhateverTheSize) {
  IndexTwoTrial trial(branches_text);
  for (const double t : {-10.0, -3.3, 0.0, 0.7, 5.0, 10.0}) {
    trial.state = {t, {std::exp(t), std::exp(-2 * t)}, {}, {std::exp(2 * t)}};
    EXPECT_EQ(trial.message(), "") << t;
    trial.state.z[0] *= 1 + 1e-12;
    EXPECT_NE(trial.message(), "") << t;
  }
  // Small constraints are judged by the size of their terms.
  IndexTwoTrial small("kind = 'dae2'\ny = ['a']\nz = ['b']\nf = [[], ['b']]\ng = ['1e-9*(a^2 - 2)']");
  small.state.q = {std::sqrt(2.0)};
  EXPECT_EQ(small.message(), "");
  small.state.q = {1.4142135};
  EXPECT_TRUE(contains(small.message(), "is violated by"));
  // What is left of sin(pi) beside cos(pi) is meant to be zero. Where there is nothing else, it is a number.
  IndexTwoTrial zero("kind = 'dae2'\ny = ['a', 'c']\nz = ['b']\nf = [[], ['b', '0']]\ng = ['a']");
  zero.state.q = {std::sin(std::acos(-1.0)), -1};
  EXPECT_EQ(zero.message(), "");
  zero.state.q[1] = 1e-15;
  EXPECT_NE(zero.message(), "");
}

TEST(IndexTwoContinuous, NotOfIndexTwo) {
  IndexTwoTrial trial(branches_text);
  trial.state.z = {0.75};  // between the branches: 4 z1 - 3 = 0
  EXPECT_TRUE(contains(trial.message(),
                       "the system is not of index 2 at the initial state: the derivative of constraint 1 "
                       "'y1^2*y2 = 1' does not determine any z (g_y f_z has rank 0 of 1)\n"
                       "  start from other values of y and z, or with other constraints g"))
      << trial.message();
  trial.state.z = {0.1 * 7.5 + 1e-16};  // to rounding
  EXPECT_TRUE(contains(trial.message(), "is not of index 2"));
  std::vector<Problem> problems;
  const ContinuousState state = trial.continuous.evaluate(trial.state, problems);
  EXPECT_FALSE(problems.empty());
  EXPECT_EQ(state.constraint_rank, 0);
  EXPECT_TRUE(state.multipliers.empty());
  EXPECT_TRUE(state.multiplier_rates.empty());

  const IndexTwoTrial same(linear("'u + w', 'u + w + b*w', '1'", "'a = 0', 'b = 0'"));
  EXPECT_TRUE(contains(same.message(),
                       "the derivative of constraint 2 'b = 0' determines the same z as the derivative of constraint 1 "
                       "(g_y f_z has rank 1 of 2)"))
      << same.message();
  const IndexTwoTrial none(linear("'u', 'b*w', '1'", "'a = 0', 'b = 0'"));
  EXPECT_TRUE(contains(none.message(), "the derivative of constraint 2 'b = 0' does not determine any z"));
}

TEST(IndexTwoContinuous, ZThatDoesNotExist) {
  const IndexTwoTrial trial(
      "kind = 'dae2'\ny = ['a']\nz = ['b']\nf = [[], ['b^2 + 1']]\ng = ['a']\n[initial]\nz = [2]");
  EXPECT_TRUE(contains(trial.message(),
                       "no z near the initial b = 2 satisfies the hidden constraint\n"
                       "  start from other values of z, or with other values of y"))
      << trial.message();
}

TEST(IndexTwoContinuous, WhatIsNotFiniteIsNamed) {
  const std::string head = "kind = 'dae2'\ny = ['a']\nz = ['b']\n";
  const IndexTwoTrial rate(head + "f = [[], ['b + 1/a']]\ng = ['a']");
  EXPECT_TRUE(contains(rate.message(), "the rate f of 'a' is not finite at the initial state")) << rate.message();
  const IndexTwoTrial constraint(head + "f = [[], ['b']]\ng = ['log(a)']");
  EXPECT_TRUE(contains(constraint.message(), "constraint 'log(a)' is not finite at the initial state"));
  EXPECT_TRUE(contains(refusal([&] { constraint.continuous.project(constraint.state); }), "'log(a)' is not finite"));
  const IndexTwoTrial root(head + "f = [[], ['b']]\ng = ['a + sqrt(a)']");
  EXPECT_TRUE(contains(root.message(), "a derivative of constraint 'a + sqrt(a)' is not finite"));
  const IndexTwoTrial hidden(head + "f = [[], ['sqrt(b)']]\ng = ['a']");
  EXPECT_TRUE(contains(hidden.message(), "a derivative of the hidden constraint of 'a' is not finite"));
}

TEST(IndexTwoContinuous, StatesOfTheWrongShape) {
  IndexTwoTrial trial(branches_text);
  trial.state.z.clear();
  EXPECT_EQ(trial.message(),
            "the initial state has 2 values of y and 0 of z\n"
            "  system 'branches' has 2 and 1");
  trial.state.z = {1};
  trial.state.v = {1, 1};
  EXPECT_TRUE(contains(trial.message(), "has 2 and 1, and nothing else"));
  trial.state = {0, {1, NAN}, {}, {INFINITY}};
  EXPECT_TRUE(contains(trial.message(), "the initial value of y2 is nan"));
  EXPECT_TRUE(contains(trial.message(), "the initial value of z1 is inf"));
  EXPECT_TRUE(contains(refusal([&] { trial.continuous.project(trial.state); }), "the initial value of y2 is nan"));
}

TEST(IndexTwoContinuous, WithoutConstraintsItIsADifferentialEquation) {
  const IndexTwoTrial trial(
      "kind = 'dae2'\ny = ['a', 'b']\nz = []\nf = [[], ['b', '-a']]\ng = []\n[initial]\ny = [2, 3]");
  EXPECT_EQ(trial.message(), "");
  EXPECT_EQ(trial.evaluate().rates, (std::vector<double>{3, -2}));
  EXPECT_EQ(trial.projected().q, trial.state.q);
}

TEST(IndexTwoProject, ConsistentDataStay) {
  const IndexTwoTrial trial(branches_text);
  const InitialState state = trial.projected();
  EXPECT_EQ(state.q, trial.state.q);
  EXPECT_EQ(state.z, trial.state.z);
}

TEST(IndexTwoProject, NearestPointOfACircle) {
  IndexTwoTrial trial(
      "kind = 'dae2'\ny = ['a', 'b']\nz = ['c']\nf = [[], ['-b + c*a', 'a + c*b']]\ng = ['a^2 + b^2 = 4']");
  for (const auto& [a, b] : {std::pair{3.0, 4.0}, {0.03, 0.04}, {-300.0, 400.0}}) {
    trial.state = {0, {a, b}, {}, {0.3}};
    const InitialState state = trial.projected();
    EXPECT_NEAR(state.q[0], 2 * a / std::hypot(a, b), 1e-14);
    EXPECT_NEAR(state.q[1], 2 * b / std::hypot(a, b), 1e-14);
    EXPECT_NEAR(state.z[0], 0, 1e-15);
  }
  trial.state = {0, {0, 0}, {}, {0}};
  EXPECT_TRUE(contains(refusal([&] { trial.continuous.project(trial.state); }),
                       "no y that satisfies the constraints was found near the given one"));
}

TEST(IndexTwoProject, LeastChangeAndTheBranchOfZ) {
  IndexTwoTrial trial(branches_text);
  for (const double z : {0.4, 1.2}) {
    trial.state = {0, {1.1, 0.9}, {}, {z}};
    const InitialState state = trial.projected();
    // y - y0 is parallel to the gradient (2 y1 y2, y1^2) of g.
    const double change =
        (state.q[0] - 1.1) * state.q[0] * state.q[0] - (state.q[1] - 0.9) * 2 * state.q[0] * state.q[1];
    EXPECT_NEAR(change, 0, 1e-13);
    // z1 = y1^2 or y1^2/2 on the two branches, as y2 = 1/y1^2
    EXPECT_NEAR(state.z[0], state.q[0] * state.q[0] * (z < 0.75 ? 0.5 : 1), 1e-14);
  }
}

TEST(IndexTwoProject, RefusesWhatCannotBeSatisfied) {
  const IndexTwoTrial impossible(
      "kind = 'dae2'\ny = ['a']\nz = ['b']\nf = [[], ['b']]\ng = ['a^2 + 1 = 0']\n[initial]\ny = [3]");
  EXPECT_TRUE(contains(refusal([&] { impossible.continuous.project(impossible.state); }), "no y that satisfies"));
  const IndexTwoTrial singular(linear("'u', 'b*w', '1'", "'a = 1', 'b = 0'"));
  EXPECT_TRUE(contains(refusal([&] { singular.continuous.project(singular.state); }), "not of index 2"));
}

TEST(IndexTwoProject, RandomStatesArriveOrAreRefused) {
  const System system = System::parse(five_parts_text);
  const Continuous continuous(system, system.parameter_values({{"m", 1.7}}));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-2, 2);
  int arrived = 0;
  for (int i = 0; i < 300; ++i) {
    const InitialState start{any(random), {any(random), any(random), any(random)}, {}, {any(random), any(random)}};
    InitialState end;
    if (refusal([&] { end = continuous.project(start); }).empty()) {
      EXPECT_EQ(refusal([&] { continuous.require_consistent(end); }), "");
      ++arrived;
    }
  }
  EXPECT_GT(arrived, 200);
}

}  // namespace
}  // namespace noslip::test

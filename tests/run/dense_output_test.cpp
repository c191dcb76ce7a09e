// States between the steps: orders, continuity, what they keep, refusals.
#include <array>

#include <gtest/gtest.h>

#include <noslip/run/program.hpp>

#include "run/help.hpp"

namespace noslip {
namespace {

using testing::distance;
using testing::options;

RunOptions kept(const std::string& method, double step, double until, Between between = Between::polynomial) {
  RunOptions result = options(method, step, until);
  result.dense = true;
  result.between = between;
  return result;
}

/// Largest errors of q and v at four places in each step.
std::array<double, 2> errors_inside(const System& system, const RunOptions& run, const Trajectory& exact) {
  const Trajectory trajectory = integrate(system, run);
  std::array<double, 2> most{};
  for (int i = 0; i < run.until / run.step - 0.5; ++i) {
    for (const double part : {0.13, 0.35, 0.61, 0.88}) {
      const double t = (i + part) * static_cast<double>(run.step);
      const Sample here = trajectory.at(t), there = exact.at(t);
      most[0] = std::max(most[0], distance(here.q, there.q));
      most[1] = std::max(most[1], distance(here.v, there.v));
    }
  }
  return most;
}

struct Case {
  const char* method;
  double q, v;
};

void expect_orders(const System& system, const std::vector<Case>& cases, Between between) {
  const double until = 1.6;
  const Trajectory exact = integrate(system, kept("gauss:8", 0.1, until, Between::step));
  for (const Case& one : cases) {
    const auto coarse = errors_inside(system, kept(one.method, 0.05, until, between), exact);
    const auto fine = errors_inside(system, kept(one.method, 0.025, until, between), exact);
    EXPECT_NEAR(testing::slope(coarse[0], 2, fine[0], 1), one.q, 0.25) << system.name() << " " << one.method;
    EXPECT_NEAR(testing::slope(coarse[1], 2, fine[1], 1), one.v, 0.25) << system.name() << " " << one.method;
  }
}

TEST(DenseOutput, PolynomialsHaveTheirOrders) {
  const std::vector<Case> cases = {{"gauss:1", 2, 2},      {"gauss:2", 3, 3},      {"gauss:3", 4, 4},
                                   {"lobatto-ab:2", 2, 2}, {"lobatto-ab:3", 3, 3}, {"lobatto-ab:4", 4, 4},
                                   {"nh-lobatto:2", 2, 2}, {"nh-lobatto:3", 3, 3}};
  expect_orders(testing::curved_particle(), cases, Between::polynomial);
  expect_orders(testing::sleigh(), cases, Between::polynomial);
  expect_orders(testing::skate(), {{"gauss:2", 3, 3}, {"gauss:3", 4, 4}}, Between::polynomial);
  // Momenta alone have order s + 1 where multipliers of the stages have order s, for even s.
  expect_orders(testing::curved_particle(), {{"nh-lobatto:4", 4, 5}}, Between::polynomial);
  expect_orders(testing::sleigh(), {{"nh-lobatto:4", 4, 4}}, Between::polynomial);
}

TEST(DenseOutput, StepsThatEndInsideHaveTheOrderOfTheMethod) {
  const std::vector<Case> cases = {
      {"gauss:2", 4, 4}, {"lobatto-ab:3", 4, 4}, {"mp", 2, 2}, {"mp:4", 4, 4}, {"avf", 2, 2}};
  expect_orders(testing::curved_particle(), cases, Between::step);
  expect_orders(testing::curved_particle(), {{"mp", 2, 2}, {"mp:4", 4, 4}}, Between::polynomial);  // they have none
}

TEST(DenseOutput, MeetsTheSteps) {
  for (const char* method : {"gauss:3", "lobatto-ab:3", "nh-lobatto:3", "srk-radau-ia:2", "mp", "gonzalez"}) {
    RunOptions run = kept(method, 0.1, 2);
    run.every = 1;
    for (const System& system : {testing::curved_particle(), testing::sleigh()}) {
      const Trajectory trajectory = integrate(system, run);
      for (const Sample& sample : trajectory.samples) {
        const Sample at = trajectory.at(sample.t);
        EXPECT_EQ(at.q, sample.q) << method << " at " << sample.t;
        EXPECT_EQ(at.v, sample.v) << method << " at " << sample.t;
        if (sample.t == 0 || sample.t == trajectory.last.t) continue;
        for (const double side : {-1e-9, 1e-9}) {
          EXPECT_LT(distance(trajectory.at(sample.t + side).q, sample.q), 1e-8) << method;
          EXPECT_LT(distance(trajectory.at(sample.t + side).v, sample.v), 1e-8) << method;
        }
      }
    }
  }
}

TEST(DenseOutput, DoesNotChangeTheRun) {
  for (const char* method : {"gauss:2", "lobatto-ab:3", "mp"}) {
    const Trajectory with = integrate(testing::sleigh(), kept(method, 0.1, 5));
    const Trajectory without = integrate(testing::sleigh(), options(method, 0.1, 5));
    EXPECT_EQ(with.last.q, without.last.q);
    EXPECT_EQ(with.last.v, without.last.v);
  }
}

TEST(DenseOutput, StepsInsideKeepTheConstraint) {
  const Trajectory run = integrate(testing::sleigh(), kept("gauss:2", 0.1, 5, Between::step));
  const Trajectory polynomial = integrate(testing::sleigh(), kept("gauss:2", 0.1, 5));
  double kept_to = 0, left_by = 0;
  for (double t = 0.03; t < 5; t += 0.07) {
    kept_to = std::max(kept_to, run.at(t).max_constraint);
    left_by = std::max(left_by, polynomial.at(t).max_constraint);
  }
  EXPECT_LT(kept_to, 1e-15);
  EXPECT_GT(left_by, 1e-12);  // what the documents say of polynomials
}

TEST(DenseOutput, OutlivesTheProgramOfItsRun) {
  for (const Between between : {Between::polynomial, Between::step}) {
    Trajectory trajectory;
    std::weak_ptr<const ProgramData<double>> program;
    {
      const System system = testing::curved_particle();
      trajectory = integrate(system, kept("gauss:2", 0.1, 1, between));
      if (between == Between::step) program = Program<double>(system).shared();
    }
    const std::vector<double> before = trajectory.at(0.55).q;
    forget_programs();
    EXPECT_TRUE(program.expired());
    // Whatever may be where it was.
    std::vector<std::vector<unsigned char>> others;
    for (std::size_t size = 16; size < 8192; size += 16) others.emplace_back(size, 0xff);
    EXPECT_EQ(trajectory.at(0.55).q, before);
  }
}

TEST(DenseOutput, WorksForEveryKindOfSystem) {
  const System angles = System::parse(R"toml(
    coordinates = ["phi"]
    angles      = ["phi"]
    lagrangian  = "phi'^2/2 + cos(phi)"
    [initial]
    v = [30]
  )toml");
  const Trajectory turning = integrate(angles, kept("gauss:3", 0.01, 20));
  EXPECT_NEAR(turning.at(15.005).q[0], (turning.at(15).q[0] + turning.at(15.01).q[0]) / 2, 1e-4);
  const System pair = System::parse(R"toml(
    kind = "dae2"
    y = ["a", "b"]
    z = ["z"]
    f = [["b", "-a + z"]]
    g = ["b - cos(t)"]
    [initial]
    y = [0, 1]
    z = [0]
    [exact]
    a = "sin(t)"
    b = "cos(t)"
  )toml");
  const Trajectory index_two = integrate(pair, kept("rk-radau-iia:3", 0.1, 2));
  EXPECT_NEAR(index_two.at(1.234).q[0], std::sin(1.234), 2e-6);
  EXPECT_NEAR(index_two.at(1.234).multipliers[0], 0, 1e-4);
  const System body = System::parse(R"toml(
    coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
    lagrangian  = "(w1^2 + 2*w2^2 + 3*w3^2)/2"
    [initial]
    v = [0.1, 1, 0.2]
  )toml");
  const Trajectory coarse = integrate(body, kept("gauss:4", 0.1, 2)), fine = integrate(body, kept("gauss:4", 0.05, 2));
  EXPECT_LT(distance(coarse.at(1.277).q, fine.at(1.277).q), 1e-9);
  EXPECT_LT(distance(coarse.at(1.277).v, fine.at(1.277).v), 1e-9);
}

TEST(DenseOutput, TimesMayBeAskedForBeforehand) {
  RunOptions run = kept("gauss:3", 0.1, 3.05);
  const std::vector<double> times = {2.55, 0, 0.125, 3.05, 3, 0.125};
  run.at = times;
  const Trajectory trajectory = integrate(testing::skate(), run);
  ASSERT_EQ(trajectory.values.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(trajectory.values[i].t, times[i]);
    EXPECT_LT(distance(trajectory.values[i].q, trajectory.at(times[i]).q), 1e-14) << times[i];
    EXPECT_NEAR(trajectory.values[i].q[0], std::pow(std::sin(times[i]), 2) / 2, 1e-5);
  }
}

TEST(DenseOutput, ForgivesRoundingOfTheEnd) {
  RunOptions run = options("gauss:2", 0.3, 0);
  run.steps = 3;
  run.at = {0.9};  // 3 * 0.3 is a little less
  EXPECT_EQ(integrate(testing::skate(), run).values.size(), 1U);
}

TEST(DenseOutput, RefusesOtherTimes) {
  RunOptions run = options("gauss:2", 0.1, 1);
  EXPECT_THROW(integrate(testing::skate(), run).at(0.5), InputError);
  run.at = {0.5, 1.5};
  EXPECT_THROW(integrate(testing::skate(), run), InputError);
  run.at = {std::nan("")};
  EXPECT_THROW(integrate(testing::skate(), run), InputError);
  const Trajectory trajectory = integrate(testing::skate(), kept("gauss:2", 0.1, 1));
  EXPECT_THROW(trajectory.at(1.0001), InputError);
  EXPECT_THROW(trajectory.at(-1e-9), InputError);
  EXPECT_THROW(trajectory.at(std::nan("")), InputError);
  EXPECT_EQ(trajectory.dense->begin(), 0);
  EXPECT_EQ(trajectory.dense->end(), 1);
}

}  // namespace
}  // namespace noslip

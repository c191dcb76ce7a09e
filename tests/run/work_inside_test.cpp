// Work inside of steps: from polynomials as from steps that end there.
#include <gtest/gtest.h>

#include "run/help.hpp"

namespace noslip {
namespace {

using testing::options;

System damped() {
  return System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "(x'^2 - x^2)/2"
    [forces]
    x = "-x'/5"
    [initial]
    q = [1]
    v = [0])toml");
}

/// Forces, a moving constraint and a Lagrangian with the time: everything does work.
System driven() {
  return System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) - x*y/5 - y*cos(t)/4"
    constraints = ["cos(theta)*(y' + t/4) = sin(theta)*(x' - cos(2*t)/2)"]
    [forces]
    x = "-x'/4 - y/10"
    theta = "cos(t) - theta'/5"
    [initial]
    q = [1, 0.2, 0]
    v = [0.3, 0, 0.8])toml");
}

/// Work at a time from a run that has a step end there.
double work_at(const System& system, double t) {
  RunOptions o = options("gauss:6", t / 40, t);
  return integrate(system, o).last.work;
}

TEST(WorkInside, OfARunThatAnEventHasStopped) {
  for (const auto& [system, when] : {std::pair{damped(), "x + 0.123"}, {driven(), "theta - 0.777"}}) {
    for (const char* method : {"gauss:3", "lobatto-ab:4", "nh-lobatto:4"}) {
      RunOptions o = options(method, 0.1, 10);
      o.events = {{when, Crossing::both, 1}};
      const Trajectory run = integrate(system, o);
      ASSERT_EQ(run.outcome.status, Status::stopped) << method << ": " << run.outcome.message;
      ASSERT_TRUE(run.balance.has_work);
      EXPECT_NEAR(run.last.work, work_at(system, run.last.t), 2e-6) << method;
      EXPECT_NEAR(run.balance.final, run.energy.final - run.last.work, 1e-14) << method;
      EXPECT_NEAR(run.balance.final, run.balance.initial, 1e-6) << method;
      EXPECT_EQ(run.summary().find("nan"), std::string::npos) << run.summary();
      ASSERT_EQ(run.hits.size(), 1U);
      EXPECT_EQ(run.hits[0].state.work, run.last.work);
    }
  }
}

TEST(WorkInside, IsContinuousAndOfTheOrderOfThePolynomials) {
  double error[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    RunOptions o = options("gauss:2", i == 0 ? 0.1 : 0.05, 2);
    o.dense = true;
    o.every = 1;
    o.at = {0.333, 1.0, 1.777};
    const Trajectory run = integrate(driven(), o);
    for (const Sample& sample : run.samples) EXPECT_EQ(run.at(sample.t).work, sample.work);
    for (const Sample& value : run.values) EXPECT_NEAR(run.at(value.t).work, value.work, 1e-14);
    EXPECT_NEAR(run.at(1 - 1e-9).work, run.at(1 + 1e-9).work, 1e-8);
    for (const double t : {0.333, 0.777, 1.777}) {
      error[i] = std::max(error[i], std::fabs(run.at(t).work - work_at(driven(), t)));
    }
  }
  EXPECT_LT(error[0], 1e-4);
  EXPECT_GT(std::log2(error[0] / error[1]), 2.5);
}

TEST(WorkInside, IsThatOfStepsWhichEndThere) {
  RunOptions o = options("gauss:4", 0.1, 2);
  o.at = {0.123, 1.456};
  const Trajectory polynomial = integrate(driven(), o);
  o.between = Between::step;
  const Trajectory step = integrate(driven(), o);
  for (std::size_t i = 0; i < o.at.size(); ++i) {
    EXPECT_NEAR(polynomial.values[i].work, step.values[i].work, 1e-7);
  }
}

}  // namespace
}  // namespace noslip

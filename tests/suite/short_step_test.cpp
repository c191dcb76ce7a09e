// Multipliers after a last step that is shorter than the others, and near the start of a step: they are as exact as
// after whole steps.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "suite/members.hpp"
#include "support/overdetermined.hpp"

namespace noslip {
namespace {

using testing::distance;

constexpr double step = 0.1;
const std::vector<double> remainders = {0.03, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-12};

System pendulum() {
  return System::parse(R"toml(
    name        = "pendulum"
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - y/10"
    holonomic   = ["x^2 + y^2 = 1"]
    [initial]
    q = [1, 0]
    v = [0, 0.3])toml");
}

/// A skate whose blade hangs on a rod: constraints of both kinds.
System tied_skate() {
  return System::parse(R"toml(
    name        = "tied skate"
    coordinates = ["x", "y", "phi", "s"]
    lagrangian  = "(x'^2 + y'^2 + phi'^2 + s'^2)/2 - y - s^2"
    constraints = ["cos(phi)*y' = sin(phi)*x'"]
    holonomic   = ["s = x*y + phi^2/2"]
    [initial]
    v = [1, 0, 0.5, 0])toml");
}

struct Subject {
  System system;
  std::string reference;  ///< a method that is exact to many digits
};

std::vector<Subject> subjects() {
  return {{pendulum(), "gauss:8"},
          {tied_skate(), "gauss:8"},
          {catalogue_system("particle"), "gauss:8"},
          {catalogue_system("suslov-so3"), "gauss:8"},
          {catalogue_system("index2"), "srk-gauss:8"},
          {catalogue_system("index2-split"), "srk-gauss:8"},
          {System::parse(testing::jay_problem), "gauss:8"}};
}

RunOptions until(const std::string& method, double end, double h = step) {
  RunOptions o = testing::options(method, h, 0);
  o.until = end;
  return o;
}

/// In whole steps; each is computed once.
const Sample& reference(const Subject& subject, double end) {
  static std::map<std::pair<std::string, double>, Sample> known;
  const auto [place, is_new] = known.try_emplace({subject.system.name(), end});
  if (is_new) place->second = integrate(subject.system, until(subject.reference, end, end / 20)).last;
  return place->second;
}

/// What a method is wrong by, in state and multipliers.
double error_of(const Sample& state, const Sample& exact) {
  return distance(state.q, exact.q) + distance(state.v, exact.v) + distance(state.multipliers, exact.multipliers);
}

class ShortStep : public ::testing::TestWithParam<std::string> {};

TEST_P(ShortStep, LeavesMultipliersAsExactAsWholeOnes) {
  for (const Subject& subject : subjects()) {
    if (!testing::accepts(GetParam(), subject.system)) continue;
    const std::string name = subject.system.name();
    const Trajectory whole = integrate(subject.system, until(GetParam(), 1));
    if (whole.outcome.status == Status::failed) continue;  // the step is too large for this method
    const double usual = error_of(whole.last, reference(subject, 1));
    for (const double remainder : remainders) {
      RunOptions o = until(GetParam(), 1 + remainder);
      o.every = 1;
      const Trajectory run = integrate(subject.system, o);
      ASSERT_EQ(run.outcome.status, Status::done) << name << ", " << remainder << ": " << run.outcome.message;
      EXPECT_EQ(run.steps, 11) << name << ", " << remainder;
      EXPECT_EQ(run.last.t, 1 + remainder) << name;
      const Sample& exact = reference(subject, 1 + remainder);
      EXPECT_LE(distance(run.last.multipliers, exact.multipliers), 10 * usual + 1e-9) << name << ", " << remainder;
      EXPECT_EQ(run.samples.back().multipliers, run.last.multipliers) << name << ", " << remainder;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ShortStep, ::testing::ValuesIn(testing::all_methods()),
                         [](const auto& instance) { return testing::test_name(instance.param); });

TEST(ShortSteps, OfThePendulum) {
  // What was seen first: -0.065 and -1625.
  for (const double h : {0.3333333, 1.0 / 3}) {
    EXPECT_NEAR(integrate(pendulum(), until("gauss:3", 1, h)).last.multipliers[0],
                integrate(pendulum(), until("gauss:8", 1)).last.multipliers[0], 1e-5);
  }
}

TEST(ShortSteps, HaveAllDigitsOfTheRun) {
  for (const double remainder : {1e-3, 1e-9, 1e-14}) {
    RunOptions o = until("gauss:8", 1 + remainder);
    o.precision = Precision::quadruple;
    const QuadState jay = integrate(System::parse(testing::jay_problem), o).last_quad;
    const quad exp_t = jay.q[0] * jay.q[1];  // exp(2 t) exp(-t)
    EXPECT_LT(std::fabs(static_cast<double>(jay.multipliers[0] - exp_t)), 1e-13) << remainder;
    EXPECT_NEAR(static_cast<double>(exp_t), std::exp(1 + remainder), 1e-14);
    o.method = "srk-gauss:8";
    const QuadState index_two = integrate(catalogue_system("index2"), o).last_quad;
    // The hidden constraint gives z = y1^2 to all digits.
    const quad defect = index_two.multipliers[0] - index_two.q[0] * index_two.q[0];
    EXPECT_LT(std::fabs(static_cast<double>(defect)), 1e-13) << remainder;
    o.method = "gauss:8";
    const QuadState p = integrate(pendulum(), o).last_quad;
    // x x'' + y y'' + v^2 = 0 with (x'', y'') = 2 mu (x, y) - (0, 1/10)
    const quad mu = (p.q[1] / 10 - p.v[0] * p.v[0] - p.v[1] * p.v[1]) / 2;
    EXPECT_LT(std::fabs(static_cast<double>(p.multipliers[0] - mu)), 1e-29) << remainder;
  }
}

TEST(ShortSteps, OfARunThatIsMuchShorterThanAStep) {
  // z = exp(2 t) is part of the state; from the increments of such a step hardly a digit of it could be had.
  for (const char* name : {"index2", "index2-split"}) {
    for (const char* method : {"rk-radau-iia:2", "rk-radau-ia:2", "rk-lobatto-iiic:3", "spark-lobatto:3"}) {
      for (const double end : {1e-8, 1e-10, 1e-12}) {
        const Trajectory run = integrate(catalogue_system(name), until(method, end));
        EXPECT_EQ(run.steps, 1) << name << ", " << method;
        EXPECT_NEAR(run.last.multipliers[0], std::exp(2 * end), 1e-13) << name << ", " << method << ", " << end;
      }
    }
  }
}

TEST(ShortSteps, AreNoneWhereRoundingLeavesThem) {
  System system = pendulum();
  const auto run = [&](double start, double end, double h) {
    InitialState initial = system.initial_state(system.parameter_values());
    initial.t = start;
    return integrate(system, initial, until("gauss:3", end, h));
  };
  const double far = 1e6 + 0.1;  // the span is known to ten digits only
  const Trajectory late = run(far, far + 0.4, step);
  EXPECT_EQ(late.steps, 4);
  EXPECT_EQ(late.last.t, far + 0.4);
  EXPECT_NEAR(late.last.multipliers[0], run(0, 0.4, step).last.multipliers[0], 1e-9);
  EXPECT_EQ(run(-3e5 - 0.7, -3e5, step).steps, 7);
  EXPECT_EQ(run(0, 1 + 4e-15, step).steps, 10);
  EXPECT_EQ(run(0, 1 + 4e-15, step).last.t, 1 + 4e-15);
  EXPECT_EQ(run(0, 1, 0.333333333333333).steps, 3);  // written with 15 digits
  EXPECT_EQ(run(0, 100, 0.0142857142857143).steps, 7000);
  // More than rounding is a step of its own; a very short one takes from the step before.
  EXPECT_EQ(run(0, 1 + 1e-12, step).steps, 11);
  EXPECT_EQ(run(0, 1.0031, step).steps, 11);
  EXPECT_EQ(run(0, 1.0032, step).steps, 11);
  EXPECT_EQ(run(0, 1e-12, step).steps, 1);
  EXPECT_NEAR(run(0, 1e-12, step).last.multipliers[0], -0.045, 1e-12);
}

TEST(ShortSteps, InsideOfAStepToo) {
  for (const Subject& subject : subjects()) {
    const bool is_index_two = subject.system.offers().given_multipliers;
    for (const std::string method :
         {is_index_two ? "srk-gauss:3" : "gauss:3", is_index_two ? "rk-radau-iia:3" : "lobatto-ab:4"}) {
      for (const Between between : {Between::step, Between::polynomial}) {
        RunOptions o = until(method, 1.05);
        o.between = between;
        o.dense = true;
        // A little after a step has ended, by rounding, by more, and at the end of the run.
        o.at = {0.5 + 1e-16, 0.5 + 1.2e-16, 0.5 + 1e-15, 0.5 + 1e-12, 0.5 + 1e-8, 0.7, 1.05};
        const Trajectory run = integrate(subject.system, o);
        ASSERT_EQ(run.outcome.status, Status::done) << subject.system.name() << ", " << method << run.outcome.message;
        for (std::size_t i = 0; i < o.at.size(); ++i) {
          const Sample& exact = reference(subject, static_cast<double>(o.at[i]));
          for (const Sample& state : {run.values[i], run.at(static_cast<double>(o.at[i]))}) {
            EXPECT_LT(distance(state.multipliers, exact.multipliers), 2e-3 * (1 + std::fabs(exact.multipliers[0])))
                << subject.system.name() << ", " << method << ", time " << i;
            EXPECT_LT(distance(state.q, exact.q) + distance(state.v, exact.v), 2e-4)
                << subject.system.name() << ", " << method << ", time " << i;
          }
        }
      }
    }
  }
}

TEST(ShortSteps, ThatEndAtAnEvent) {
  // Right after a step, and in the shortened last one.
  for (const std::string when : {"t - 0.5 - 1/10^10", "t - 1 - 1/10^9"}) {
    for (const Subject& subject : subjects()) {
      RunOptions o = until(subject.system.offers().given_multipliers ? "srk-gauss:3" : "gauss:3", 1 + 2e-9);
      o.events = {{when, Crossing::up, 1}};
      o.between = Between::step;
      const Trajectory run = integrate(subject.system, o);
      ASSERT_EQ(run.outcome.status, Status::stopped) << subject.system.name() << ": " << run.outcome.message;
      const Sample& exact = reference(subject, run.last.t);
      EXPECT_LT(distance(run.last.multipliers, exact.multipliers), 2e-3 * (1 + std::fabs(exact.multipliers[0])))
          << subject.system.name() << ", " << when;
    }
  }
}

}  // namespace
}  // namespace noslip

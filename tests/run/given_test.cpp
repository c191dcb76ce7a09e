// Numbers that are given to a run: with all digits of the precision that the run has.
#include <gtest/gtest.h>

#include <noslip/expr/number.hpp>
#include <noslip/run/compare.hpp>
#include <noslip/run/section.hpp>

#include "help.hpp"

namespace noslip {
namespace {

using testing::options;

const quad pi = Number::parse("3.14159265358979323846264338327950288")->value();

quad part(int numerator, int denominator) { return quad(numerator) / quad(denominator); }

double apart(quad a, quad b) { return static_cast<double>(a < b ? b - a : a - b); }

/// x = x0 + x0' t, y does not move.
System evenly() {
  return System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2"
    [initial]
    q = [0, "1/3"]
    v = [1, 0]
  )toml");
}

/// x = a t^2/2 + b t.
System falling() {
  return System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 + a*x"
    [parameters]
    a = 1
    b = "3*a"
    [initial]
    v = ["b"]
  )toml");
}

RunOptions in_quad(const std::string& method, quad step, quad until) {
  RunOptions o = options(method, 1, 1);
  o.step = step;
  o.until = until;
  o.precision = Precision::quadruple;
  return o;
}

TEST(Given, TheEndIsReachedWithAllDigits) {
  for (const quad end : {pi, part(22, 7), quad(3)}) {
    const Trajectory run = integrate(evenly(), in_quad("gauss:2", part(1, 10), end));
    EXPECT_EQ(run.last_quad.t, end);
    EXPECT_LT(apart(run.last_quad.q[0], end), 1e-32);
    EXPECT_EQ(run.last_text()[0], to_text(end));
    RunOptions o = in_quad("gauss:2", part(1, 10), end);
    o.precision = Precision::long_double;
    EXPECT_EQ(integrate(evenly(), o).last_quad.t, quad(static_cast<long double>(end)));
    o.precision = Precision::double_precision;
    EXPECT_EQ(integrate(evenly(), o).last.t, static_cast<double>(end));
  }
}

TEST(Given, StepsAreWhatTheyAreCalled) {
  for (const int parts : {3, 5, 7}) {
    RunOptions o = in_quad("gauss:2", part(1, parts), 0);
    o.steps = parts;
    const Trajectory run = integrate(evenly(), o);
    EXPECT_LT(apart(run.last_quad.t, 1), 2e-34) << parts;
    EXPECT_LT(apart(run.last_quad.q[0], 1), 1e-33) << parts;
  }
}

TEST(Given, StepsThatDivideTheTimeEndThere) {
  // A tenth as a double is no tenth: the steps are stretched, and there are as many as in double.
  for (const quad step : {quad(0.1), part(1, 10)}) {
    const Trajectory run = integrate(evenly(), in_quad("gauss:2", step, 10));
    EXPECT_EQ(run.steps, 100);
    EXPECT_EQ(run.last_quad.t, quad(10));
    EXPECT_LT(apart(run.last_quad.q[0], 10), 1e-31);
  }
}

TEST(Given, TimesThatOnlyMoreDigitsTellApart) {
  const quad late = Number::parse("1e17")->value();
  RunOptions o = in_quad("gauss:1", part(1, 10), late + 1);
  o.init = {{"t", late}};
  const Trajectory run = integrate(evenly(), o);
  EXPECT_EQ(run.steps, 10);
  EXPECT_EQ(run.last_quad.t, late + 1);
  EXPECT_LT(apart(run.last_quad.q[0], 1), 1e-15);  // of 1e17
}

TEST(Given, ParametersAndWhatFollowsFromThem) {
  for (const quad a : {part(1, 10), part(-2, 3)}) {
    RunOptions o = in_quad("gauss:2", part(1, 4), 2);
    o.set = {{"a", a}};
    const Trajectory run = integrate(falling(), o);
    EXPECT_LT(apart(run.last_quad.v[0], 5 * a), 1e-32);
    EXPECT_LT(apart(run.last_quad.q[0], 8 * a), 1e-32);
  }
}

TEST(Given, InitialValuesLeaveTheOthersAlone) {
  RunOptions o = in_quad("gauss:2", part(1, 4), 1);
  o.init = {{"x", part(1, 10)}};
  Trajectory run = integrate(evenly(), o);
  EXPECT_LT(apart(run.last_quad.q[0], part(11, 10)), 1e-33);
  EXPECT_EQ(run.last_quad.q[1], part(1, 3));
  // Beside a state of doubles, too.
  o.init = {{"y", part(1, 7)}, {"x'", 2}};
  run = integrate(evenly(), {.q = {0.5, 0}, .v = {1, 0}}, o);
  EXPECT_LT(apart(run.last_quad.q[0], part(5, 2)), 1e-33);
  EXPECT_EQ(run.last_quad.q[1], part(1, 7));
  o.init = {{"w", 1}};
  EXPECT_THROW(integrate(evenly(), o), InputError);
}

TEST(Given, ProjectionLeavesAloneWhatSatisfiesTheConstraints) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2"
    constraints = ["y' = 0"]
    [initial]
    q = ["1/10", "1/7"]
    v = ["1/3", 0.5]
  )toml");
  RunOptions o = in_quad("gauss:2", part(1, 4), 3);
  o.project = true;
  const Trajectory run = integrate(system, o);
  EXPECT_LT(apart(run.last_quad.q[0], part(11, 10)), 1e-32);
  EXPECT_EQ(run.last_quad.q[1], part(1, 7));
  EXPECT_EQ(run.last_quad.v[1], 0);
}

TEST(Given, TimesBetweenTheSteps) {
  // So fast that a double misses the time by ten thousand.
  for (const quad time : {pi / 3, part(9, 10)}) {
    RunOptions o = in_quad("gauss:2", part(1, 4), 2);
    const quad speed = 1e20;
    o.init = {{"x", -speed * time}, {"x'", speed}};
    o.at = {0.5, time};
    const Trajectory run = integrate(evenly(), o);
    ASSERT_EQ(run.values.size(), 2U);
    EXPECT_LT(std::fabs(run.values[1].q[0]), 1e-12);
    EXPECT_EQ(run.values[1].t, static_cast<double>(time));
  }
}

TEST(Given, ADoubleMeansItself) {
  RunOptions o = in_quad("gauss:2", 0.25, 1);
  o.set = std::map<std::string, double>{{"a", 0.1}};
  o.at = std::vector<double>{0.1};
  const Trajectory run = integrate(falling(), o);
  EXPECT_LT(apart(run.last_quad.v[0], 4 * quad(0.1)), 1e-32);
  EXPECT_GT(apart(run.last_quad.v[0], part(4, 10)), 1e-17);
  // In double nothing depends on digits that are not there.
  RunOptions rounded = options("gauss:3", 0.1, 1.95), exact = rounded;
  rounded.set = {{"g", 0.3}};
  exact.step = part(1, 10);
  exact.until = part(195, 100);
  exact.set = {{"g", part(3, 10)}};
  const Trajectory one = integrate(testing::sleigh(), rounded), other = integrate(testing::sleigh(), exact);
  EXPECT_EQ(one.last.q, other.last.q);
  EXPECT_EQ(one.last.v, other.last.v);
  EXPECT_EQ(one.last.t, other.last.t);
}

TEST(Given, Orbits) {
  // They cross a tenth and 1e-20 more at t = 1, if they start at a tenth; a double is a little more already.
  SectionOptions o;
  o.run = in_quad("gauss:1", part(1, 4), 3);
  o.run.init = {{"x'", Number::parse("1e-20")->value()}};
  o.event = {.when = "x - 1/10 - 1e-20", .direction = Crossing::up, .stop_after = 1};
  o.orbits = {{"a tenth", {}, {{"x", part(1, 10)}}}, {"a double", {}, {{"x", 0.1}}}};
  const Section result = section(evenly(), o);
  ASSERT_EQ(result.orbits[0].points.size(), 1U);
  EXPECT_NEAR(result.orbits[0].points[0].t, 1, 1e-10);
  EXPECT_TRUE(result.orbits[1].points.empty());
}

const System& oscillators() {
  static const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - (w*x)^2/2 - y^2/2"
    [parameters]
    w = 1
    [initial]
    q = [0, "1/3"]
    v = ["w/3", 0]
    [exact]
    x = "sin(w*t)/3"
    y = "cos(t)/3"
  )toml");
  return system;
}

TEST(Given, StudiesOfConvergence) {
  ConvergeOptions o;
  o.methods = {"gauss:6"};
  o.steps = {part(1, 3), part(1, 6)};
  o.until = 2;
  o.precision = Precision::quadruple;
  o.set = {{"w", part(11, 10)}};
  o.init = {{"x", 0}};
  const Convergence study = converge(oscillators(), o);
  EXPECT_TRUE(study.reference.is_exact);
  EXPECT_TRUE(study.notes.empty());
  EXPECT_NEAR(study.results[0].order.q, 12, 0.1);
  EXPECT_LT(study.results[0].rows[1].error.q, 1e-20);  // a third as a double is off by 2e-17
  EXPECT_EQ(study.results[0].rows[1].steps, 12);
}

TEST(Given, Comparisons) {
  CompareOptions o;
  o.methods = {"gauss:8"};
  o.step = part(1, 4);
  o.until = pi;
  o.precision = Precision::quadruple;
  o.init = {{"y", part(1, 3)}};
  const Comparison comparison = compare(oscillators(), o);
  EXPECT_TRUE(comparison.has_exact);
  EXPECT_LT(comparison.results.at(0).error.q, 1e-24);
  EXPECT_EQ(comparison.results.at(0).run.last_quad.t, pi);
}

}  // namespace
}  // namespace noslip

// What a run looks at after its steps: sizes of residuals, rotations, known solutions, and no number that is none.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "run/help.hpp"
#include "run/monitor.hpp"
#include "run/setup.hpp"

namespace noslip {
namespace {

using testing::distance;
using testing::options;

System particle(const std::string& constraint) {
  return System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2"
    constraints = [")toml" +
                       constraint + R"toml("]
    [initial]
    q = [1, 0, 0]
    v = [0, 1, 0])toml");
}

TEST(Residuals, HaveNoSign) {
  // rk-radau-ia is off the constraint, here always to the same side for a while.
  RunOptions o = options("rk-radau-ia:2", 0.1, 0.6);
  o.every = 1;
  const Trajectory one = integrate(particle("z' = y*x'"), o), other = integrate(particle("y*x' = z'"), o);
  double largest = 0;
  for (const Sample& sample : one.samples) {
    const double k = std::fabs(sample.v[2] - sample.q[1] * sample.v[0]);
    EXPECT_NEAR(sample.max_constraint, k, 1e-15) << sample.t;
    largest = std::max(largest, k);
  }
  EXPECT_GT(largest, 1e-6);
  EXPECT_NEAR(one.constraints.max_abs, largest, 1e-15);
  EXPECT_NEAR(other.constraints.max_abs, largest, 1e-15);
  for (std::size_t i = 0; i < one.samples.size(); ++i) {
    EXPECT_NEAR(other.samples[i].max_constraint, one.samples[i].max_constraint, 1e-15);
  }
}

TEST(Residuals, OfPositionsHaveNoSign) {
  // A loose solve is off the circle.
  const auto pendulum = [](const std::string& circle) {
    return System::parse("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\nholonomic = [\"" + circle +
                         "\"]\n[initial]\nq = [1, 0]\nv = [0, 0.3]");
  };
  RunOptions o = options("gauss:2", 0.2, 4);
  o.tolerance = 1e-4;
  o.every = 1;
  double largest = 0;
  const Trajectory one = integrate(pendulum("x^2 + y^2 = 1"), o), other = integrate(pendulum("1 = x^2 + y^2"), o);
  double largest_rate = 0;
  for (const Sample& sample : one.samples) {
    largest = std::max(largest, std::fabs(sample.q[0] * sample.q[0] + sample.q[1] * sample.q[1] - 1));
    largest_rate = std::max(largest_rate, 2 * std::fabs(sample.q[0] * sample.v[0] + sample.q[1] * sample.v[1]));
  }
  EXPECT_GT(largest, 1e-9);
  EXPECT_NEAR(one.holonomic.max_abs, largest, 1e-15);
  EXPECT_NEAR(other.holonomic.max_abs, largest, 1e-15);
  EXPECT_NEAR(one.holonomic.max_abs_rate, largest_rate, 1e-15);
  EXPECT_NEAR(one.holonomic.max_abs_rate, other.holonomic.max_abs_rate, 1e-15);
  EXPECT_GT(std::fabs(largest_rate - largest), 1e-12);
}

TEST(Residuals, OfTheStartCountToo) {
  for (const char* constraint : {"z' = y*x'", "y*x' = z'"}) {
    const System system = particle(constraint);
    const double off = 1e-16;  // still consistent
    const Trajectory run = integrate(system, {0, {1, 0, 0}, {0, 1, off}, {}}, options("gauss:2", 0.1, 0));
    EXPECT_NEAR(run.constraints.max_abs, off, 1e-22) << constraint;
    EXPECT_NEAR(run.last.max_constraint, off, 1e-22) << constraint;
  }
}

TEST(Residuals, OfASystemAtRestAreRoundingErrors) {
  // Two bodies with a hitch stand still; the hitch holds to rounding error, and steps correct that for ever.
  const auto parked = [](double angle, double length) {
    return System::parse(fmt::format(R"toml(
      coordinates = ["x", "y", "a", "X", "Y", "A"]
      lagrangian  = "(x'^2 + y'^2 + X'^2 + Y'^2)/2 + l^2*(a'^2 + A'^2)/2"
      holonomic   = ["X + l*cos(A) = x", "Y + l*sin(A) = y"]
      [parameters]
      l = {1}
      w = 0
      [initial]
      q = {{ a = 0.7, A = {0}, x = "l*cos({0})", y = "l*sin({0})" }}
      v = {{ A = "w", x = "-l*w*sin({0})", y = "l*w*cos({0})" }})toml",
                                     angle, length));
  };
  for (const char* const method : {"gauss:1", "gauss:2", "gauss:3", "lobatto-ab:2", "lobatto-ab:3"}) {
    for (const double length : {1e-6, 1.0, 1e6}) {
      for (double angle = 0.1; angle < 3; angle += 0.5) {
        for (const double w : {0.0, 1e-20}) {
          RunOptions o = options(method, 0.05, 1);
          o.set = {{"w", w}};
          const Trajectory run = integrate(parked(angle, length), o);
          const std::string what = fmt::format("{}, l = {}, A = {}, w = {}: ", method, length, angle, w);
          EXPECT_EQ(run.outcome.status, Status::done) << what << run.outcome.message;
          for (const Warning& warning : run.warnings) ADD_FAILURE() << what << warning.message;
          EXPECT_LE(run.holonomic.max_abs, 1e-15 * length);
          EXPECT_LE(run.holonomic.max_abs_rate, 1e-28 * length);
        }
      }
    }
  }
}

// However many of them are larger than ever before.
TEST(Residuals, AreComparedWithTheirRoundingErrorsAtOnce) {
  const System wheels = System::parse(R"toml(
    coordinates = ["x[1:20]", "y[1:20]"]
    lagrangian  = "sum(i, 1, 20, x[i]'^2 + y[i]'^2)/2"
    constraints = ["for i = 1:20: y[i]' = x[i]*x[i]'"]
    [initial]
    q = { "x[1:20]" = 1 }
    v = { "x[1:20]" = 1, "y[1:20]" = 1 })toml");
  const RunSetup<double> setup(wheels, nullptr, options("gauss:2", 0.1, 1), 1);
  Monitor<double> monitor(setup.program->monitored, setup.layout());
  double* const workspace = setup.stepper->workspace();
  monitor.start(workspace, 0);
  for (int i = 0; i < 20; ++i) workspace[setup.layout().state + 60 + i] += 3e-16;
  EXPECT_TRUE(monitor.look(workspace, 0.1));
  EXPECT_EQ(monitor.closer_looks(), 1);
  monitor.record(workspace, 0.1);
  EXPECT_TRUE(monitor.look(workspace, 0.2));
  EXPECT_EQ(monitor.closer_looks(), 1);
}

TEST(Rotations, ThatAreNoLongerOrthogonalEndARun) {
  const System body = System::parse(R"toml(
    coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
    lagrangian  = "(w1^2 + 2*w2^2 + 3*w3^2)/2"
    [initial]
    v = [0.1, 1, 0.2])toml");
  const RunSetup<double> setup(body, nullptr, options("gauss:2", 0.1, 1), 1);
  Monitor<double> monitor(setup.program->monitored, setup.layout());
  double* const workspace = setup.stepper->workspace();
  double& entry = workspace[setup.layout().state];  // R11
  monitor.start(workspace, 0);
  for (const double sign : {1.0, -1.0}) {
    // R11^2 - 1 is twice what R11 is off by.
    entry = 1 + sign * 2e-9;
    EXPECT_TRUE(monitor.look(workspace, 0.1)) << sign;
    monitor.record(workspace, 0.1);
    entry = 1 + sign * 2e-8;
    EXPECT_FALSE(monitor.look(workspace, 0.1)) << sign;
    EXPECT_NE(monitor.what().find("rotation"), std::string::npos);
    entry = 1;
  }
  Trajectory trajectory;
  monitor.fill(trajectory, body);
  EXPECT_NEAR(trajectory.rotations.value().max_abs, 4e-9, 1e-12);
}

TEST(ExactSolutions, SayNothingOfAMotionThatStartsElsewhere) {
  const System skate = testing::skate();
  const Trajectory own = integrate(skate, options("gauss:3", 0.1, 1));
  EXPECT_TRUE(own.about.has_exact);
  EXPECT_LT(own.error_at_end, 1e-8);
  EXPECT_NE(own.summary().find("largest error of the coordinates"), std::string::npos);
  for (const InitialState& start :
       {InitialState{0, {0, 1e-3, 0}, {0, 0, 1}, {}}, InitialState{0, {-1e-8, 0, 0}, {0, 0, 1}, {}},
        InitialState{0.5, {0, 0, 0}, {0, 0, 1}, {}}}) {
    const Trajectory other = integrate(skate, start, options("gauss:3", 0.1, 1));
    EXPECT_TRUE(other.about.has_exact);
    EXPECT_TRUE(std::isnan(other.error_at_end)) << other.error_at_end;
    EXPECT_NE(other.summary().find("the start is not on the known solution"), std::string::npos);
    EXPECT_EQ(other.summary().find("nan"), std::string::npos);
  }
}

/// In quadruple precision a state may be finite that is none as doubles.
TEST(ExtendedPrecision, StatesThatResultsCannotHoldEndARun) {
  const System system = System::parse("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"x^2\"\n"
                                      "[initial]\nq = [1e200]\nv = [0]");
  RunOptions run = options("mp", 1, 3);
  run.every = 1;
  for (const Precision precision : {Precision::long_double, Precision::quadruple}) {
    run.precision = precision;
    const Trajectory ended = integrate(system, run);
    EXPECT_EQ(ended.outcome.status, Status::failed);
    EXPECT_NE(ended.outcome.message.find("1e308"), std::string::npos) << ended.outcome.message;
    for (const Sample& sample : ended.samples) {
      EXPECT_TRUE(std::isfinite(sample.q[0]) && std::isfinite(sample.v[0])) << sample.t;
    }
  }
}

}  // namespace
}  // namespace noslip

// Systems of many coordinates: the same machinery, the same promises.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <noslip/run/stepper.hpp>

#include "run/help.hpp"
#include "support/allocation_count.hpp"

namespace noslip {
namespace {

/// A chain of masses and springs with the constraint y' = q[0] q[1]'.
System springs(int n) {
  return System::parse(fmt::format(R"toml(
    coordinates = ["q[0:{0}]", "y"]
    lagrangian  = "sum(i, 0, {0}, q[i]'^2/2) + y'^2/2 - sum(i, 1, {0}, (q[i] - q[i-1])^2/2 + (q[i] - q[i-1])^4/4) - q[0]^2/2 - y^2/2"
    constraints = ["y' = q[0]*q[1]'"]
    [initial]
    q = {{ "q[i=0:{0}]" = "sin(pi*(i + 1)/{0})" }}
    v = {{ "q[1]" = 0.5, y = "0.5*sin(pi/{0})" }})toml",
                                   n - 1));
}

/// A chain of links, each with a place and an angle, that hang together by position constraints.
System links(int n) {
  return System::parse(fmt::format(R"toml(
    coordinates = ["x[0:{0}]", "y[0:{0}]", "a[0:{0}]"]
    lagrangian  = "sum(i, 0, {0}, (x[i]'^2 + y[i]'^2)/2 + a[i]'^2/24 - y[i])"
    holonomic   = ["x[0] = cos(a[0])/2", "y[0] = sin(a[0])/2",
                   "for i = 1:{0}: x[i] - cos(a[i])/2 = x[i-1] + cos(a[i-1])/2",
                   "for i = 1:{0}: y[i] - sin(a[i])/2 = y[i-1] + sin(a[i-1])/2"]
    [initial]
    q = {{ "x[i=0:{0}]" = "i + 1/2" }})toml",
                                   n - 1));
}

TEST(Large, DoubleAgreesWithQuadruplePrecision) {
  const System system = springs(300);
  for (const char* method : {"mp", "gauss:2", "avf", "lobatto-ab:3"}) {
    RunOptions o = testing::options(method, 0.05, 0.25);
    const Trajectory run = integrate(system, o);
    o.precision = Precision::quadruple;
    const Trajectory exact = integrate(system, o);
    ASSERT_EQ(run.outcome.status, Status::done) << method;
    ASSERT_EQ(exact.outcome.status, Status::done) << method;
    for (std::size_t i = 0; i < run.last.q.size(); ++i) {
      EXPECT_NEAR(run.last.q[i], exact.last.q[i], 1e-14) << method << " " << i;
      EXPECT_NEAR(run.last.v[i], exact.last.v[i], 1e-13) << method << " " << i;
    }
    EXPECT_LE(run.constraints.max_abs, 1e-15);
  }
}

TEST(Large, MachineCodeAndInterpreterAgreeToTheLastBit) {
  const System system = springs(1000);
  for (const char* method : {"mp", "gauss:2"}) {
    RunOptions o = testing::options(method, 0.05, 0.2);
    const Trajectory compiled = integrate(system, o);
    o.backend = Backend::interpreter;
    const Trajectory interpreted = integrate(system, o);
    EXPECT_EQ(compiled.last.q, interpreted.last.q) << method;
    EXPECT_EQ(compiled.last.v, interpreted.last.v) << method;
  }
}

TEST(Large, ExplicitStepsStayExplicitAndNothingIsAllocated) {
  const System system = springs(1000);
  for (const char* method : {"mp", "gauss:2"}) {
    Stepper stepper(Program(system, {.method = method}), 0.05);
    EXPECT_EQ(stepper.program().is_explicit(), std::string(method) == "mp");
    stepper.advance(2);
    const long long before = testing::allocations;
    stepper.advance(20);
    EXPECT_EQ(testing::allocations, before) << method;
    EXPECT_LE(stepper.residual(), 1e-15);
  }
}

TEST(Large, ChainsInRedundantCoordinates) {
  const System system = links(60);  // 180 coordinates, 120 constraints
  for (const char* method : {"gauss:2", "lobatto-ab:2"}) {
    const Trajectory run = integrate(system, testing::options(method, 0.001, 0.05));
    ASSERT_EQ(run.outcome.status, Status::done) << method << run.outcome.message;
    EXPECT_LE(run.holonomic.max_abs, 1e-13) << method;
    EXPECT_LE(run.energy.max_abs_error, 1e-6) << method;
    // A chain that was held straight begins to fall like a rod about its end.
    EXPECT_NEAR(run.last.v.back(), -0.05 * 1.5 / 60, 0.02) << method;
  }
}

}  // namespace
}  // namespace noslip

// Forces and potentials written in C++: the same motion as from expressions, and what happens when they fail.
#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include <noslip/model/shown.hpp>
#include <noslip/model/symbols.hpp>

#include "run/help.hpp"

namespace noslip::testing {
namespace {

enum class As { expression, callable, callable_with_derivatives };

double pull(double x, double v) { return -x - x * x * x / 4 - v / 10; }

ExternalFunction pull_function(As as) {
  ExternalOptions options;
  if (as == As::callable_with_derivatives) {
    options.derivative = [](std::span<const double> a, std::size_t by) {
      return by == 0 ? -1 - 3 * a[0] * a[0] / 4 : -0.1;
    };
  }
  return {"pull", 2, [](std::span<const double> a) { return pull(a[0], a[1]); }, options};
}

/// A particle with a spring and a damper, z' = y x'.
System pulled(As as) {
  const Symbols s;
  const Expr x = s["x"], y = s["y"], z = s["z"];
  SystemText text;
  text.coordinates = {x, y, z};
  text.lagrangian = (sq(dot(x)) + sq(dot(y)) + sq(dot(z))) / 2 - sq(y);
  text.constraints = {equal(dot(z), y * dot(x))};
  text.forces = {{x, as == As::expression ? -x - pow(x, 3) / 4 - dot(x) / 10 : pull_function(as)(x, dot(x))}};
  text.q0 = {1, 0, 0};
  text.v0 = {0, 1, 0};
  return System::from(text);
}

double well(double x) { return 1 - std::cos(x) + x * x / 5; }

/// A particle in a well, which is part of the Lagrangian.
System in_a_well(As as) {
  const Symbols s;
  const Expr x = s["x"], y = s["y"], z = s["z"];
  ExternalOptions options;
  if (as == As::callable_with_derivatives) {
    options.derivative = [](std::span<const double> a, std::size_t) { return std::sin(a[0]) + 2 * a[0] / 5; };
  }
  const ExternalFunction function(
      "well", 1, [](std::span<const double> a) { return well(a[0]); }, options);
  SystemText text;
  text.coordinates = {x, y, z};
  const Expr potential = as == As::expression ? 1 - cos(x) + sq(x) / 5 : function(x);
  text.lagrangian = (sq(dot(x)) + sq(dot(y)) + sq(dot(z))) / 2 - potential - sq(y);
  text.constraints = {equal(dot(z), y * dot(x))};
  text.q0 = {1, 0, 0};
  text.v0 = {0, 1, 0};
  return System::from(text);
}

double distance(const Trajectory& a, const Trajectory& b) {
  double result = 0;
  for (std::size_t i = 0; i < a.last.q.size(); ++i) {
    result = std::max({result, std::abs(a.last.q[i] - b.last.q[i]), std::abs(a.last.v[i] - b.last.v[i])});
  }
  return result;
}

TEST(External, ForcesMoveAsExpressionsDo) {
  for (const char* method : {"gauss:2", "gauss:3", "mp", "lobatto-ab:3", "nh-lobatto:3", "cm"}) {
    const RunOptions o = options(method, 0.05, 10);
    const Trajectory expression = integrate(pulled(As::expression), o);
    const Trajectory exact = integrate(pulled(As::callable_with_derivatives), o);
    const Trajectory differences = integrate(pulled(As::callable), o);
    for (const Trajectory* run : {&expression, &exact, &differences}) {
      ASSERT_EQ(run->outcome.status, Status::done) << method << ": " << run->outcome.message;
      EXPECT_LT(run->balance.max_abs_error, 1e-3) << method;
    }
    EXPECT_LT(distance(expression, exact), 1e-13) << method;
    EXPECT_LT(distance(expression, differences), 1e-13) << method;
    // A step that is linear in its unknowns is solved without iterations. Nobody knows that of a function in C++.
    const bool is_linear = expression.solver.iterations_mean == 0;
    EXPECT_EQ(is_linear, std::string(method) == "mp") << method;
    EXPECT_NEAR(exact.solver.iterations_mean, is_linear ? 2 : expression.solver.iterations_mean, 0.02) << method;
    EXPECT_LE(differences.solver.iterations_max, (is_linear ? 2 : expression.solver.iterations_max) + 1) << method;
  }
}

TEST(External, PotentialsMoveAsExpressionsDo) {
  for (const char* method : {"gauss:2", "mp", "lobatto-ab:3"}) {
    const RunOptions o = options(method, 0.05, 10);
    const Trajectory expression = integrate(in_a_well(As::expression), o);
    EXPECT_LT(distance(expression, integrate(in_a_well(As::callable_with_derivatives), o)), 1e-13) << method;
    EXPECT_LT(distance(expression, integrate(in_a_well(As::callable), o)), 1e-8) << method;
  }
}

TEST(External, PotentialsKeepTheEnergyWhereTheMethodDoes) {
  for (const char* method : {"gonzalez", "itoh-abe", "avf", "energy:2", "gonzalez-full"}) {
    const RunOptions o = options(method, 0.05, 50);
    const Trajectory expression = integrate(in_a_well(As::expression), o);
    for (const As as : {As::callable_with_derivatives, As::callable}) {
      const Trajectory run = integrate(in_a_well(as), o);
      ASSERT_EQ(run.outcome.status, Status::done) << method << ": " << run.outcome.message;
      EXPECT_LT(run.energy.max_abs_error, 2e-13) << method;
      EXPECT_LT(distance(expression, run), as == As::callable ? 1e-7 : 1e-8) << method;
    }
  }
}

TEST(External, ExtendedPrecisionRuns) {
  for (const Precision precision : {Precision::long_double, Precision::quadruple}) {
    RunOptions o = options("gauss:2", 0.05, 2);
    const Trajectory expression = integrate(pulled(As::expression), o);
    o.precision = precision;
    const Trajectory run = integrate(pulled(As::callable_with_derivatives), o);
    ASSERT_EQ(run.outcome.status, Status::done) << run.outcome.message;
    EXPECT_LT(distance(expression, run), 1e-13);
  }
}

TEST(External, IsShown) {
  const auto facts = [](As as) {
    for (const Shown::Fact& fact : shown(pulled(as)).facts) {
      if (fact.key == "external_functions") return fact.label + ": " + fact.text;
    }
    return std::string();
  };
  EXPECT_EQ(facts(As::expression), "");
  EXPECT_EQ(facts(As::callable), "functions written in C++: pull (derivatives by differences)");
  EXPECT_EQ(facts(As::callable_with_derivatives),
            "functions written in C++: pull (first derivatives given, others by differences)");
  ASSERT_EQ(pulled(As::callable).structure().external.size(), 1U);
}

TEST(External, MachineCodeIsRefusedWhereItIsAskedFor) {
  if (!why_no_machine_code().empty()) GTEST_SKIP();
  RunOptions o = options("gauss:2", 0.05, 1);
  o.backend = Backend::jit;
  try {
    integrate(pulled(As::callable), o);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'pull' is a function written in C++"), std::string::npos) << error.what();
  }
}

/// A force that does something at x < 0.
template <class Then>
System until_zero(Then then) {
  const Symbols s;
  const Expr x = s["x"];
  const ExternalFunction force("force", 1, [then](std::span<const double> a) { return a[0] < 0 ? then() : -1.0; });
  SystemText text;
  text.coordinates = {x};
  text.lagrangian = sq(dot(x)) / 2;
  text.forces = {{x, force(x)}};
  text.q0 = {1};
  return System::from(text);
}

TEST(External, WhatItThrowsLeavesTheRun) {
  const System system = until_zero([]() -> double { throw std::domain_error("x is negative"); });
  try {
    integrate(system, options("gauss:2", 0.1, 10));
    FAIL();
  } catch (const std::domain_error& error) {
    EXPECT_STREQ(error.what(), "x is negative");
  }
  const Trajectory before = integrate(system, options("gauss:2", 0.1, 1));
  EXPECT_EQ(before.outcome.status, Status::done);
  EXPECT_NEAR(before.last.q[0], 0.5, 1e-14);
}

TEST(External, WhatIsNotFiniteFailsTheStep) {
  const System system = until_zero([] { return std::numeric_limits<double>::quiet_NaN(); });
  const Trajectory run = integrate(system, options("gauss:2", 0.1, 10));
  EXPECT_NE(run.outcome.status, Status::done);
  EXPECT_GE(run.steps, 12);
  EXPECT_LE(run.steps, 14);
  EXPECT_GT(run.last.q[0], 0);
  EXPECT_TRUE(std::isfinite(run.last.v[0]));
}

TEST(External, AnglesHaveToEnterThroughFunctionsOfThem) {
  const Symbols s;
  const Expr a = s["a"];
  const ExternalFunction torque("torque", 2, [](std::span<const double> x) { return -x[0]; });
  SystemText text;
  text.coordinates = {a};
  text.lagrangian = sq(dot(a)) / 2;
  text.angles = {a};
  text.forces = {{a, torque(sin(a), dot(a))}};
  EXPECT_NO_THROW(System::from(text));
  text.forces = {{a, torque(a, dot(a))}};
  try {
    System::from(text);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'torque(a, a')' is not 2 pi periodic in the angle 'a'"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace noslip::testing

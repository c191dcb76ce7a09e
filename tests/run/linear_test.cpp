// Large systems whose steps are linear equations, or sparse ones: explicit at every size, with factors that are kept.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/run/stepper.hpp>

#include "run/help.hpp"
#include "run/program_data.hpp"
#include "support/chains.hpp"

namespace noslip {
namespace {

using testing::linear_chain;
using testing::linear_skates;
using testing::net;
using testing::trailers_on_circle;

std::vector<double> moved(const Stepper<double>& stepper, int lane = 0) {
  std::vector<double> all(stepper.q(lane).begin(), stepper.q(lane).end());
  all.insert(all.end(), stepper.v(lane).begin(), stepper.v(lane).end());
  return all;
}

bool is_explicit(const System& system, const char* method) {
  return Program(system, {.method = method}).data().steps->is_explicit();
}

TEST(LargeLinear, StepsAreExplicitAtEverySize) {
  for (const int n : {3, 100, 400}) {
    for (const char* method : {"gauss:3", "avf", "lobatto-ab:3"}) EXPECT_TRUE(is_explicit(linear_chain(n), method)) << n;
  }
  for (const int n : {3, 20, 100}) EXPECT_TRUE(is_explicit(linear_skates(n), "gauss:2")) << n;
  for (const int n : {4, 10, 12}) EXPECT_TRUE(is_explicit(net(n), "gauss:2")) << n;
  EXPECT_TRUE(is_explicit(net(20), "lobatto-ab:3"));
}

// Whichever way the skates point: pivots that vanish where a skate has turned would make steps iterate.
TEST(LargeLinear, StepsStayExplicitAlongARun) {
  const Trajectory run = integrate(linear_skates(20), testing::options("gauss:2", 0.01, 20));
  ASSERT_EQ(run.outcome.status, Status::done);
  EXPECT_EQ(run.solver.iterations_max, 0);
}

// Were factors full, four times the size would be sixteen times the expressions and numbers.
TEST(LargeLinear, FactorsGrowInProportion) {
  const auto expressions = [](const System& system, const char* method) {
    return static_cast<double>(Program(system, {.method = method}).data().recipe.graph->size());
  };
  const auto bytes = [](const System& system, const char* method) {
    return static_cast<double>(Stepper<double>(Program(system, {.method = method}), 0.05).save().size());
  };
  for (const char* method : {"gauss:3", "avf"}) {
    EXPECT_LE(expressions(linear_chain(400), method), 4.5 * expressions(linear_chain(100), method)) << method;
    EXPECT_LE(bytes(linear_chain(400), method), 4.2 * bytes(linear_chain(100), method)) << method;
  }
  EXPECT_LE(expressions(linear_skates(120), "gauss:2"), 4.5 * expressions(linear_skates(30), "gauss:2"));
  EXPECT_LE(bytes(linear_skates(120), "gauss:2"), 4.5 * bytes(linear_skates(30), "gauss:2"));
}

// Factors of fixed coefficients have the same rounding errors in all steps.
TEST(LargeLinear, EnergyDoesNotDrift) {
  for (const int n : {8, 40}) {
    for (const char* method : {"avf", "gonzalez", "energy:2"}) {
      RunOptions o = testing::options(method, 0.1, 1e4);
      const Trajectory run = integrate(linear_chain(n), o);
      ASSERT_EQ(run.outcome.status, Status::done) << method;
      EXPECT_LE(run.energy.max_abs_error, 2e-14 * run.energy.initial) << method << " " << n;
    }
  }
}

TEST(LargeLinear, DoubleAgreesWithQuadruplePrecisionAndTheInterpreter) {
  for (const System& system : {linear_chain(100), linear_skates(30)}) {
    RunOptions o = testing::options("gauss:2", 0.05, 1);
    const Trajectory run = integrate(system, o);
    o.backend = Backend::interpreter;
    const Trajectory interpreted = integrate(system, o);
    EXPECT_EQ(run.last.q, interpreted.last.q);
    EXPECT_EQ(run.last.v, interpreted.last.v);
    o.precision = Precision::quadruple;
    const Trajectory exact = integrate(system, o);
    for (std::size_t i = 0; i < run.last.q.size(); ++i) {
      EXPECT_NEAR(run.last.q[i], exact.last.q[i], 1e-13) << i;
      EXPECT_NEAR(run.last.v[i], exact.last.v[i], 1e-13) << i;
    }
  }
}

// What is computed once for many steps belongs to one step size and to one set of parameters.
TEST(LargeLinear, ConstantsFollowStepAndParameters) {
  const System system = linear_chain(60);
  const Program program(system, {.method = "gauss:2"});
  ASSERT_TRUE(program.data().steps->plans.front().has_constants);
  const InitialState start = system.initial_state(system.parameter_values());
  const auto fresh = [&](double h, double k) {
    Stepper<double> stepper(program, h);
    stepper.set_parameters(std::vector<double>{k});
    stepper.set_state(start);
    stepper.advance(3);
    return moved(stepper);
  };
  Stepper<double> stepper(program, 0.1);
  const auto from_start = [&] {
    stepper.set_state(start);
    stepper.advance(3);
    return moved(stepper);
  };
  EXPECT_EQ(from_start(), fresh(0.1, 1));
  stepper.set_step(0.05);
  EXPECT_EQ(from_start(), fresh(0.05, 1));
  stepper.advance(2);
  stepper.set_parameters(std::vector<double>{3});
  const std::vector<double> before = moved(stepper);
  stepper.advance(1);
  Stepper<double> other(program, 0.05);
  other.set_parameters(std::vector<double>{3});
  other.load(stepper.save());
  EXPECT_EQ(from_start(), fresh(0.05, 3));
  other.set_state(start);
  other.advance(3);
  EXPECT_EQ(moved(other), fresh(0.05, 3));
  EXPECT_NE(before, moved(stepper));
}

TEST(LargeLinear, LanesHaveParametersOfTheirOwn) {
  const System system = linear_chain(60);
  Stepper<double> lanes(Program(system, {.method = "gauss:2", .lanes = 4}), 0.1);
  Stepper<double> alone(Program(system, {.method = "gauss:2"}), 0.1);
  for (int l = 0; l < 4; ++l) lanes.set_parameters(std::vector<double>{1.0 + l}, l);
  alone.set_parameters(std::vector<double>{3});
  lanes.advance(20);
  alone.advance(20);
  EXPECT_EQ(moved(lanes, 2), moved(alone));
}

bool is_fused(const System& system, const char* method) {
  return Program(system, {.method = method}).data().steps->plans.front().solves.front().fused;
}

TEST(SparseMatrix, EliminationIsRecordedWhileItIsShort) {
  for (const int n : {10, 11, 13, 20}) EXPECT_TRUE(is_fused(trailers_on_circle(n), "gauss:3")) << n;
  EXPECT_TRUE(is_fused(net(15, "1"), "gauss:2"));
}

/// So many masses that the elimination is not recorded.
constexpr int many_masses = 20;

TEST(SparseMatrix, FactorsLast) {
  const Program program(net(many_masses, "1"), {.method = "gauss:2"});
  ASSERT_FALSE(program.data().steps->plans.front().solves.front().fused);
  Stepper<double> stepper(program, 0.05), chunks(program, 0.05);
  const std::size_t without_factors = stepper.save().size();
  stepper.advance(3);
  EXPECT_GT(stepper.save().size(), without_factors);
  for (int chunk = 0; chunk < 3; ++chunk) {
    chunks.advance(1);
    Stepper<double> next(program, 0.05);
    next.load(chunks.save());
    chunks = std::move(next);
  }
  EXPECT_EQ(moved(chunks), moved(stepper));
}

TEST(SparseMatrix, DoubleAgreesWithTheInterpreterAndLongDouble) {
  const System system = net(many_masses, "1");
  RunOptions o = testing::options("gauss:2", 0.05, 1);
  const Trajectory run = integrate(system, o);
  o.backend = Backend::interpreter;
  const Trajectory interpreted = integrate(system, o);
  EXPECT_EQ(run.last.q, interpreted.last.q);
  EXPECT_EQ(run.last.v, interpreted.last.v);
  o.precision = Precision::long_double;
  const Trajectory exact = integrate(system, o);
  for (std::size_t i = 0; i < run.last.q.size(); ++i) EXPECT_NEAR(run.last.v[i], exact.last.v[i], 2e-14) << i;
}

}  // namespace
}  // namespace noslip

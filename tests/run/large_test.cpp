// Systems of many coordinates: the same machinery, the same promises.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/method/method.hpp>
#include <noslip/model/continuous.hpp>
#include <noslip/run/step_program.hpp>
#include <noslip/run/stepper.hpp>

#include "run/help.hpp"
#include "support/allocation_count.hpp"
#include "support/chains.hpp"

namespace noslip {
namespace {

using testing::links;
using testing::rods;
using testing::skates;
using testing::springs;
using testing::trailers;

/// How many expressions a step takes, all its derivatives and eliminations included.
std::size_t expressions_of(const System& system, const std::string& method) {
  const StepRecipe recipe = find_method(method)->record(system);
  const std::vector<double> parameters = system.parameter_values();
  const InitialState initial = system.initial_state(parameters);
  std::vector<Problem> none;
  const ContinuousState at = Continuous(system, parameters).evaluate(initial, none);
  std::vector<double> state = initial.q;
  state.insert(state.end(), initial.v.begin(), initial.v.end());
  const StepProgram<double> program(recipe, {0, 0.01, parameters, state, at.accelerations, at.multipliers},
                                    Backend::interpreter, 1);
  return recipe.graph->size();
}

TEST(ManyConstraints, StepsGrowAsTheConstraintsDo) {
  for (const char* method : {"gonzalez", "avf"}) {
    const std::size_t few = expressions_of(skates(6), method), many = expressions_of(skates(24), method);
    EXPECT_LT(many, 5 * few) << method;
  }
  // Each of these constraints contains all coordinates of those before it, and so do the reflections.
  const std::size_t few = expressions_of(trailers(5), "gonzalez"), many = expressions_of(trailers(9), "gonzalez");
  EXPECT_LT(many, 4 * few);
}

void expect_energy_and_digits(const System& system, const char* method, double h) {
  RunOptions o = testing::options(method, h, 20 * h);
  const Trajectory run = integrate(system, o);
  o.precision = Precision::quadruple;
  const Trajectory exact = integrate(system, o);
  ASSERT_EQ(run.outcome.status, Status::done) << method << run.outcome.message;
  ASSERT_EQ(exact.outcome.status, Status::done) << method << exact.outcome.message;
  EXPECT_LE(run.energy.max_abs_error, 5e-15 * std::max(1.0, std::fabs(run.energy.initial))) << method;
  EXPECT_LE(exact.energy.max_abs_error, 1e-30 * std::max(1.0, std::fabs(run.energy.initial))) << method;
  EXPECT_LE(run.constraints.max_abs, 1e-15) << method;
  for (std::size_t i = 0; i < run.last.q.size(); ++i) {
    EXPECT_NEAR(run.last.q[i], exact.last.q[i], 1e-13) << method << " " << i;
    EXPECT_NEAR(run.last.v[i], exact.last.v[i], 1e-12) << method << " " << i;
  }
}

TEST(ManyConstraints, EnergyIsConservedToRounding) {
  expect_energy_and_digits(skates(12), "gonzalez", 0.05);
  expect_energy_and_digits(skates(12), "avf", 0.05);
  expect_energy_and_digits(trailers(11), "gonzalez", 0.05);
}

/// Where signs of the basis change between two steps, the search for quasi-velocities begins in the new basis.
TEST(ManyConstraints, NewSignsOfTheBasisCostNoIterations) {
  const System system = skates(12);
  const Trajectory run = integrate(system, testing::options("gonzalez", 0.01, 2));
  ASSERT_EQ(run.outcome.status, Status::done);
  EXPECT_LE(run.solver.iterations_max, 8);
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

/// Enough links for a dense solve in loops, whose factors last for several steps.
constexpr int many_rods = 30;

TEST(FullMatrix, DoubleAgreesWithQuadruplePrecision) {
  const System system = rods(many_rods);
  RunOptions o = testing::options("gauss:2", 0.01, 0.2);
  const Trajectory run = integrate(system, o);
  o.precision = Precision::quadruple;
  const Trajectory exact = integrate(system, o);
  ASSERT_EQ(run.outcome.status, Status::done);
  ASSERT_EQ(exact.outcome.status, Status::done);
  EXPECT_LE(run.energy.max_abs_error, 1e-3);
  for (std::size_t i = 0; i < run.last.q.size(); ++i) {
    EXPECT_NEAR(run.last.q[i], exact.last.q[i], 1e-13) << i;
    EXPECT_NEAR(run.last.v[i], exact.last.v[i], 1e-11) << i;
  }
}

TEST(FullMatrix, EnergyIsConservedToRounding) {
  for (const char* method : {"gonzalez", "avf", "energy:2"}) expect_energy_and_digits(rods(6), method, 0.02);
  expect_energy_and_digits(rods(12), "gonzalez", 0.02);
  const Trajectory run = integrate(rods(50), testing::options("gonzalez", 0.01, 0.3));
  ASSERT_EQ(run.outcome.status, Status::done);
  EXPECT_LE(run.energy.max_abs_error, 2e-15 * std::fabs(run.energy.initial));
}

/// Quasi-velocities of a full matrix are not written out: their solution would have so many operations, and its
/// derivatives the square of their number as often.
TEST(FullMatrix, StepsOfEnergyMethodsGrowAsTheMatrixDoes) {
  for (const char* method : {"gonzalez", "gonzalez-full"}) {
    const std::size_t few = expressions_of(rods(10), method), many = expressions_of(rods(20), method);
    EXPECT_LT(many, 8 * few) << method;
  }
}

TEST(FullMatrix, MachineCodeAndInterpreterAgreeToTheLastBit) {
  const System system = rods(many_rods);
  RunOptions o = testing::options("gauss:2", 0.01, 0.2);
  const Trajectory compiled = integrate(system, o);
  o.backend = Backend::interpreter;
  const Trajectory interpreted = integrate(system, o);
  EXPECT_EQ(compiled.last.q, interpreted.last.q);
  EXPECT_EQ(compiled.last.v, interpreted.last.v);
}

TEST(FullMatrix, FactorsLastAndNothingIsAllocated) {
  Stepper stepper(Program(rods(many_rods), {.method = "gauss:2"}), 0.01);
  const std::size_t without_factors = stepper.save().size();
  stepper.advance(2);
  const long long before = testing::allocations;
  stepper.advance(30);
  EXPECT_EQ(testing::allocations, before);
  stepper.advance(1);
  const std::size_t of_stages = sizeof(double) * 4 * many_rods * many_rods;
  EXPECT_GT(stepper.save().size(), without_factors + of_stages);
}

std::vector<double> numbers_of(const Stepper<double>& stepper, int lane = 0) {
  std::vector<double> all(stepper.q(lane).begin(), stepper.q(lane).end());
  all.insert(all.end(), stepper.v(lane).begin(), stepper.v(lane).end());
  return all;
}

TEST(FullMatrix, FactorsAreSaved) {
  const Program program(rods(many_rods), {.method = "gauss:2"});
  Stepper whole(program, 0.01), chunks(program, 0.01);
  for (int chunk = 0; chunk < 6; ++chunk) {
    whole.advance(5);
    chunks.advance(5);
    Stepper next(program, 0.01);
    next.load(chunks.save());
    chunks = std::move(next);
    ASSERT_EQ(numbers_of(chunks), numbers_of(whole)) << chunk;
  }
}

/// What follows a new state, new parameters or another step size does not depend on the steps before.
TEST(FullMatrix, FactorsAreForgotten) {
  const System system = rods(many_rods);
  const Program program(system, {.method = "gauss:2"});
  const InitialState start = system.initial_state(system.parameter_values());
  Stepper one(program, 0.01), other(program, 0.01);
  one.advance(7);
  one.set_state(start);
  for (Stepper<double>* stepper : {&one, &other}) stepper->advance(3);
  EXPECT_EQ(numbers_of(one), numbers_of(other));
  const auto go_on = [&](Stepper<double>& stepper) {
    stepper.set_state(start);
    stepper.set_step(0.02);
    stepper.advance(2);
    stepper.set_parameters(std::vector<double>{2});
    stepper.advance(2);
    return numbers_of(stepper);
  };
  EXPECT_EQ(go_on(one), go_on(other));
}

TEST(FullMatrix, LanesDoNotDependOnEachOther) {
  const System system = rods(many_rods);
  Stepper lanes(Program(system, {.method = "gauss:2", .lanes = 4}), 0.01);
  Stepper alone(Program(system, {.method = "gauss:2"}), 0.01);
  InitialState start = system.initial_state(system.parameter_values());
  for (int l = 0; l < 4; ++l) {
    for (double& v : start.v) v *= 1.5;
    lanes.set_state(start, l);
    if (l == 2) alone.set_state(start);
  }
  lanes.advance(12);
  alone.advance(12);
  EXPECT_EQ(numbers_of(lanes, 2), numbers_of(alone));
}

TEST(ManyStages, PositionsThatAreUnknownsChangeNothingButRounding) {
  const System sleigh = System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + a*theta'*(y'*cos(theta) - x'*sin(theta)) + x"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [parameters]
    a = 0.3
    [initial]
    v = [1, 0, 0.7])toml");
  RunOptions options;
  options.step = 0.25;
  options.steps = 20;
  for (const char* family : {"gauss", "nh-lobatto"}) {
    options.method = std::string(family) + ":14";
    options.backend = Backend::automatic;
    const Trajectory few = integrate(sleigh, options);
    options.method = std::string(family) + ":20";
    const Trajectory many = integrate(sleigh, options);
    ASSERT_EQ(many.outcome.status, Status::done) << many.outcome.message;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(many.last.q[i], few.last.q[i], 1e-12) << family;
      EXPECT_NEAR(many.last.v[i], few.last.v[i], 1e-12) << family;
    }
    options.backend = Backend::interpreter;
    const Trajectory interpreted = integrate(sleigh, options);
    EXPECT_EQ(interpreted.last.q, many.last.q) << family;
    EXPECT_EQ(interpreted.last.v, many.last.v) << family;
  }
}

}  // namespace
}  // namespace noslip

// Invariants over long runs, reversibility, back ends, lanes, failures, allocation.
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

#include <noslip/run/lane_stepper.hpp>

#include "run/help.hpp"
#include "run/setup.hpp"
#include "support/allocations.hpp"

namespace noslip {
namespace {

using testing::distance;
using testing::options;

TEST(LongRun, EnergyAndConstraintsDoNotDrift) {
  const Trajectory run = integrate(testing::particle(), options("gauss:3", 0.1, 50000));
  EXPECT_LE(run.constraints.max_abs, 1e-15);
  EXPECT_LT(run.energy.max_abs_error, 2.5e-9);
  EXPECT_LT(std::fabs(run.energy.drift_per_time), 1e-16);
}

TEST(LongRun, RoundingErrorsWalkInsteadOfDrifting) {
  // The truncation error is below rounding here: what is left is the walk of rounding errors.
  const Trajectory run = integrate(testing::particle(), options("gauss:5", 0.1, 50000));
  EXPECT_LT(run.energy.max_abs_error, 4e-13);
  EXPECT_LT(std::fabs(run.energy.drift_per_time), 8e-18);
}

TEST(Symmetry, StepBackwardsReturnsToTheStart) {
  for (const System& system : {testing::particle(), testing::sleigh()}) {
    const Trajectory there = integrate(system, options("gauss:2", 0.1, 5));
    std::vector<double> reversed = there.last.v;
    for (double& v : reversed) v = -v;
    const Trajectory back = integrate(system, {0, there.last.q, reversed}, options("gauss:2", 0.1, 5));
    const InitialState start = system.initial_state(system.parameter_values());
    EXPECT_LT(distance(back.last.q, start.q), 1e-13);
    std::vector<double> v = back.last.v;
    for (double& x : v) x = -x;
    EXPECT_LT(distance(v, start.v), 1e-13);
  }
}

TEST(Backends, AgreeBitForBit) {
  if (!why_no_machine_code().empty()) GTEST_SKIP() << why_no_machine_code();
  for (const System& system : {testing::particle(), testing::skate(), testing::sleigh()}) {
    for (const char* method : {"gauss:1", "gauss:2", "gauss:3", "gauss:5"}) {
      RunOptions o = options(method, 0.1, 20);
      o.backend = Backend::jit;
      const Trajectory jit = integrate(system, o);
      o.backend = Backend::interpreter;
      const Trajectory interpreted = integrate(system, o);
      EXPECT_EQ(jit.about.backend, Backend::jit);
      EXPECT_EQ(interpreted.about.backend, Backend::interpreter);
      EXPECT_EQ(jit.last.q, interpreted.last.q);
      EXPECT_EQ(jit.last.v, interpreted.last.v);
      EXPECT_EQ(jit.energy.max_abs_error, interpreted.energy.max_abs_error);
      EXPECT_EQ(jit.solver.iterations_mean, interpreted.solver.iterations_mean);
    }
  }
}

TEST(Unknowns, ImpulsesAndIncrementsGiveTheSameStep) {
  // exp(x)*exp(-x) is one, but not to the eye that looks for a constant mass matrix.
  const System hidden = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "exp(x)*exp(-x)*(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2"
    constraints = ["z' = y*x'"]
    [initial]
    q = [1, 0, 0]
    v = [0, 1, 0]
  )toml");
  ASSERT_FALSE(hidden.structure().constant_mass);
  ASSERT_TRUE(testing::particle().structure().constant_mass);
  for (const char* method : {"gauss:1", "gauss:2", "gauss:4"}) {
    const Trajectory a = integrate(hidden, options(method, 0.2, 10));
    const Trajectory b = integrate(testing::particle(), options(method, 0.2, 10));
    EXPECT_LT(distance(a.last.q, b.last.q), 1e-13);
    EXPECT_LT(distance(a.last.v, b.last.v), 1e-13);
  }
}

TEST(Backends, PrecisionsAgree) {
  for (const Precision precision : {Precision::long_double, Precision::quadruple}) {
    RunOptions o = options("gauss:2", 0.1, 5);
    const Trajectory plain = integrate(testing::sleigh(), o);
    o.precision = precision;
    const Trajectory other = integrate(testing::sleigh(), o);
    EXPECT_LT(distance(plain.last.q, other.last.q), 1e-13);
    EXPECT_GT(distance(plain.last.q, other.last.q), 0);
  }
}

std::vector<double> start_of_lane(int lane) {
  const double y = 0.1 * lane, vx = 0.3 - 0.17 * lane;
  return {1.0 + 0.05 * lane, y, 0.0, vx, 1.0, y * vx};
}

TEST(Lanes, DoNotDependOnTheirNeighbours) {
  const System system = testing::curved_particle();
  const InitialState start = system.initial_state({});
  for (const char* method : {"gauss:2", "gauss:3", "gauss:36", "mp", "cm"}) {  // gauss:36 is not fused, mp is explicit
    const RunOptions o = options(method, 0.25, 1);
    std::vector<std::vector<double>> alone;
    RunSetup<double> one(system, &start, o, 1, 0);
    EXPECT_EQ(one.program->steps->is_explicit(), std::string(method) == "mp");
    if (!one.program->steps->is_explicit()) {
      EXPECT_EQ(one.program->steps->plans.front().solves[0].fused, std::string(method) != "gauss:36");
    }
    for (int lane = 0; lane < 8; ++lane) {
      one.stepper->set_state(0, start_of_lane(lane));
      ASSERT_EQ(one.stepper->advance(0, 0.25, 0, 200), 200);
      alone.emplace_back(6);
      one.stepper->copy_state(0, alone.back());
    }
    for (const int lanes : {4, 8}) {
      RunSetup<double> many(system, &start, o, lanes, 0);
      for (int lane = 0; lane < lanes; ++lane) many.stepper->set_state(lane, start_of_lane(lane));
      ASSERT_EQ(many.stepper->advance(0, 0.25, 0, 200), 200);
      for (int lane = 0; lane < lanes; ++lane) {
        std::vector<double> state(6);
        many.stepper->copy_state(lane, state);
        EXPECT_EQ(state, alone[lane]) << method << ", lane " << lane << " of " << lanes;
      }
    }
  }
}

TEST(Lanes, OneThatFailsLeavesTheOthersAlone) {
  const System fall = System::parse(R"toml(
    coordinates = ["r"]
    lagrangian  = "r'^2/2 + 1/r^2"
    [initial]
    q = [4])toml");
  const InitialState start = fall.initial_state({});
  const RunOptions o = options("gauss:2", 0.05, 1);
  RunSetup<double> one(fall, &start, o, 1, 0), many(fall, &start, o, 4, 0);
  const std::vector<double> good = {4.0, 0.0}, bad = {1.0, 0.0};  // the second reaches the centre before t = 1
  one.stepper->set_state(0, good);
  ASSERT_EQ(one.stepper->advance(0, 0.05, 0, 40), 40);
  for (int lane = 0; lane < 4; ++lane) many.stepper->set_state(lane, lane == 2 ? bad : good);
  many.stepper->advance(0, 0.05, 0, 40);
  for (int lane = 0; lane < 4; ++lane) {
    EXPECT_EQ(many.stepper->failed(lane), lane == 2);
    EXPECT_TRUE(std::isfinite(many.stepper->state(lane, 0)));
    if (lane == 2) continue;
    EXPECT_EQ(many.stepper->state(lane, 0), one.stepper->state(0, 0));
  }
}

TEST(Failure, IsAStatusWithTheLastGoodState) {
  // Runs into a singularity: the particle falls into the centre in finite time.
  const System fall = System::parse(R"toml(
    coordinates = ["r"]
    lagrangian  = "r'^2/2 + 1/r^2"
    [initial]
    q = [1])toml");
  const Trajectory run = integrate(fall, options("gauss:3", 0.05, 10));
  EXPECT_EQ(run.outcome.status, Status::failed);
  EXPECT_NE(run.outcome.message.find("try a smaller step"), std::string::npos);
  EXPECT_GT(run.steps, 5);
  EXPECT_TRUE(std::isfinite(run.last.q[0]) && std::isfinite(run.last.v[0]) && std::isfinite(run.energy.final));
  EXPECT_NEAR(run.last.t, static_cast<double>(run.steps) * 0.05, 1e-12);
}

TEST(Failure, LogarithmOfSomethingNegativeNeverReachesTheOutput) {
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 - log(x)^3"
    [initial]
    q = [1]
    v = [-3])toml");
  const Trajectory run = integrate(system, options("gauss:2", 0.25, 50));
  EXPECT_EQ(run.outcome.status, Status::failed);
  EXPECT_FALSE(run.outcome.message.empty());
  EXPECT_TRUE(std::isfinite(run.last.q[0]) && std::isfinite(run.last.v[0]) && std::isfinite(run.energy.max_abs_error));
}

System becomes_dependent() {
  // The two constraints are the same at phi = pi/2.
  return System::parse(R"toml(
    coordinates = ["x", "y", "phi"]
    lagrangian  = "(x'^2 + y'^2 + phi'^2)/2"
    constraints = ["cos(phi)*x' + sin(phi)*y' = 0", "y' = 0"]
    [initial]
    v = [0, 0, 1])toml");
}

TEST(Failure, ConstraintsThatBecomeDependentGiveNoNaN) {
  for (const double step : {0.1, 1.5707963267948966 / 16}) {
    RunOptions o = options("gauss:2", step, 16 * 1.5707963267948966 / 8);
    o.every = 3;
    const Trajectory run = integrate(becomes_dependent(), o);
    for (const Sample& sample : run.samples) {
      for (const double x : sample.q) EXPECT_TRUE(std::isfinite(x));
      for (const double x : sample.v) EXPECT_TRUE(std::isfinite(x));
      EXPECT_EQ(sample.multipliers.size(), 2u);
    }
    EXPECT_EQ(run.samples.back().t, run.last.t);
  }
}

TEST(Failure, LanesNeverTakeANaNForConverged) {
  const System system = becomes_dependent();
  for (const int lanes : {1, 4}) {
    RunSetup<double> setup(system, nullptr, options("gauss:2", 1.5707963267948966 / 16, 1), lanes, 0);
    setup.stepper->advance(0, 1.5707963267948966 / 16, 0, 64);
    for (int lane = 0; lane < lanes; ++lane) {
      for (int i = 0; i < 6; ++i) EXPECT_TRUE(std::isfinite(setup.stepper->state(lane, i)));
    }
  }
}

TEST(Failure, TheLastGoodStateIsStored) {
  const System fall = System::parse(R"toml(
    coordinates = ["r"]
    lagrangian  = "r'^2/2 + 1/r^2"
    [initial]
    q = [1])toml");
  RunOptions o = options("gauss:3", 0.05, 10);
  o.every = 1000;
  const Trajectory run = integrate(fall, o);
  ASSERT_EQ(run.outcome.status, Status::failed);
  ASSERT_EQ(run.samples.size(), 2u);
  EXPECT_EQ(run.samples.back().t, run.last.t);
  EXPECT_EQ(run.samples.back().q, run.last.q);
}

TEST(Failure, LargeStepsStillConverge) {
  const Trajectory run = integrate(testing::particle(), options("gauss:3", 0.8, 80));
  EXPECT_EQ(run.outcome.status, Status::done) << run.outcome.message;
  EXPECT_LE(run.constraints.max_abs, 1e-15);
}

TEST(Allocation, NoneFromTheSecondStepOn) {
  for (const char* method : {"gauss:2", "gauss:24"}) {
    for (const Backend backend : {Backend::automatic, Backend::interpreter}) {
      RunOptions o = options(method, 0.1, 1);
      o.backend = backend;
      const System system = testing::sleigh();
      RunSetup<double> setup(system, nullptr, o, 1, 0);
      EXPECT_EQ(setup.program->steps->plans.back().solves[0].fused, std::string(method) == "gauss:2");
      setup.stepper->advance(0, 0.1, 0, 1);
      const long long before = testing::allocations;
      setup.stepper->advance(0, 0.1, 1, 200);
      EXPECT_EQ(testing::allocations, before) << method;
    }
  }
}

TEST(Allocation, NoneWhereAnglesTurn) {
  const System system = System::parse(R"toml(
    coordinates = ["theta"]
    angles      = ["theta"]
    lagrangian  = "theta'^2/2 + cos(theta)"
    [initial]
    v = [9])toml");
  for (const char* method : {"gauss:2", "mp"}) {
    RunSetup<double> setup(system, nullptr, options(method, 0.1, 1), 1, 0);
    setup.stepper->advance(0, 0.1, 0, 1);
    const long long before = testing::allocations;
    setup.stepper->advance(0, 0.1, 1, 200);
    EXPECT_EQ(testing::allocations, before) << method;
    EXPECT_GT(setup.stepper->state(0, 0), 100) << method;
  }
}

TEST(Pivots, ThatTurnSmallAreReplacedByAPivotedSolve) {
  // The mass matrix is regular everywhere, but its diagonal, a good choice of pivots at phi = 0, vanishes at pi/2,
  // where with this step the stage of the third step lies.
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "phi"]
    lagrangian  = "cos(phi)*(x'^2 - y'^2)/2 + sin(phi)*x'*y' + phi'^2/2"
    [initial]
    v = [0, 0, 1])toml");
  const double h = 3.14159265358979 / 5;
  RunSetup<double> setup(system, nullptr, options("gauss:1", h, 1), 1, 0);
  ASSERT_TRUE(setup.program->steps->plans.back().solves[0].fused);
  ASSERT_EQ(setup.stepper->advance(0, h, 0, 40), 40);
  EXPECT_GT(setup.stepper->pivoted_iterations(), 0);
  EXPECT_LT(setup.stepper->pivoted_iterations(), 80);
  EXPECT_NEAR(setup.stepper->state(0, 2), 40 * h, 1e-13);
  EXPECT_EQ(setup.stepper->state(0, 0), 0);
}

TEST(Conditioning, RoundingErrorsLargerThanUsualAreRecognised) {
  // Twenty coordinates, mass matrix of condition 1e5: corrections cannot become as small as in small systems.
  const System chain = System::load(std::string(NOSLIP_SOURCE_DIR) + "/examples/systems/chain20.toml");
  const Trajectory coarse = integrate(chain, options("gauss:2", 0.01, 0.4));
  const Trajectory fine = integrate(chain, options("gauss:2", 0.005, 0.4));
  ASSERT_EQ(coarse.outcome.status, Status::done) << coarse.outcome.message;
  ASSERT_EQ(fine.outcome.status, Status::done) << fine.outcome.message;
  EXPECT_NEAR(testing::slope(coarse.energy.max_abs_error, 0.01, fine.energy.max_abs_error, 0.005), 4, 0.3);
  EXPECT_LE(coarse.constraints.max_abs, 1e-15);
}

TEST(Conditioning, FiftyCoordinatesRun) {
  const System chain = System::load(std::string(NOSLIP_SOURCE_DIR) + "/examples/systems/chain50.toml");
  const Trajectory run = integrate(chain, options("gauss:2", 0.01, 0.1));
  ASSERT_EQ(run.outcome.status, Status::done) << run.outcome.message;
  EXPECT_LE(run.constraints.max_abs, 1e-15);
  EXPECT_LT(run.energy.max_abs_error, 1e-9);
}

TEST(Plan, LastStepIsShortened) {
  const Trajectory run = integrate(testing::skate(), options("gauss:4", 0.3, 1));
  EXPECT_EQ(run.steps, 4);
  EXPECT_EQ(run.last.t, 1);
  EXPECT_LT(run.error_at_end, 1e-7);
  EXPECT_EQ(integrate(testing::skate(), options("gauss:2", 0.1, 0.3)).steps, 3);
  EXPECT_EQ(integrate(testing::skate(), options("gauss:2", 0.1, 0)).steps, 0);
  EXPECT_EQ(integrate(testing::skate(), options("gauss:2", 1, 1e-12)).steps, 1);
}

TEST(Samples, HaveTheStartEachKthAndTheLast) {
  RunOptions o = options("gauss:2", 0.1, 1);
  o.every = 4;
  const Trajectory run = integrate(testing::skate(), o);
  ASSERT_EQ(run.samples.size(), 4u);
  EXPECT_EQ(run.samples[1].t, 4 * 0.1);
  EXPECT_EQ(run.samples.back().t, run.last.t);
  ASSERT_EQ(run.samples[0].multipliers.size(), 1u);
  // y' cos - x' sin = 0 with reaction lambda (-sin, cos, 0): at the start lambda = x' phi' + ... = 0.
  EXPECT_NEAR(run.samples[0].multipliers[0], 0, 1e-15);
}

TEST(Options, AreRefusedAllAtOnce) {
  RunOptions o = options("gauss:2", -1, std::numeric_limits<double>::infinity());
  o.tolerance = 2;
  try {
    integrate(testing::skate(), o);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 3u);
  }
  EXPECT_THROW(integrate(testing::skate(), options("gaus:2", 0.1, 1)), InputError);
  EXPECT_THROW(integrate(testing::skate(), options("gauss:0", 0.1, 1)), InputError);
  EXPECT_THROW(integrate(testing::skate(), options("gauss:2x", 0.1, 1)), InputError);
  EXPECT_THROW(integrate(testing::skate(), options("gauss:2", 0.1, -1)), InputError);
  RunOptions endless;
  endless.step = 0.1;
  EXPECT_THROW(integrate(testing::skate(), endless), InputError);
}

TEST(Rest, IsAStartForMomentaThatChangeWithTime) {
  const System driven = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "(1 + x^2)/2*x'^2 + x'*sin(t) - x^2/2")toml");
  for (const char* method : {"mp", "mp:4", "gauss:2", "cm", "lobatto-ab:3"}) {
    const Trajectory run = integrate(driven, options(method, 0.1, 1));
    EXPECT_EQ(run.outcome.status, Status::done) << method << ": " << run.outcome.message;
  }
}

TEST(End, IsTheTimeThatWasAskedFor) {
  const System system = testing::sleigh();
  InitialState start = system.initial_state(system.parameter_values());
  start.t = 0.3;
  EXPECT_EQ(integrate(system, start, options("gauss:2", 0.1, 30)).last.t, 30.0);
}

TEST(End, OfAShortStepLeavesMultipliersAlone) {
  // Standard methods are off the constraint; divided by a tiny step that would be a huge multiplier.
  for (const char* method : {"rk-gauss:2", "rk-radau-ia:2"}) {
    const Trajectory run = integrate(testing::sleigh(), options(method, 0.1, 10 + 1e-11));
    const double multiplier = integrate(testing::sleigh(), options("gauss:3", 0.1, 10)).last.multipliers[0];
    EXPECT_NEAR(run.last.multipliers[0], multiplier, 0.01) << method;
  }
}

TEST(Bench, TakesAShorterRunWhereALongOneBreaksDown) {
  const System system = testing::sleigh();
  RunOptions o;
  o.method = "nh-lobatto:3";
  o.step = 0.1;
  const BenchResult result = bench(system, system.initial_state(system.parameter_values()), o, 1);
  EXPECT_EQ(result.outcome.status, Status::done) << result.outcome.message;
  EXPECT_GT(result.nanoseconds_per_step, 0);
}

TEST(Tolerance, LooseSolvesAreLoose) {
  RunOptions o = options("gauss:2", 0.2, 50);
  const Trajectory tight = integrate(testing::curved_particle(), o);
  o.tolerance = 1e-3;
  const Trajectory loose = integrate(testing::curved_particle(), o);
  EXPECT_LT(loose.solver.iterations_mean, tight.solver.iterations_mean);
  EXPECT_GT(distance(loose.last.q, tight.last.q), 1e-9);
}

}  // namespace
}  // namespace noslip

// Steppers around changes: of parameters before the first step and of sample times, of the order of elimination; lanes
// that fail, states without multipliers, controllers that throw.
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include <noslip/expr/external.hpp>
#include <noslip/model/symbols.hpp>
#include <noslip/run/stepper.hpp>

#include "run/control_help.hpp"

namespace noslip {
namespace {

using testing::cart;
using testing::numbers;
using testing::refusal;

System heavy_skate(const std::string& more = "") {
  return System::parse(R"toml(
    name        = "heavy skate"
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2 + theta'^2)/2 - g*y"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [parameters]
    g = 0
    [inputs]
    u = 0
    [forces]
    x = "u"
    [initial]
    q = [0, 0, 0.3]
    v = { theta = 1 }
    )toml" + more);
}

/// A blade that needs another order of elimination if it starts across.
System blade() {
  return System::parse(R"toml(
    name        = "blade"
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 - x/3 - y^2/4 - cos(x)*y/5"
    constraints = ["cos(theta)*x' + sin(theta)*y' = 0"]
    [initial]
    v = [0, 1, 1])toml");
}
const InitialState across{0, {0, 0, std::numbers::pi / 2}, {-1, 0, 1e-3}, {}};

/// Multipliers that a method carries on belong to the values of the first step, whenever these were set.
TEST(StepperChanges, BeforeTheFirstStepAreThoseOfTheStart) {
  for (const std::string more : {"", "[sampled]\nevery = 10\nu = '0*x'\n"}) {
    const System system = heavy_skate(more);
    for (const std::string method : {"nh-lobatto:2", "nh-lobatto:3", "lobatto-ab:3", "mp"}) {
      const Program program(system, {.method = method});
      Stepper at_start(program, 0.1, {{"g", 10}}), later(program, 0.1);
      later.set_parameters(std::vector<double>{10});
      for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(at_start.step() && later.step());
        EXPECT_EQ(numbers(at_start.q()), numbers(later.q())) << method << more;
        EXPECT_EQ(numbers(at_start.v()), numbers(later.v())) << method << more;
        EXPECT_EQ(numbers(at_start.multipliers()), numbers(later.multipliers())) << method << more;
      }
    }
  }
}

TEST(StepperChanges, SamplesMayBeFarApart) {
  for (const std::string every : {"1e18", "1e20", "1e300"}) {
    Stepper stepper(Program(cart("[sampled]\nevery = " + every + "\nu = '1'\n"), {.method = "mp"}), 0.01);
    ASSERT_TRUE(stepper.step()) << every;
    EXPECT_EQ(stepper.t(), 0.01) << every;
    EXPECT_EQ(stepper.step_size(), 0.01) << every;
    EXPECT_DOUBLE_EQ(stepper.v()[0], 0.01) << every;
    ASSERT_EQ(stepper.advance(99), 99) << every;
    EXPECT_DOUBLE_EQ(stepper.t(), 1) << every;
  }
}

TEST(StepperChanges, TimeEndsWithTheLastLane) {
  const System falls = System::parse(
      "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[parameters]\nend = 0.45\n[forces]\nx = 'sqrt(end - t)'\n");
  for (const int lanes : {1, 4}) {
    const Program program(falls, {.method = "gauss:1", .lanes = lanes});
    Stepper all(program, 0.2), one_by_one(program, 0.2);
    const long long made = all.advance(10);
    EXPECT_EQ(made, 2) << lanes;
    for (int i = 0; i < 10; ++i) one_by_one.step();
    for (Stepper<double>* stepper : {&all, &one_by_one}) {
      EXPECT_EQ(stepper->steps(), made) << lanes;
      EXPECT_EQ(stepper->t(), 0.4) << lanes;
      EXPECT_EQ(stepper->advance(5), 0) << lanes;
      EXPECT_EQ(stepper->t(), 0.4) << lanes;
    }
  }
  // A lane that goes on takes the time with it.
  Stepper some(Program(falls, {.method = "gauss:1", .lanes = 4}), 0.2);
  some.set_parameters(std::vector<double>{1.05}, 2);
  EXPECT_EQ(some.advance(10), 5);
  EXPECT_EQ(some.steps(), 5);
  EXPECT_EQ(some.t(), 1);
  EXPECT_FALSE(some.step());
  EXPECT_EQ(some.steps(), 5);
}

TEST(StepperChanges, MultipliersThatDoNotExistAreNotNumbers) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - x - 2*y"
    constraints = ["c*y' = 0"]
    [parameters]
    c = 1
    [initial]
    v = [1, 0])toml");
  for (const std::string method : {"mp", "gauss:2"}) {
    Stepper stepper(Program(system, {.method = method}), 0.25);
    ASSERT_TRUE(stepper.step());
    EXPECT_NEAR(stepper.multipliers()[0], 2, 1e-12);
    stepper.set_parameters(std::vector<double>{0});  // a constraint of nothing
    EXPECT_TRUE(std::isnan(stepper.multipliers()[0])) << method;
    stepper.set_parameters(std::vector<double>{2});
    EXPECT_NEAR(stepper.multipliers()[0], 1, 1e-12);
  }
}

TEST(StepperChanges, IterationsAreThoseOfTheStepsThatWereMade) {
  const System system = blade();
  for (const std::string method : {"rk-lobatto-iiic:3", "rk-lobatto-iiic:4"}) {
    const Program program(system, {.method = method});
    Stepper stepper(program, 0.02);
    stepper.project_states(true);
    ASSERT_EQ(stepper.advance(10), 10);
    const double usual = stepper.iterations_mean();
    EXPECT_GE(usual, 1) << method;
    stepper.set_state(across);
    ASSERT_EQ(stepper.advance(10), 10);
    EXPECT_NE(stepper.program().shared(), program.shared()) << method;
    RunOptions run{.method = method, .step = 0.02, .steps = 10};
    run.project = true;
    const double anew = integrate(system, across, run).solver.iterations_mean;
    EXPECT_DOUBLE_EQ(stepper.iterations_mean(), (usual + anew) / 2) << method;
    Stepper other(program, 1);
    other.load(stepper.save());
    EXPECT_EQ(other.iterations_mean(), stepper.iterations_mean());
  }
}

/// x' at the samples, each of which sets the force to one more.
TEST(StepperChanges, OfSampleTimesHoldFromTheNextSampleOn) {
  const System system = cart("[parameters]\nT = 0.2\nwait = 0\n[sampled]\nevery = 'T'\ndelay = 'wait'\nu = 'last(u) + 1'\n");
  const Program program(system, {.method = "mp"});
  Stepper stepper(program, 0.1);
  ASSERT_EQ(stepper.advance(3), 3);  // samples at 0 and 0.2
  EXPECT_EQ(stepper.inputs()[0], 2);
  stepper.set_parameters(std::vector<double>{0.3, 0});
  const std::string saved = stepper.save();
  const auto expect_inputs = [](Stepper<double>& moves) {  // samples at 0.4, 0.7, 1
    for (const double u : {2, 3, 3, 3, 4, 4, 4, 5}) {
      ASSERT_TRUE(moves.step());
      EXPECT_EQ(moves.inputs()[0], u) << moves.t();
    }
  };
  expect_inputs(stepper);
  Stepper loaded(program, 0.1);
  loaded.load(saved);
  loaded.set_parameters(std::vector<double>{0.3, 0});  // changes nothing
  expect_inputs(loaded);
  EXPECT_TRUE(loaded.save() == stepper.save());
  loaded.load(saved);
  loaded.set_parameters(std::vector<double>{0.2, 0});
  ASSERT_EQ(loaded.advance(4), 4);
  EXPECT_EQ(loaded.inputs()[0], 4);  // 0.4, 0.6
  // Before the first step they are those of the start; a new state begins with them.
  Stepper early(program, 0.1), from_start(program, 0.1, {{"T", 0.3}});
  early.set_parameters(std::vector<double>{0.3, 0});
  ASSERT_TRUE(early.advance(7) == 7 && from_start.advance(7) == 7);
  EXPECT_TRUE(early.save() == from_start.save());
  EXPECT_EQ(early.inputs()[0], 3);
  // Times that make no sense change nothing.
  const std::string before = early.save();
  EXPECT_FALSE(refusal([&] { early.set_parameters(std::vector<double>{-1, 0}); }).empty());
  EXPECT_FALSE(refusal([&] { early.set_parameters(std::vector<double>{1e-9, 1}); }).empty());
  EXPECT_TRUE(early.save() == before);
  EXPECT_EQ(early.parameters()[0], 0.3);
  // Samples that wait act in their order, however many there are.
  Stepper waits(program, 0.1, {{"T", 0.1}, {"wait", 1}});
  ASSERT_EQ(waits.advance(10), 10);
  waits.set_parameters(std::vector<double>{0.01, 0});
  ASSERT_EQ(waits.advance(200), 200);
  Stepper again(program, 0.1);
  again.load(waits.save());
  EXPECT_TRUE(again.step() && waits.step());
  EXPECT_TRUE(again.save() == waits.save());
}

TEST(StepperChanges, ByEventsReachSampleTimes) {
  const System system = cart("[parameters]\nT = 0.2\n[sampled]\nevery = 'T'\nu = 'last(u) + 1'\n");
  RunOptions run{.method = "mp", .step = 0.1, .until = 1.05};
  Event change{"t - 0.25"};
  change.act = [](EventChange& at) { at.parameters[0] = 0.3; };
  run.events = {change};
  EXPECT_EQ(integrate(system, run).last.inputs[0], 5);  // 0, 0.2, 0.4, 0.7, 1
  run.events.clear();
  EXPECT_EQ(integrate(system, run).last.inputs[0], 6);
}

/// A sample that could not be computed is taken when the stepper is asked again.
TEST(StepperChanges, ControllersThatThrowLeaveNothingBehind) {
  bool fails = false;
  const ExternalFunction pull("pull", 1, [&](std::span<const double> x) {
    if (fails) throw std::runtime_error("no answer");
    return 1 - x[0];
  });
  Symbols s;
  const Expr x = s["x"], u = s["u"];
  SystemText text;
  text.name = "answers";
  text.coordinates = {x};
  text.lagrangian = sq(dot(x)) / 2;
  text.inputs = {{u, Text("0")}};
  text.forces = {{x, u}};
  text.sampled = {{Text("every"), Text("0.1")}, {Text("delay"), Text("0.1")}, {u, pull(x)}};
  const Program program(System::from(text), {.method = "mp"});
  Stepper once(program, 0.1), twice(program, 0.1);
  for (int i = 0; i < 5; ++i) {
    fails = true;
    for (int k = 0; k < 5; ++k) EXPECT_THROW(twice.step(), std::runtime_error);
    fails = false;
    ASSERT_TRUE(once.step() && twice.step());
    EXPECT_EQ(numbers(once.q()), numbers(twice.q())) << i;
    EXPECT_EQ(numbers(once.inputs()), numbers(twice.inputs())) << i;
  }
  EXPECT_TRUE(once.save() == twice.save());
}

}  // namespace
}  // namespace noslip

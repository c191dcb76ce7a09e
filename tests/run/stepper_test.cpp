// Steppers: what they accept and refuse, lanes, inputs and controllers, step sizes. That they do what integrate does is
// tested for all methods and systems in suite/stepper_test.cpp.
#include <numbers>
#include <thread>

#include <gtest/gtest.h>

#include <noslip/run/stepper.hpp>

#include "run/control_help.hpp"
#include "support/skew_gradient.hpp"

namespace noslip {
namespace {

using testing::numbers;
using testing::pushed_cart;
using testing::refusal;
using testing::sampled_cart;
using testing::spinning_sleigh;

TEST(Steppers, StartAnywhereAsIntegrateDoes) {
  const System system = spinning_sleigh();
  const InitialState starts[] = {{0, {0, 0, 0}, {1, 0, 1}, {}},
                                 {1.5, {1, 2, std::numbers::pi / 2}, {0, 2, -1}, {}},
                                 {-3, {0, 0, 100}, {std::cos(100.0), std::sin(100.0), 5}, {}}};
  for (const std::string method : {"gauss:2", "mp", "cm", "lobatto-ab:3", "gonzalez", "nh-lobatto:2"}) {
    Stepper stepper(Program(system, {.method = method}), 0.02);
    for (const InitialState& start : starts) {
      RunOptions options{.method = method, .step = 0.02, .steps = 40};
      options.project = true;
      const Trajectory run = integrate(system, start, options);
      stepper.project_states(true);
      stepper.set_state(start);
      EXPECT_EQ(stepper.steps(), 0);
      EXPECT_EQ(stepper.t(), start.t);
      ASSERT_EQ(stepper.advance(40), 40) << stepper.outcome().message;
      EXPECT_EQ(numbers(stepper.q()), run.last.q) << method << " from t = " << start.t;
      EXPECT_EQ(numbers(stepper.v()), run.last.v) << method << " from t = " << start.t;
      EXPECT_EQ(stepper.t(), run.last.t);
    }
  }
}

/// Another order of elimination is used from one start only, and forgotten at the next one.
TEST(Steppers, OrderTheirEquationsAsIntegrateDoes) {
  const System blade = System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 - x/3 - y^2/4 - cos(x)*y/5"
    constraints = ["cos(theta)*x' + sin(theta)*y' = 0"]
    [initial]
    v = [0, 1, 1])toml");
  const InitialState along{0, {0, 0, 0}, {0, 1, 1}, {}}, across{0, {0, 0, std::numbers::pi / 2}, {-1, 0, 1e-3}, {}};
  for (const std::string method : {"gauss:2", "mp", "cm", "lobatto-ab:3", "gonzalez", "nh-lobatto:2"}) {
    const Program program(blade, {.method = method});
    Stepper stepper(program, 0.02);
    stepper.project_states(true);
    for (const InitialState& start : {along, across, along, across}) {
      RunOptions options{.method = method, .step = 0.02, .steps = 30};
      options.project = true;
      const Trajectory run = integrate(blade, start, options);
      stepper.set_state(start);
      ASSERT_EQ(stepper.advance(15), 15);
      Stepper other(program, 1);
      other.load(stepper.save());  // with the order
      ASSERT_EQ(other.advance(15), 15);
      EXPECT_EQ(numbers(other.q()), run.last.q) << method;
      ASSERT_EQ(stepper.advance(15), 15);
      EXPECT_EQ(numbers(stepper.q()), run.last.q) << method;
      EXPECT_EQ(numbers(stepper.v()), run.last.v) << method;
    }
  }
}

TEST(Steppers, RefuseStatesWithTheMessagesOfIntegrate) {
  const System system = testing::sleigh();
  Stepper stepper(Program{system}, 0.01);
  stepper.advance(3);
  const std::string before = stepper.save();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const InitialState bad[] = {{0, {0, 0, 0.5}, {1, 0, 0}, {}},
                              {0, {0, 0}, {0, 0, 0}, {}},
                              {0, {0, 0, 0}, {0, 0, 0}, {1}},
                              {0, {0, nan, 0}, {0, 0, 0}, {}},
                              {0, {0, 0, 0}, {0, 1e-10, 0}, {}}};
  for (const InitialState& state : bad) {
    const std::string message = refusal([&] { stepper.set_state(state); });
    EXPECT_FALSE(message.empty());
    EXPECT_EQ(message, refusal([&] { integrate(system, state, testing::options("gauss:2", 0.01, 1)); }));
    EXPECT_TRUE(stepper.save() == before);
  }
  stepper.project_states(true);
  stepper.set_state(bad[0]);
  EXPECT_LT(stepper.residual(), 1e-15);
  EXPECT_EQ(stepper.q()[2], 0.5);
  EXPECT_NEAR(stepper.v()[1] / stepper.v()[0], std::tan(0.5), 1e-14);
  stepper.project_states(false);
  EXPECT_THROW(stepper.set_state(bad[0]), InputError);
  EXPECT_THROW(stepper.set_state(0, bad[4].q, bad[2].v, {}, 1), InputError);  // no such lane
  EXPECT_THROW(stepper.q(-1), InputError);
}

TEST(Steppers, WaitForAConsistentState) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - y"
    holonomic   = ["x^2 + y^2 = 1"])toml");
  for (const int lanes : {1, 4}) {
    Stepper stepper(Program(system, {.method = "lobatto-ab:3", .lanes = lanes}), 0.01);
    EXPECT_EQ(stepper.outcome().status, Status::failed);
    EXPECT_NE(stepper.outcome().message.find("x^2 + y^2 = 1"), std::string::npos) << stepper.outcome().message;
    EXPECT_THROW(stepper.step(), InputError);
    EXPECT_THROW(stepper.advance(3), InputError);
    EXPECT_THROW(stepper.q(), InputError);
    EXPECT_THROW(stepper.energy(), InputError);
    EXPECT_THROW(stepper.save(), InputError);
    stepper.set_step(0.02);
    stepper.set_state({0, {0, -1}, {1, 0}, {}});
    EXPECT_EQ(stepper.outcome().status, Status::done);
    EXPECT_EQ(stepper.advance(100), 100);
    EXPECT_NEAR(stepper.t(), 2, 1e-12);
    EXPECT_LT(stepper.residual(), 1e-14);
    for (int lane = 0; lane < lanes; ++lane) EXPECT_EQ(numbers(stepper.q(lane)), numbers(stepper.q()));
  }
}

TEST(Steppers, LoseAStateThatNewParametersMakeImpossible) {
  const System wheel = System::parse(R"toml(
    coordinates = ["x", "p"]
    lagrangian  = "m/2*x'^2 + J/2*p'^2"
    constraints = ["x' = r*p'"]
    [parameters]
    m = 1
    J = 0.1
    r = 0.5
    [initial]
    v = [1, 2])toml");
  Stepper stepper(Program(wheel, {.method = "gauss:2"}), 0.01);
  ASSERT_EQ(stepper.advance(10), 10);
  const std::vector<double> heavier = {2, 0.1, 0.5}, larger = {2, 0.1, 1}, without_inertia = {0, 0, 1};
  stepper.set_parameters(heavier);
  ASSERT_TRUE(stepper.step());
  stepper.set_parameters(larger);
  EXPECT_NE(refusal([&] { stepper.step(); }).find("not possible with the parameters"), std::string::npos);
  stepper.set_state({.q = {0, 0}, .v = {1, 1}});
  EXPECT_TRUE(stepper.step());
  stepper.set_parameters(without_inertia);
  EXPECT_NE(refusal([&] { stepper.step(); }).find("not possible with the parameters"), std::string::npos);
}

TEST(Steppers, RememberInputsThatAreSetBeforeTheFirstSample) {
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2"
    [inputs]
    u = 0
    [forces]
    x = "u"
    [sampled]
    every = 1
    u     = "last(u)")toml");
  Stepper stepper(Program(system, {}), 0.5);
  stepper.set_input("u", 1.0);
  ASSERT_EQ(stepper.advance(4), 4);
  EXPECT_DOUBLE_EQ(stepper.q()[0], 2);
}

TEST(Steppers, FindMomentaThatAreLeftOut) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    hamiltonian = "sqrt(1 + p(x)^2 + p(y)^2 + p(z)^2) + x^2/2 + y^2 + x*z^2/5"
    constraints = ["z' = y*x'"]
    [initial]
    q = [1, 0.2, 0]
    v = [0.3, 0.4, 0.06])toml");
  for (const std::string method : {"gauss:2", "mp", "cm"}) {
    if (!find_method(method)->why_not(system).empty()) continue;
    Stepper stepper(Program(system, {.method = method}), 0.01), other(Program(system, {.method = method}), 0.01);
    const RunOptions options{.method = method, .step = 0.01, .steps = 20};
    const std::vector<double> q{1, 0.2, 0}, v{0.3, 0.4, 0.06};
    other.advance(5);
    other.set_state(0, q, v);
    ASSERT_EQ(stepper.advance(20), 20);
    ASSERT_EQ(other.advance(20), 20);
    EXPECT_LT(testing::distance(numbers(stepper.z()), numbers(other.z())), 1e-15) << method;
    EXPECT_EQ(numbers(stepper.v()), integrate(system, options).last.v) << method;
    EXPECT_EQ(numbers(other.v()), integrate(system, {0, q, v, {}}, options).last.v) << method;
  }
}

TEST(Steppers, OfSkewGradientSystemsHaveNoVelocities) {
  const System system = System::parse(testing::rigid_body_text);
  Stepper stepper(Program(system, {.method = "gonzalez"}), 0.01);
  const double energy = stepper.energy();
  EXPECT_TRUE(stepper.v().empty());
  EXPECT_TRUE(stepper.multipliers().empty());
  EXPECT_EQ(stepper.advance(1000), 1000);
  EXPECT_NEAR(stepper.energy(), energy, 1e-14);
}

// ---- precision

template <class T>
void expect_digits_of_integrate(Precision precision) {
  RunOptions options{.method = "gauss:3", .step = 0.125, .steps = 30};
  options.precision = precision;
  const System system = spinning_sleigh();
  const Trajectory run = integrate(system, options);
  Stepper<T> stepper(Program<T>(system, {.method = "gauss:3"}), 0.125);
  ASSERT_EQ(stepper.advance(30), 30);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(quad(stepper.q()[i]) == run.last_quad.q[i]) << i;
    EXPECT_TRUE(quad(stepper.v()[i]) == run.last_quad.v[i]) << i;
  }
}

TEST(Steppers, HaveTheDigitsOfTheirPrecision) {
  expect_digits_of_integrate<double>(Precision::double_precision);
  expect_digits_of_integrate<long double>(Precision::long_double);
  expect_digits_of_integrate<quad>(Precision::quadruple);
}

// ---- steps

TEST(Steppers, ChangeTheirStep) {
  const System system = testing::sleigh();
  Stepper stepper(Program(system, {.method = "gauss:3"}), 0.01);
  stepper.advance(50);
  const std::vector<double> q = numbers(stepper.q()), v = numbers(stepper.v());
  const double t = stepper.t();
  stepper.set_step(0.02);
  EXPECT_EQ(stepper.steps(), 0);
  EXPECT_EQ(stepper.t(), t);
  EXPECT_EQ(numbers(stepper.q()), q);
  stepper.advance(10);
  EXPECT_NEAR(stepper.t(), 0.7, 1e-15);
  stepper.set_step(-0.02);
  EXPECT_EQ(stepper.step_size(), -0.02);
  stepper.advance(10);  // a symmetric method
  EXPECT_NEAR(stepper.t(), t, 1e-15);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(stepper.q()[i], q[i], 1e-14);
    EXPECT_NEAR(stepper.v()[i], v[i], 1e-14);
  }
  for (const double bad : {0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(stepper.set_step(bad), InputError);
    EXPECT_THROW(Stepper(Program(system), bad), InputError);
  }
  EXPECT_EQ(stepper.advance(0), 0);
  EXPECT_EQ(stepper.advance(-5), 0);
  EXPECT_NEAR(stepper.t(), t, 1e-15);
  Stepper back(Program(system, {.method = "gauss:3"}), -0.01);
  back.advance(10);
  EXPECT_NEAR(back.t(), -0.1, 1e-15);
}

TEST(Steppers, FailWithTheLastGoodStateAndMayTryASmallerStep) {
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2"
    [forces]
    x = "1e-3*log(1.005 - x)"
    [initial]
    v = [1])toml");
  for (const std::string method : {"gauss:2", "mp", "gonzalez"}) {
    Stepper stepper(Program(system, {.method = method}), 0.1);
    const long long done = stepper.advance(100);
    EXPECT_GE(done, 9) << method;
    EXPECT_LE(done, 10) << method;
    EXPECT_EQ(stepper.steps(), done);
    EXPECT_EQ(stepper.outcome().status, Status::failed);
    EXPECT_NEAR(stepper.t(), 0.1 * static_cast<double>(done), 1e-14);
    EXPECT_NEAR(stepper.q()[0], stepper.t(), 0.01);
    const std::vector<double> q = numbers(stepper.q());
    EXPECT_FALSE(stepper.step());
    EXPECT_EQ(stepper.advance(4), 0);
    EXPECT_EQ(numbers(stepper.q()), q);
    stepper.set_step(0.001);
    EXPECT_TRUE(stepper.step()) << method << " at x = " << q[0];
    EXPECT_EQ(stepper.outcome().status, Status::done);
    stepper.set_state({0, {0}, {1}, {}});
    EXPECT_EQ(stepper.outcome().status, Status::done);
    EXPECT_EQ(stepper.advance(9), 9);
  }
}

TEST(Steppers, LanesMoveByThemselves) {
  const System system = spinning_sleigh();
  for (const std::string method : {"gauss:2", "mp", "lobatto-ab:2", "cm"}) {
    Stepper lanes(Program(system, {.method = method, .lanes = 4}), 0.01);
    std::vector<std::vector<double>> ends;
    for (int l = 0; l < 4; ++l) {
      const double speed = 1 + l, turn = 40 * l + 1;
      Stepper one(Program(system, {.method = method}), 0.01);
      const std::vector<double> q{0.1 * l, 0, 0}, v{speed, 0, turn};
      one.set_state(0.5, q, v);
      lanes.set_state(0.5, q, v, {}, l);
      one.advance(100);
      ends.push_back(numbers(one.q()));
      EXPECT_EQ(one.t(), 1.5);
    }
    EXPECT_EQ(lanes.advance(100), 100);
    for (int l = 0; l < 4; ++l) EXPECT_EQ(numbers(lanes.q(l)), ends[static_cast<std::size_t>(l)]) << method << " " << l;
    EXPECT_EQ(lanes.t(), 1.5);
    EXPECT_NE(lanes.energy(0), lanes.energy(1));
  }
  EXPECT_THROW(Stepper(Program(sampled_cart(), {.lanes = 4}), 0.01), InputError);
}

// ---- inputs, parameters, controllers

TEST(Steppers, TakeInputsBetweenSteps) {
  const System system = pushed_cart();
  RunOptions options{.method = "gauss:2", .step = 0.01, .steps = 200};
  options.control.series = {{"u", {0, 0.5, 1.5}, {1, -2, 0.5}}, {"w", {0, 1}, {0.25, -0.25}}};
  options.every = 1;
  const Trajectory run = integrate(system, options);
  Stepper stepper(Program{system}, 0.01);
  stepper.set_inputs(std::vector<double>{1, 0.25});
  EXPECT_EQ(stepper.work(), -1);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(numbers(stepper.q()), run.samples[static_cast<std::size_t>(i)].q) << i;
    if (i == 50) stepper.set_input("u", -2);
    if (i == 100) stepper.set_input(1, -0.25);
    if (i == 150) stepper.set_input(std::size_t{0}, 0.5);
    EXPECT_NEAR(stepper.work() + 1, run.samples[static_cast<std::size_t>(i)].work, 1e-13);  // with the change
    ASSERT_TRUE(stepper.step());
  }
  EXPECT_EQ(numbers(stepper.q()), run.last.q);
  EXPECT_EQ(numbers(stepper.inputs()), (std::vector<double>{0.5, -0.25}));
  // E - W stays: jumps of the inputs are work.
  EXPECT_NEAR(stepper.energy() - stepper.work(), 2, 1e-9);
  EXPECT_EQ(refusal([&] { stepper.set_input("v", 1); }), "unknown input 'v'\n  the inputs are u and w");
  EXPECT_EQ(refusal([&] { stepper.set_input("U", 1); }), "unknown input 'U'\n  did you mean 'u'?");
  EXPECT_THROW(stepper.set_input(2, 1), InputError);
  EXPECT_THROW(stepper.set_input(0, std::numeric_limits<double>::infinity()), InputError);
  EXPECT_THROW(stepper.set_inputs(std::vector<double>{1}), InputError);
  EXPECT_THROW(stepper.set_parameters(std::vector<double>{}), InputError);
  EXPECT_EQ(numbers(stepper.inputs()), (std::vector<double>{0.5, -0.25}));
}

TEST(Steppers, TakeParametersBetweenSteps) {
  const System system = pushed_cart();
  Stepper stepper(Program(system, {.method = "gauss:4"}), 0.01, {{"k", 9}});
  EXPECT_EQ(stepper.parameters()[0], 9);
  stepper.advance(10);
  const double energy = stepper.energy(), work = stepper.work(), x = stepper.q()[0];
  stepper.set_parameters(std::vector<double>{1});
  EXPECT_EQ(stepper.q()[0], x);
  EXPECT_NEAR(stepper.energy() - energy, -4 * x * x, 1e-14);
  EXPECT_NEAR(stepper.work() - work, -4 * x * x, 1e-14);
  stepper.advance(100);
  EXPECT_NEAR(stepper.energy() - stepper.work(), energy - work, 1e-12);
  EXPECT_THROW(Stepper(Program(system), 0.01, {{"m", 1}}), InputError);
}

TEST(Steppers, OfSystemsWithControllersSampleThem) {
  for (const double h : {0.01, 0.05, 0.03}) {  // the last does not divide the time between samples
    RunOptions options{.method = "gauss:2", .step = h, .until = 6};
    options.every = 1;
    const Trajectory run = integrate(sampled_cart(), options);
    Stepper stepper(Program{sampled_cart()}, h);
    for (const Sample& sample : run.samples) {
      if (sample.t > 0) {
        ASSERT_TRUE(stepper.step());
      }
      ASSERT_EQ(stepper.t(), sample.t);
      ASSERT_EQ(numbers(stepper.q()), sample.q) << h << " at t = " << sample.t;
      EXPECT_NEAR(stepper.work(), sample.work, 1e-14);
    }
    EXPECT_EQ(stepper.steps(), run.steps);
  }
  Stepper stepper(Program{sampled_cart()}, 0.01);
  EXPECT_THROW(stepper.set_step(-0.01), InputError);
  EXPECT_EQ(stepper.step_size(), 0.01);
  // A new start is a new sequence of samples.
  Stepper fresh(Program{sampled_cart()}, 0.01);
  const auto go_to = [](Stepper<double>& one, double t) {
    while (one.t() < t - 1e-9) ASSERT_TRUE(one.step());
    EXPECT_NEAR(one.t(), t, 1e-14);
  };
  stepper.advance(17);
  stepper.set_state({0, {1, 0}, {0, 0}, {}});
  stepper.set_input(0, 0);
  go_to(stepper, 0.4);
  go_to(fresh, 0.4);
  EXPECT_EQ(numbers(stepper.q()), numbers(fresh.q()));
  // Another step size in between does not move the samples.
  stepper.set_step(0.005);
  go_to(stepper, 0.7);
  go_to(fresh, 0.7);
  EXPECT_NEAR(stepper.q()[0], fresh.q()[0], 1e-9);
}

TEST(Steppers, SayThatSamplesDivideSteps) {
  Stepper stepper(Program{sampled_cart()}, 0.03);
  EXPECT_FALSE(stepper.divides_steps());
  ASSERT_TRUE(stepper.step());
  EXPECT_TRUE(stepper.divides_steps());
  EXPECT_LT(stepper.t(), 0.03);
  EXPECT_EQ(stepper.step_size(), stepper.t());
  Stepper other(Program{sampled_cart()}, 0.005);
  other.advance(100);
  EXPECT_FALSE(other.divides_steps());
  EXPECT_EQ(other.step_size(), 0.005);
  other.load(stepper.save());
  EXPECT_TRUE(other.divides_steps());
  stepper.set_state({0, {1, 0}, {0, 0}, {}});
  EXPECT_FALSE(stepper.divides_steps());
  ASSERT_TRUE(stepper.step());
  stepper.set_step(0.005);
  stepper.advance(10);
  EXPECT_FALSE(stepper.divides_steps());
}

// ---- threads

TEST(Steppers, OfManyThreadsShareAProgram) {
  const System system = spinning_sleigh();
  for (const std::string method : {"gauss:2", "lobatto-ab:2", "cm"}) {
    const Program program(system, {.method = method});
    Stepper alone(program, 0.01);
    alone.advance(3000);
    const std::string end = alone.save();
    std::vector<std::string> ends(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      threads.emplace_back([&, i] {
        Stepper stepper(Program(system, {.method = method}), 0.01);
        stepper.advance(static_cast<long long>(100 * i));
        Stepper other(program, 1);
        other.load(stepper.save());
        other.advance(3000 - static_cast<long long>(100 * i));
        ends[i] = other.save();
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string& one : ends) EXPECT_TRUE(one == end) << method;
  }
}

TEST(Steppers, AreMoved) {
  Stepper first(Program(testing::sleigh()), 0.01);
  first.advance(10);
  Stepper second = std::move(first);
  second.advance(10);
  std::vector<Stepper<double>> several;
  several.push_back(std::move(second));
  EXPECT_NEAR(several[0].t(), 0.2, 1e-15);
}

}  // namespace
}  // namespace noslip

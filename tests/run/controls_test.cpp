// Inputs while a system moves: series, controllers of the file and in C++, what rows and events see of them, refusals.
#include <stdexcept>

#include <gtest/gtest.h>

#include <noslip/run/row_reader.hpp>
#include <noslip/run/stepper.hpp>

#include "run/control_help.hpp"

namespace noslip {
namespace {

using testing::cart;
using testing::distance;
using testing::has_warning;
using testing::options;
using testing::segway_text;

/// Where x'' = u leads that has these values from these times on.
struct Pieces {
  std::vector<double> times, values;

  std::pair<double, double> at(double t) const {
    double x = 0, v = 0;
    for (std::size_t i = 0; i < times.size() && times[i] < t; ++i) {
      const double h = (i + 1 < times.size() ? std::min(times[i + 1], t) : t) - times[i];
      x += h * v + h * h / 2 * values[i];
      v += h * values[i];
    }
    return {x, v};
  }
};

void expect_at(const Pieces& pieces, const Sample& sample, double tolerance = 1e-14) {
  const auto [x, v] = pieces.at(sample.t);
  EXPECT_NEAR(sample.q[0], x, tolerance) << sample.t;
  EXPECT_NEAR(sample.v[0], v, tolerance) << sample.t;
}

std::string refusal(const System& system, const Control& control) {
  RunOptions run = options("gauss:2", 0.1, 1);
  run.control = control;
  return testing::refusal([&] { integrate(system, run); });
}

double pd(std::span<const double> q, std::span<const double> v) {
  return 0.8 * q[1] + 0.075 * v[1] + 0.4 * q[0] + 0.3 * v[0];
}

TEST(Controls, FileFunctionAndStepperDoTheSame) {
  const System free = System::parse(segway_text);
  const System sampled = System::parse(std::string(segway_text) +
                                       "[sampled]\nevery = 0.01\ntau = \"0.8*pitch + 0.075*pitch' + 0.4*x + 0.3*x'\"");
  for (const char* method : {"gauss:2", "mp"}) {
    RunOptions run = options(method, 0.005, 2);
    const Trajectory by_file = integrate(sampled, run);
    ASSERT_EQ(by_file.outcome.status, Status::done) << by_file.outcome.message;
    EXPECT_TRUE(by_file.warnings.empty());
    EXPECT_EQ(by_file.steps, 400);
    EXPECT_LT(std::fabs(by_file.last.q[1]), 0.01) << "it stands";

    int calls = 0;
    run.control.controllers = {{.every = 0.01, .act = [&](double t, auto q, auto v, auto inputs) {
                                  EXPECT_NEAR(t, 0.01 * calls++, 1e-14);
                                  inputs[0] = pd(q, v);
                                }}};
    const Trajectory by_function = integrate(free, run);
    EXPECT_EQ(calls, 200);
    EXPECT_LT(distance(by_file.last.q, by_function.last.q), 1e-13);
    EXPECT_LT(distance(by_file.last.v, by_function.last.v), 1e-13);

    Stepper<double> own(Program<double>(free, {.method = method}), 0.005),
        of_file(Program<double>(sampled, {.method = method}), 0.005);
    for (int i = 0; i < 400; ++i) {
      if (i % 2 == 0) own.set_input("tau", pd(own.q(), own.v()));
      ASSERT_TRUE(own.step());
      ASSERT_TRUE(of_file.step());
    }
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(of_file.q()[i], by_file.last.q[i]) << method;
      EXPECT_EQ(of_file.v()[i], by_file.last.v[i]) << method;
      EXPECT_NEAR(own.q()[i], by_function.last.q[i], 1e-13);
    }
  }
}

TEST(Controls, SamplesActAfterADelay) {
  for (const double delay : {0.0, 0.2, 0.05, 0.25}) {
    const System system = cart("[sampled]\nevery = 0.1\ndelay = " + to_text(delay) + "\nu = \"1 + t\"");
    RunOptions run = options("gauss:2", 0.05, 2);
    run.control.inputs = {{"u", 5}};
    run.every = 1;
    const Trajectory result = integrate(system, run);
    EXPECT_TRUE(result.warnings.empty()) << delay;
    Pieces pieces;
    if (delay > 0) pieces = {{0}, {5}};
    for (int k = 0; k < 20; ++k) {
      pieces.times.push_back(0.1 * k + delay);
      pieces.values.push_back(1 + 0.1 * k);
    }
    for (const Sample& sample : result.samples) expect_at(pieces, sample);
  }
}

/// Steps are divided, and that is said.
TEST(Controls, StepsBeginAtSamples) {
  const System system = cart("[sampled]\nevery = 0.1\ndelay = 0.03\nu = \"1 + t - x\"");
  const Trajectory fits = integrate(system, options("gauss:2", 0.01, 2)),
                   other = integrate(system, options("gauss:2", 0.08, 2));
  EXPECT_FALSE(has_warning(fits, "inputs"));
  ASSERT_TRUE(has_warning(other, "inputs"));
  EXPECT_NE(other.warnings[0].message.find("in place of 0.08 from t = 0"), std::string::npos)
      << other.warnings[0].message;
  EXPECT_EQ(other.steps, 40);
  EXPECT_NEAR(other.last.q[0], fits.last.q[0], 1e-13);
  EXPECT_NEAR(other.last.v[0], fits.last.v[0], 1e-13);
}

/// Neither a sliver of a step at the end, nor one in between.
TEST(Controls, TimesThatDifferByRoundingAreOne) {
  const System system = cart("[sampled]\nevery = 0.01\ndelay = 0.03\nu = 1");
  for (int k = 1; k <= 300; ++k) {
    const Trajectory run = integrate(system, options("mp", 0.01, k / 100.0));
    ASSERT_EQ(run.steps, k);
    ASSERT_TRUE(run.warnings.empty());
  }
  RunOptions later = options("mp", 0.01, 1e4 + 1);
  later.init = {{"t", 1e4}};
  EXPECT_EQ(integrate(system, later).steps, 100);
}

TEST(Controls, ValuesAreRemembered) {
  const double T = 0.1;
  const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2"
    [inputs]
    u = 0
    [forces]
    y = "u"
    [sampled]
    every = 0.1
    I = "last(I) + 0.1*x"
    u = "I - last(u)/2"
    [initial]
    v = [1, 0]
    sampled = { I = 0.1 }
  )toml");
  RunOptions run = options("gauss:1", T, 1);
  run.control.inputs = {{"u", 4}};
  const Trajectory result = integrate(system, run);
  Pieces pieces;
  double sum = 0.1, u = 4;
  for (int k = 0; k < 10; ++k) {
    sum += T * (T * k);
    u = sum - u / 2;
    pieces.times.push_back(T * k);
    pieces.values.push_back(u);
  }
  EXPECT_NEAR(result.last.q[1], pieces.at(1).first, 1e-14);
  EXPECT_NEAR(result.last.inputs[0], u, 1e-14);
}

TEST(Controls, SeriesAreHeld) {
  const Pieces pieces{{0, 0.5, 1.3}, {1, -2, 3}};
  RunOptions run = options("gauss:2", 0.1, 2);
  run.control.series = {{"u", std::vector<double>{-1, 0.5, 1.3}, pieces.values}};
  run.every = 1;
  run.at = {0.5, 0.77, 1.3, 2};
  run.dense = true;
  const Trajectory result = integrate(cart(), run);
  EXPECT_TRUE(result.warnings.empty());
  const auto value = [](double t) { return t < 0.5 - 1e-12 ? 1. : t < 1.3 - 1e-12 ? -2. : 3.; };
  for (const std::vector<Sample>& samples : {result.samples, result.values}) {
    for (const Sample& sample : samples) {
      expect_at(pieces, sample);
      EXPECT_EQ(sample.inputs, std::vector<double>{value(sample.t)}) << sample.t;
    }
  }
  for (const double t : {0., 0.3, 0.5, 0.51, 1.3, 1.9}) {
    expect_at(pieces, result.at(t));
    EXPECT_EQ(result.at(t).inputs[0], value(t)) << t;
  }
  // The first one holds before its time, too.
  run.control.series[0].times = {0.25, 0.5, 1.3};
  expect_at(pieces, integrate(cart(), run).last);
}

/// The first value of a series holds from the start of a run until somebody changes it.
TEST(Controls, SeriesThatComeLaterLeaveChangesOfEvents) {
  RunOptions run = options("mp", 0.125, 4);
  Event push{"x - 1"};
  push.act = [](EventChange& change) { change.inputs[0] = 5; };
  run.events = {push};
  const System system = cart("[initial]\nv = [1]\n");
  for (const bool is_linear : {false, true}) {
    run.control.series = {{"u", {3}, {2}, is_linear}};
    for (const double first : {3.0, 100.0}) {
      run.control.series[0].times = {first};
      const Trajectory found = integrate(system, run);
      ASSERT_EQ(found.hits.size(), 1U);
      const double t = found.hits[0].state.t, until = std::min(first, 4.0);
      EXPECT_NEAR(found.last.v[0], 1 + 2 * t + 5 * (until - t) + 2 * (4 - until), 1e-12) << first << is_linear;
      EXPECT_EQ(found.last.inputs[0], first < 4 ? 2 : 5);
    }
  }
}

TEST(Controls, SeriesAreJoinedByLines) {
  RunOptions run = options("gauss:2", 0.1, 3);
  run.control.series = {{"u", {0.5, 1.5, 2}, {1, 3, 0}, true}};
  run.every = 1;
  run.at = {0.5, 1, 1.7, 3};
  run.between = Between::step;
  run.dense = true;
  const Trajectory result = integrate(cart(), run);
  EXPECT_EQ(names_of(result.about.columns), names_of(row_columns(cart())));
  // u, and its first and second integral.
  const auto exact = [](double t, int integrals) {
    const double a = std::min(t, 0.5), b = std::clamp(t - 0.5, 0., 1.), c = std::clamp(t - 1.5, 0., 0.5),
                 d = std::max(t - 2, 0.);
    const double u = t < 1.5 ? 1 + 2 * b : t < 2 ? 3 - 6 * c : 0;
    const double v = a + b + b * b + 3 * c - 3 * c * c;
    const double v1 = 0.5, v2 = v1 + 2, v3 = v2 + 0.75;
    const double x = a * a / 2 + v1 * b + b * b / 2 + b * b * b / 3 + v2 * c + 1.5 * c * c - c * c * c + v3 * d;
    return integrals == 0 ? u : integrals == 1 ? v : x;
  };
  std::vector<Sample> all = result.samples;
  all.insert(all.end(), result.values.begin(), result.values.end());
  for (const double t : {0.2, 0.5, 1.23, 2., 2.5}) all.push_back(result.at(t));
  for (const Sample& sample : all) {
    EXPECT_NEAR(sample.q[0], exact(sample.t, 2), 1e-14) << sample.t;
    EXPECT_NEAR(sample.v[0], exact(sample.t, 1), 1e-14) << sample.t;
    EXPECT_NEAR(sample.inputs.at(0), exact(sample.t, 0), 1e-14) << sample.t;
  }
  EXPECT_LT(result.balance.max_abs_error, 1e-14);
}

/// A tenth in a series is a tenth.
TEST(Controls, SeriesHaveAllDigits) {
  RunOptions run = options("gauss:2", 0, 1);
  run.step = quad(1) / 10;
  run.precision = Precision::quadruple;
  run.control.series = {{"u", {quad(0), quad(3) / 10}, {quad(1) / 10, quad(2) / 10}}};
  const quad x = integrate(cart(), run).last_quad.q[0];
  const quad exact = (quad(9) / 2000) + quad(3) / 100 * quad(7) / 10 + quad(49) / 1000;
  EXPECT_LT(static_cast<double>(size_of(x - exact)), 1e-33);
}

TEST(Controls, LinearInputsStandBesideOthers) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2"
    [inputs]
    a = 0
    b = 0
    c = 0
    [definitions]
    pull = "2*b"
    [forces]
    x = "a"
    y = "pull"
    z = "c"
    [sampled]
    every = 0.1
    a = "b"
  )toml");
  RunOptions run = options("gauss:2", 0.1, 1);
  run.control.series = {{"b", {0, 1}, {0, 2}, true}};
  run.control.controllers = {{.every = 0.2,
                              .act =
                                  [](double t, auto, auto, auto inputs) {
                                    ASSERT_EQ(inputs.size(), 3U);
                                    EXPECT_NEAR(inputs[1], t < 0.45 ? 2 * t : 5, 1e-14);
                                    inputs[2] = 7;
                                  },
                              .inputs = {"c"}}};
  bool is_seen = false;
  run.events = {{.when = "t - 0.45", .act = [&](EventChange& change) {
                   ASSERT_EQ(change.inputs.size(), 3U);
                   EXPECT_NEAR(change.inputs[1], 0.9, 1e-14);
                   change.inputs[1] = 5;  // until the next entry of the series
                   is_seen = true;
                 }}};
  const Trajectory result = integrate(system, run);
  EXPECT_TRUE(is_seen);
  Pieces a;
  for (int k = 0; k < 10; ++k) {
    a.times.push_back(0.1 * k);
    a.values.push_back(k < 5 ? 0.2 * k : 5);
  }
  EXPECT_NEAR(result.last.q[0], a.at(1).first, 1e-13);
  EXPECT_NEAR(result.last.q[1], 2 * (std::pow(0.45, 3) / 3 + 0.2025 * 0.55 + 2.5 * 0.55 * 0.55), 1e-13);
  EXPECT_NEAR(result.last.q[2], 3.5, 1e-13);
}

/// What a change of an input adds to the energy is work.
TEST(Controls, EnergyBalanceCloses) {
  const System force = cart();
  const System potential =
      System::parse("coordinates = ['x']\nlagrangian = \"x'^2/2 + u*x\"\n[inputs]\nu = 0\n[initial]\nq = [1]");
  for (const System* system : {&force, &potential}) {
    for (const bool is_linear : {false, true}) {
      RunOptions run = options("gauss:2", 0.1, 2);
      run.control.series = {{"u", {0.3, 0.5, 1.3}, {1, -2, 3}, is_linear}};
      run.every = 1;
      run.at = {0.5, 1.35};
      run.dense = true;
      const Trajectory result = integrate(*system, run);
      EXPECT_TRUE(result.balance.has_work);
      EXPECT_LT(result.balance.max_abs_error, 1e-14);
      EXPECT_GT(result.energy.max_abs_error, 0.1);
      EXPECT_LT(find_column(result.about.columns, "work"), result.about.columns.size());
      std::vector<Sample> all = result.samples;
      all.insert(all.end(), result.values.begin(), result.values.end());
      for (const double t : {0.3, 0.5, 0.8, 1.95}) all.push_back(result.at(t));
      for (const Sample& sample : all) {
        EXPECT_NEAR(sample.energy - sample.work, result.energy.initial, 1e-14) << sample.t;
      }
    }
  }
}

TEST(Controls, EventsSeeInputs) {
  RunOptions run = options("gauss:2", 0.1, 2);
  run.control.series = {{"u", {0, 0.5, 1.3}, {1, -2, 3}}};
  run.events = {{"u"}, {"x'", Crossing::down}, {"u - 1"}};
  const Trajectory result = integrate(cart(), run);
  ASSERT_EQ(result.hits.size(), 4U);
  EXPECT_NEAR(result.hits[0].state.t, 0.5, 1e-15);
  EXPECT_EQ(result.hits[0].direction, Crossing::down);
  EXPECT_EQ(result.hits[0].state.inputs[0], -2);
  EXPECT_NEAR(result.hits[1].state.t, 0.75, 1e-14);
  EXPECT_EQ(result.hits[2].event, 0);
  EXPECT_EQ(result.hits[3].event, 2) << "it begins at zero";
  run.events = {{.when = "u", .direction = Crossing::up, .stop_after = 1}};
  const Trajectory stopped = integrate(cart(), run);
  EXPECT_EQ(stopped.outcome.status, Status::stopped);
  EXPECT_NEAR(stopped.last.t, 1.3, 1e-15);
  int acted = 0;
  run.events = {{.when = "u", .act = [&](EventChange& change) {
                   ++acted;
                   change.v[0] = 0;
                 }}};
  const Trajectory caught = integrate(cart(), run);
  EXPECT_EQ(acted, 2);
  EXPECT_NEAR(caught.last.v[0], 3 * 0.7, 1e-14);
}

/// A zero at the very time of a sample is an event.
TEST(Controls, ZerosAtSamplesAreSeen) {
  const System system = cart("[sampled]\nevery = 0.25\nu = 't/8'\n[initial]\nq = [-0.5]\nv = [1]");
  RunOptions run = options("gauss:1", 0.125, 1);
  run.events = {{"t - 0.5"}};
  ASSERT_EQ(integrate(system, run).hits.size(), 1U);
  EXPECT_EQ(integrate(system, run).hits[0].state.t, 0.5);
}

TEST(Controls, ControllersThatFailEndTheRun) {
  RunOptions run = options("gauss:2", 0.05, 1);
  run.every = 1;
  run.control.controllers = {
      {.every = 0.1, .act = [](double t, auto, auto, auto inputs) { inputs[0] = t < 0.45 ? 1 : NAN; }}};
  const Trajectory bad = integrate(cart(), run);
  EXPECT_EQ(bad.outcome.status, Status::failed);
  EXPECT_EQ(bad.outcome.message, "input 'u' is nan at t = 0.5");
  EXPECT_NEAR(bad.last.t, 0.5, 1e-15);
  EXPECT_NEAR(bad.last.q[0], 0.125, 1e-15);
  EXPECT_EQ(bad.samples.size(), 11U);
  run.control.controllers[0].act = [](double, auto, auto, auto inputs) { inputs[0] = NAN; };
  EXPECT_EQ(integrate(cart(), run).outcome.message, "input 'u' is nan at t = 0");
  EXPECT_EQ(integrate(cart("[sampled]\nevery = 0.1\nu = 'sqrt(0.35 - t)'"), options("mp", 0.1, 1)).outcome.message,
            "input 'u' is nan at t = 0.4");
  run.control.controllers[0].act = [](double t, auto, auto, auto) {
    if (t > 0.25) throw std::runtime_error("out of order");
  };
  EXPECT_THROW(integrate(cart(), run), std::runtime_error);

  Stepper<double> stepper(Program<double>(cart("[sampled]\nevery = 0.1\nu = 'sqrt(0.35 - t)'"), {.method = "mp"}), 0.1);
  EXPECT_EQ(stepper.advance(10), 4);
  EXPECT_FALSE(stepper.step());
  EXPECT_EQ(stepper.outcome().message, "input 'u' is nan at t = 0.4");
}

/// Samples that the start time is too large to tell apart would be taken at one moment, without end.
TEST(Controls, PeriodsBelowTheRoundingOfTimeAreRefused) {
  int samples = 0;
  RunOptions run{.method = "mp", .step = 0.01, .steps = 1};
  run.control.controllers = {{1e-7, 0, [&](double, auto, auto, auto inputs) { inputs[0] = ++samples; }}};
  const InitialState late{1e9, {0}, {0}, {}};
  const auto said = [](const auto& act) { return testing::refusal(act); };
  EXPECT_NE(said([&] { integrate(cart(), late, run); }).find("every 1e-07 from t = 1000000000"), std::string::npos)
      << said([&] { integrate(cart(), late, run); });
  EXPECT_EQ(samples, 0);
  run.control.controllers[0].every = 1e-3;
  EXPECT_EQ(integrate(cart(), late, run).outcome.status, Status::done);
  EXPECT_EQ(samples, 10);
  Stepper stepper(Program(cart("[sampled]\nevery = 1e-7\nu = 'last(u) + 1'\n"), {.method = "mp"}), 1e-7);
  ASSERT_EQ(stepper.advance(5), 5);
  const std::string before = stepper.save();
  EXPECT_FALSE(said([&] { stepper.set_state(late); }).empty());
  EXPECT_TRUE(stepper.save() == before);
}

TEST(Controls, LinearInputsAreInputsOfTheSystemEachOnce) {
  const System system = cart();
  const auto said = [&](const std::vector<std::string>& names) {
    return testing::refusal([&] { with_linear_inputs(system, names); });
  };
  EXPECT_EQ(said({"u"}), "");
  EXPECT_NE(said({"w"}).find("unknown input 'w'"), std::string::npos) << said({"w"});
  EXPECT_NE(said({"u", "u"}).find("'u'"), std::string::npos) << said({"u", "u"});
}

TEST(Controls, Refusals) {
  const auto nothing = [](double, auto, auto, auto) {};
  const System system = cart(), sampled = cart("[sampled]\nevery = 0.1\nu = 'x'");
  const auto expect = [](const std::string& said, const std::string& part) {
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  expect(refusal(system, {.inputs = {{"U", 1}}}), "unknown input 'U'\n  did you mean 'u'?");
  expect(refusal(system, {.series = {{"w", {0}, {1}, true}}}), "unknown input 'w'\n  the inputs are u");
  expect(refusal(system, {.series = {{"u", {}, {}}}}), "is empty");
  expect(refusal(system, {.series = {{"u", {0, 1}, {0}}}}), "2 times and 1 values");
  expect(refusal(system, {.series = {{"u", {0, 0}, {0, 1}}}}), "the time 0 after 0");
  expect(refusal(system, {.series = {{"u", {0}, {NAN}}}}), "finite");
  expect(refusal(system, {.inputs = {{"u", 1}}, .series = {{"u", {0}, {1}, true}}}), "has a value and a series");
  expect(refusal(system, {.series = {{"u", {0}, {1}}}, .controllers = {{1, 0, nothing}}}),
         "a series and by a controller");
  expect(refusal(sampled, {.series = {{"u", {0}, {1}}}}), "given by [sampled] and by a series");
  expect(refusal(system, {.controllers = {{0, 0, nothing}}}), "every 0");
  expect(refusal(system, {.controllers = {{1, -1, nothing}}}), "delay of a controller cannot be -1");
  expect(refusal(system, {.controllers = {{1, 0, {}}}}), "no function");
  expect(refusal(system, {.controllers = {{1, 0, nothing, {"v"}}}}), "unknown input 'v'");
  EXPECT_EQ(refusal(sampled, {.inputs = {{"u", 3}}}), "") << "until the first sample";
  EXPECT_THROW(Stepper<double>(Program<double>(sampled, {.lanes = 4}), 0.1), InputError);
}

}  // namespace
}  // namespace noslip

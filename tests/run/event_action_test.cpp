// Events that act: impacts beside closed forms, switches, several at once, motions that come to rest.
#include <atomic>
#include <numbers>
#include <thread>

#include <gtest/gtest.h>

#include "run/help.hpp"
#include "support/allocation_count.hpp"

namespace noslip {
namespace {

using testing::options;

constexpr double gravity = 9.81, radius = 0.25, height = 1.25;  // of the centre, at the start

/// A disk in a vertical plane, in flight; theta' > 0 turns against the clock.
System disk() {
  return System::parse(R"toml(
    name        = "disk"
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + r^2*theta'^2/4 - g*y"
    [parameters]
    g = 9.81
    r = 0.25
    [initial]
    q = [0, 1.25, 0]
    v = [1, 0, 7])toml");
}

/// The impact that reverses the normal velocity, e times, and makes the disk roll.
void bounce(EventChange& change, double e) {
  std::vector<double>& v = change.v;
  const double slip = v[0] + radius * v[2], impulse = -slip / 3;  // 1 + r^2/J = 3
  v[0] += impulse;
  v[2] += 2 * impulse / radius;
  v[1] = -e * v[1];
}

Event impact(double e, bool in_cpp = false) {
  Event event{"y - r", Crossing::down};
  if (in_cpp) {
    event = {"floor", Crossing::down};
    event.function = [](double, std::span<const double> q, std::span<const double>) { return q[1] - radius; };
  }
  event.act = [e](EventChange& change) { bounce(change, e); };
  return event;
}

/// Impacts are at these times: the first after a fall, then after flights that are e times as long each.
double time_of_impact(int number, double e) {
  const double first = std::sqrt(2 * (height - radius) / gravity);
  double t = first, flight = 2 * first;
  for (int i = 1; i < number; ++i) t += flight *= e;
  return t;
}

class Impacts : public ::testing::TestWithParam<double> {};

TEST_P(Impacts, AreWhereTheClosedFormSays) {
  const double e = GetParam();
  const double end = time_of_impact(1000, e) + (e < 0.98 ? 0 : 1e-3);
  RunOptions run = options("gauss:2", 0.01, end);
  run.events = {impact(e)};
  const Trajectory found = integrate(disk(), run);
  ASSERT_EQ(found.outcome.status, Status::done) << found.outcome.message;
  ASSERT_GE(found.hits.size(), 1000U);
  for (int i = 1; i <= 1000; ++i) {
    const EventHit& hit = found.hits[static_cast<std::size_t>(i) - 1];
    // Times are rounded, and so are the velocities at impacts; each changes all flights after it.
    const double rounding = e < 1 ? std::pow(i, 1.5) * std::numeric_limits<double>::epsilon() * hit.state.t : 0;
    EXPECT_NEAR(hit.state.t, time_of_impact(i, e), 1e-12 * std::max(1.0, hit.state.t) + rounding) << i;
    EXPECT_EQ(hit.number, i);
    EXPECT_NEAR(hit.state.q[1], radius, 1e-15);
    EXPECT_LE(hit.state.v[1], 0);
  }
  // From the first impact on it rolls: x' = -r theta', at a third of the slip from both.
  const double slip = 1 + radius * 7, x_rate = 1 - slip / 3;
  EXPECT_NEAR(found.last.v[0], x_rate, 1e-14);
  EXPECT_NEAR(found.last.v[0] + radius * found.last.v[2], 0, 1e-14);
  const double first = time_of_impact(1, e);
  EXPECT_NEAR(found.last.q[0], first + x_rate * (found.last.t - first), 1e-12 * found.last.t);
  // What impacts take is work.
  EXPECT_LT(found.balance.max_abs_error, 1e-11);
  const double fall = gravity * height + 0.5 + radius * radius * 49 / 4;
  EXPECT_NEAR(found.last.energy - found.last.work, fall, 1e-11);
  if (e == 1) {
    EXPECT_NEAR(found.last.work, -slip * slip / 6, 1e-11);
  }
  EXPECT_TRUE(found.warnings.empty()) << found.warnings[0].message;
}

INSTANTIATE_TEST_SUITE_P(Of, Impacts, ::testing::Values(1.0, 0.9995, 0.99));

TEST(EventActions, OfFunctionsInCppAreThoseOfTexts) {
  for (const std::string method : {"gauss:2", "mp", "lobatto-ab:3", "gonzalez"}) {
    RunOptions run = options(method, 0.01, 20);
    run.events = {impact(0.95)};
    const Trajectory by_text = integrate(disk(), run);
    run.events = {impact(0.95, true)};
    const Trajectory by_function = integrate(disk(), run);
    ASSERT_EQ(by_text.hits.size(), by_function.hits.size()) << method;
    EXPECT_GT(by_text.hits.size(), 20U);
    for (std::size_t i = 0; i < by_text.hits.size(); ++i) {
      EXPECT_EQ(by_text.hits[i].state.t, by_function.hits[i].state.t) << method << " " << i;
    }
    EXPECT_EQ(by_text.last.q, by_function.last.q);
    // Functions may be used without any action, too.
    run.events[0].act = {};
    run.events.push_back({"y - r", Crossing::down});
    run.until = 1;
    const Trajectory fall = integrate(disk(), run);
    ASSERT_EQ(fall.hits.size(), 2U);
    EXPECT_EQ(fall.hits[0].state.t, fall.hits[1].state.t);
    EXPECT_LT(fall.last.q[1], -3);
  }
}

System cart() {
  return System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "m*x'^2/2 - k*x^2/2"
    [parameters]
    m = 1
    k = 1
    [inputs]
    u = 0
    [forces]
    x = "u"
    [initial]
    q = [1])toml");
}

/// A spring that is four times as stiff on one side: half a turn takes pi on one side, and pi/2 on the other.
TEST(EventActions, SwitchParameters) {
  const double pi = std::numbers::pi;
  for (const bool in_cpp : {false, true}) {
    Event event{"x"};
    if (in_cpp) event.function = [](double, std::span<const double> q, std::span<const double>) { return q[0]; };
    event.act = [](EventChange& change) { change.parameters[1] = change.v[0] < 0 ? 4 : 1; };
    RunOptions run = options("gauss:5", 0.05, 60);
    run.events = {event};
    const Trajectory found = integrate(cart(), run);
    ASSERT_EQ(found.outcome.status, Status::done) << found.outcome.message;
    ASSERT_GE(found.hits.size(), 20U);
    for (std::size_t i = 0; i < found.hits.size(); ++i) {
      const double turns = static_cast<double>(i / 2), t = pi / 2 + 1.5 * pi * turns + (i % 2 == 1 ? pi / 2 : 0);
      EXPECT_NEAR(found.hits[i].state.t, t, 1e-12);
      EXPECT_EQ(found.hits[i].direction, i % 2 == 0 ? Crossing::down : Crossing::up);
    }
    EXPECT_NEAR(found.last.energy, 0.5, 1e-12);
    EXPECT_LT(found.balance.max_abs_error, 1e-12);
  }
}

/// A relay: a force of constant size against the motion. Each half turn loses 4 u in amplitude... and comes from
/// inputs.
TEST(EventActions, SwitchInputs) {
  Event event{"x'"};
  event.act = [](EventChange& change) { change.inputs[0] = change.q[0] > 0 ? 0.05 : -0.05; };
  RunOptions run = options("gauss:4", 0.05, 9.5);
  run.control.inputs = {{"u", 0.05}};  // against x' < 0
  run.events = {event};
  run.every = 1;
  const Trajectory found = integrate(cart(), run);
  ASSERT_EQ(found.outcome.status, Status::done) << found.outcome.message;
  ASSERT_EQ(found.hits.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const double size = 1 - 0.1 * static_cast<double>(i + 1);
    EXPECT_NEAR(found.hits[i].state.t, static_cast<double>(i + 1) * std::numbers::pi, 1e-12);
    EXPECT_NEAR(found.hits[i].state.q[0], i % 2 == 0 ? -size : size, 1e-12);
  }
  EXPECT_EQ(found.last.inputs, std::vector<double>{-0.05});
  EXPECT_LT(found.balance.max_abs_error, 1e-12);
}

TEST(EventActions, MovePositions) {
  // From x = 0 back to x = 1, again and again: the motion has a period of pi/2.
  Event event{"x", Crossing::down};
  event.act = [](EventChange& change) {
    change.q[0] = 1;
    change.v[0] = 0;
  };
  RunOptions run = options("gauss:5", 0.05, 31);
  run.events = {event, {"x - 1/2", Crossing::down}, {"x - 1/2", Crossing::up}};
  const Trajectory found = integrate(cart(), run);
  ASSERT_EQ(found.outcome.status, Status::done) << found.outcome.message;
  std::vector<std::vector<double>> times(3);
  for (const EventHit& hit : found.hits) times[static_cast<std::size_t>(hit.event)].push_back(hit.state.t);
  ASSERT_EQ(times[0].size(), 19U);
  ASSERT_EQ(times[1].size(), 20U);
  EXPECT_EQ(times[2].size(), 0U);  // a jump is no crossing
  for (std::size_t i = 0; i < 19; ++i) {
    const double start = static_cast<double>(i) * std::numbers::pi / 2;
    EXPECT_NEAR(times[1][i], start + std::numbers::pi / 3, 1e-12);
    EXPECT_NEAR(times[0][i], start + std::numbers::pi / 2, 1e-12);
  }
}

/// All that is said.
std::string refusal(const System& system, const RunOptions& run) {
  try {
    integrate(system, run);
  } catch (const InputError& error) {
    std::string text;
    for (const Problem& problem : error.problems()) text += problem.what + " / " + problem.remedy + "\n";
    return text;
  }
  return {};
}

TEST(EventActions, LeaveConsistentStatesOrAreRefused) {
  for (const bool projects : {false, true}) {
    Event event{"t - 0.3"};
    event.act = [&](EventChange& change) {
      change.v[1] += 0.1;
      change.projects = projects;
    };
    RunOptions run = options("gauss:2", 0.01, 1);
    run.events = {event};
    if (!projects) {
      EXPECT_EQ(refusal(testing::sleigh(), run).substr(0, 82),
                "event 't - 0.3' at t = 0.3 leaves a state from which the run cannot continue: cons");
      continue;
    }
    const Trajectory found = integrate(testing::sleigh(), run);
    EXPECT_EQ(found.outcome.status, Status::done) << found.outcome.message;
    EXPECT_LT(found.constraints.max_abs, 1e-15);
    EXPECT_NE(found.last.work, 0);
    EXPECT_NEAR(found.last.energy - found.last.work, found.energy.initial, 1e-8);
  }
  // Wrong counts.
  for (const int what : {0, 1, 2, 3}) {
    Event event{"t - 0.3"};
    event.act = [&](EventChange& change) {
      (what == 0 ? change.q : what == 1 ? change.v : what == 2 ? change.parameters : change.inputs).push_back(1);
    };
    RunOptions run = options("gauss:2", 0.01, 1);
    run.events = {event};
    EXPECT_THROW(integrate(testing::sleigh(), run), InputError);
  }
  Event event{"t - 0.3"};
  event.act = [](EventChange& change) { change.v[0] = std::numeric_limits<double>::quiet_NaN(); };
  RunOptions run = options("gauss:2", 0.01, 1);
  run.events = {event};
  const std::string text = refusal(testing::sleigh(), run);
  EXPECT_NE(text.find("event 't - 0.3' at t = 0.3 leaves"), std::string::npos) << text;
  EXPECT_EQ(text.find("initial"), std::string::npos) << text;
  EXPECT_NE(text.find("EventChange"), std::string::npos) << text;
  event.act = [](EventChange&) { throw std::runtime_error("no more"); };
  run.events = {event};
  EXPECT_THROW(integrate(testing::sleigh(), run), std::runtime_error);
}

TEST(EventActions, AtTheSameTimeAllAct) {
  std::vector<std::string> calls;
  const auto act = [&](const char* name) {
    return [&calls, name](EventChange& change) {
      calls.push_back(name + std::to_string(change.number));
      change.parameters[0] *= 2;
    };
  };
  for (const double when : {0.3, 0.5, 0.333}) {  // on the grid of steps and looks, and beside it
    calls.clear();
    const std::string t = std::to_string(when);
    RunOptions run = options("gauss:2", 0.1, 1);
    run.events = {{"t - " + t}, {"7*(t - " + t + ")"}, {"(t - " + t + ")/3"}};
    run.events[0].act = act("a");
    run.events[1].act = act("b");
    const Trajectory found = integrate(cart(), run);
    ASSERT_EQ(found.outcome.status, Status::done) << found.outcome.message;
    std::sort(calls.begin(), calls.end());
    EXPECT_EQ(calls, (std::vector<std::string>{"a1", "b1"})) << when;
    EXPECT_EQ(found.hits.size(), 3U) << when;
    EXPECT_NEAR(found.last.t, 1, 1e-15);
  }
}

TEST(EventActions, AtTheEndOfTheRun) {
  int calls = 0;
  RunOptions run = options("lobatto-ab:3", 0.1, 1);
  run.events = {{"t - 1"}, {"t - 0.9999999999999999"}};
  for (Event& event : run.events) event.act = [&](EventChange&) { ++calls; };
  const Trajectory found = integrate(cart(), run);
  EXPECT_EQ(found.outcome.status, Status::done) << found.outcome.message;
  EXPECT_EQ(found.last.t, 1);
  EXPECT_GE(calls, 1);
}

TEST(EventActions, StopTheRun) {
  RunOptions run = options("gauss:2", 0.01, 100);
  run.events = {impact(0.9), {"x - 0.7"}};
  int left = 5;
  run.events[0].act = [&](EventChange& change) {
    bounce(change, 0.9);
    change.stops = --left == 0;
  };
  const Trajectory found = integrate(disk(), run);
  EXPECT_EQ(found.outcome.status, Status::stopped);
  EXPECT_NE(found.outcome.message.find("event 'y - r' at t = "), std::string::npos) << found.outcome.message;
  EXPECT_NEAR(found.last.t, time_of_impact(5, 0.9), 1e-12);
  EXPECT_GT(found.last.v[1], 0);  // with the change
  // The crossing that ends the run acts, too.
  run.events = {impact(0.9)};
  run.events[0].stop_after = 3;
  const Trajectory third = integrate(disk(), run);
  EXPECT_EQ(third.outcome.status, Status::stopped);
  EXPECT_NEAR(third.last.t, time_of_impact(3, 0.9), 1e-12);
  EXPECT_GT(third.last.v[1], 0);
  EXPECT_LT(third.hits.back().state.v[1], 0);
  EXPECT_EQ(third.hits.back().number, 3);
}

/// What was seen in the part of a step that was taken back does not count.
TEST(EventActions, EventsBehindAnActionAreNotCounted) {
  RunOptions run = options("gauss:3", 0.25, 20);
  run.events = {impact(1), {"y - r/2", Crossing::down}, {"t - 0.46"}, {"y'", Crossing::down}};
  const Trajectory found = integrate(disk(), run);
  ASSERT_EQ(found.outcome.status, Status::done) << found.outcome.message;
  std::vector<long long> counts(4);
  for (const EventHit& hit : found.hits) EXPECT_EQ(hit.number, ++counts[static_cast<std::size_t>(hit.event)]);
  const double first = time_of_impact(1, 1);
  EXPECT_EQ(counts[0], 1 + static_cast<long long>((20 - first) / (2 * first)));
  EXPECT_EQ(counts[1], 0);  // below the floor
  EXPECT_EQ(counts[2], 1);
  EXPECT_EQ(counts[3], static_cast<long long>(20 / (2 * first)));  // highest points; the start is none
}

double height_at(double t, double e) {
  int impacts = 0;
  while (time_of_impact(impacts + 1, e) <= t) ++impacts;
  if (impacts == 0) return height - gravity * t * t / 2;
  const double speed = gravity * time_of_impact(1, e) * std::pow(e, impacts), s = t - time_of_impact(impacts, e);
  return radius + speed * s - gravity * s * s / 2;
}

TEST(EventActions, StatesBetweenStepsKnowOfThem) {
  RunOptions run = options("gauss:2", 0.1, 3.5);
  run.events = {impact(0.8)};
  run.dense = true;
  run.every = 1;
  for (int i = 0; i <= 70; ++i) run.at.push_back(0.05 * i);
  const Trajectory found = integrate(disk(), run);
  ASSERT_EQ(found.outcome.status, Status::done) << found.outcome.message;
  ASSERT_EQ(found.values.size(), 71U);
  for (const Sample& sample : found.values) EXPECT_NEAR(sample.q[1], height_at(sample.t, 0.8), 1e-12) << sample.t;
  for (const Sample& sample : found.samples) EXPECT_NEAR(sample.q[1], height_at(sample.t, 0.8), 1e-12) << sample.t;
  EXPECT_EQ(found.samples.size(), static_cast<std::size_t>(found.steps) + 1);
  EXPECT_EQ(found.samples.back().t, 3.5);
  for (int i = 0; i <= 700; ++i) {
    const double t = 0.005 * i;
    EXPECT_NEAR(found.at(t).q[1], height_at(t, 0.8), 1e-12) << t;
    EXPECT_GE(found.at(t).q[1], radius - 1e-14);
  }
  // With every = 3 the same states, fewer of them.
  run.every = 3;
  const Trajectory fewer = integrate(disk(), run);
  ASSERT_GE(fewer.samples.size(), 10U);
  for (std::size_t i = 1; i + 1 < fewer.samples.size(); ++i) EXPECT_EQ(fewer.samples[i].q, found.samples[3 * i].q);
}

TEST(EventActions, ThatNeverEndAreRefusedAndHoldTheFloor) {
  for (const std::string method : {"gauss:2", "mp", "lobatto-ab:3", "gonzalez", "cm"}) {
    for (const bool is_careful : {true, false}) {
      for (const double e : {0.5, 0.1, 0.0}) {
        RunOptions run = options(method, 0.01, 10);
        double lowest = 1;
        run.observe = [&](double, std::span<const double> q, std::span<const double>) {
          lowest = std::min(lowest, q[1]);
        };
        run.events = {impact(e)};
        if (is_careful) {
          run.events[0].act = [e](EventChange& change) {
            if (change.v[1] < 0) bounce(change, e);
          };
        }
        const Trajectory found = integrate(disk(), run);
        EXPECT_EQ(found.outcome.status, Status::failed) << method << " " << e;
        EXPECT_NE(found.outcome.message.find("EventChange::stops"), std::string::npos) << found.outcome.message;
        const double first = time_of_impact(1, e), rest = first + 2 * first * e / (1 - e);
        EXPECT_NEAR(found.last.t, rest, 1e-5) << method << " " << e;
        EXPECT_GE(lowest, radius - 1e-13) << method << " " << e;
      }
    }
  }
  // Stopped in time.
  RunOptions run = options("gauss:2", 0.01, 10);
  run.events = {impact(0.5)};
  run.events[0].act = [](EventChange& change) {
    bounce(change, 0.5);
    change.stops = change.v[1] < 1e-6;
  };
  EXPECT_EQ(integrate(disk(), run).outcome.status, Status::stopped);
}

TEST(EventActions, ConstrainedSystemsBounceToo) {
  // A sleigh between two walls: its velocity along the blade is reversed.
  RunOptions run = options("gauss:3", 0.01, 30);
  run.events = {{"x - 2", Crossing::up}, {"x + 2", Crossing::down}};
  for (Event& event : run.events) {
    event.act = [](EventChange& change) {
      for (std::size_t i = 0; i < 3; ++i) change.v[i] = -change.v[i];
    };
  }
  for (const std::string method : {"gauss:3", "mp", "nh-lobatto:2", "lobatto-ab:3", "cm"}) {
    run.method = method;
    const Trajectory found =
        integrate(testing::skate(), {0, {0, 0, 0.3}, {std::cos(0.3), std::sin(0.3), 0.2}, {}}, run);
    ASSERT_EQ(found.outcome.status, Status::done) << method << ": " << found.outcome.message;
    EXPECT_GT(found.hits.size(), 3U);
    EXPECT_LT(found.constraints.max_abs, 1e-14) << method;
    EXPECT_LT(found.balance.max_abs_error, 1e-3) << method;
    for (const EventHit& hit : found.hits) EXPECT_NEAR(std::fabs(hit.state.q[0]), 2, 1e-12) << method;
  }
}

TEST(EventActions, KeepTheDigitsOfQuadruplePrecision) {
  RunOptions run = options("gauss:2", 0.1, 9);
  run.precision = Precision::quadruple;
  run.events = {impact(1)};
  run.init = {{"x'", 0}, {"theta'", 0}};
  const Trajectory found = integrate(disk(), run);
  ASSERT_EQ(found.outcome.status, Status::done) << found.outcome.message;
  EXPECT_GT(found.hits.size(), 8U);
  const quad y = found.last_quad.q[1], rate = found.last_quad.v[1];
  const quad g = to_quad("9.81"), energy = rate * rate / 2 + g * y, start = g * quad(1.25);
  EXPECT_LT(std::fabs(static_cast<double>(energy - start)), 1e-30);
}

// ---- what a run tells while it goes on

TEST(Observers, SeeEveryStepAndAllocateNothing) {
  const System system = testing::sleigh();
  long long calls = 0;
  double t_last = 0;
  RunOptions run = options("gauss:2", 0.01, 10);
  const auto allocated = [&] {
    const long long before = testing::allocations;
    integrate(system, run);
    return testing::allocations - before;
  };
  allocated();  // the program
  const long long without = allocated();
  run.observe = [&](double t, std::span<const double> q, std::span<const double> v) {
    ++calls;
    EXPECT_GT(t, t_last);
    EXPECT_EQ(q.size(), 3U);
    EXPECT_EQ(v.size(), 3U);
    t_last = t;
  };
  const long long with = allocated();
  EXPECT_EQ(calls, 1000);
  EXPECT_NEAR(t_last, 10, 1e-12);
  EXPECT_TRUE(without > 0 || !testing::counts_allocations);
  EXPECT_LE(with - without, 2);  // for all steps together
}

TEST(Observers, StopFromAnotherThread) {
  std::stop_source source;
  std::atomic<long long> steps = 0;
  RunOptions run = options("gauss:2", 1e-4, 1e6);
  run.stop = source.get_token();
  run.observe = [&](double, std::span<const double>, std::span<const double>) { ++steps; };
  std::thread other([&] {
    while (steps < 1000) std::this_thread::yield();
    source.request_stop();
  });
  const Trajectory found = integrate(testing::sleigh(), run);
  other.join();
  EXPECT_EQ(found.outcome.status, Status::interrupted);
  EXPECT_GE(found.steps, 1000);
  EXPECT_EQ(found.steps, steps);
  EXPECT_NEAR(found.last.t, 1e-4 * static_cast<double>(found.steps), 1e-9);
}

}  // namespace
}  // namespace noslip

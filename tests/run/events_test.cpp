// Events: places, directions, counts, several at once, zeros at looks, stops.
#include <numbers>

#include <gtest/gtest.h>

#include <noslip/run/section.hpp>

#include "run/help.hpp"

namespace noslip {
namespace {

using std::numbers::pi;
using testing::options;

System oscillator() {
  return System::parse(R"toml(
    name        = "oscillator"
    coordinates = ["x"]
    lagrangian  = "(x'^2 - x^2)/2"
    [parameters]
    c = 0.5
    [definitions]
    level = "x - c"
    [initial]
    q = [1]
    v = [0]
  )toml");
}

RunOptions watched(const std::vector<Event>& events, double until, const std::string& method = "gauss:6") {
  RunOptions result = options(method, 0.1, until);
  result.events = events;
  result.between = Between::step;  // exact to rounding with this method
  return result;
}

TEST(Events, AreLocatedToRounding) {
  const Trajectory run = integrate(oscillator(), watched({{"level"}}, 20));
  ASSERT_EQ(run.hits.size(), 7U);
  for (std::size_t i = 0; i < run.hits.size(); ++i) {
    const double turn = 2 * pi * static_cast<double>((i + 1) / 2);
    EXPECT_NEAR(run.hits[i].state.t, i % 2 == 0 ? turn + pi / 3 : turn - pi / 3, 4e-15 * (1 + turn)) << i;
    EXPECT_NEAR(run.hits[i].state.q[0], 0.5, 3e-15);
    EXPECT_EQ(run.hits[i].direction, i % 2 == 0 ? Crossing::down : Crossing::up);
    EXPECT_EQ(run.hits[i].number, static_cast<long long>(i) + 1);
  }
}

TEST(Events, HaveDirectionsAndKeepTheirOrder) {
  const Trajectory run = integrate(oscillator(), watched({{"x", Crossing::up}, {"x'", Crossing::down}, {"t = 5"}}, 10));
  ASSERT_EQ(run.hits.size(), 3U);
  const double times[] = {3 * pi / 2, 5, 2 * pi};
  const int events[] = {0, 2, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(run.hits[i].event, events[i]);
    EXPECT_NEAR(run.hits[i].state.t, times[i], 1e-13);
  }
}

TEST(Events, StopTheRunWhereTheyHappen) {
  RunOptions options = watched({{"x", Crossing::both, 3}, {"x'", Crossing::both}}, 1000);
  options.at = {1, 8, 900};
  options.every = 1;
  options.dense = true;
  const Trajectory run = integrate(oscillator(), options);
  EXPECT_EQ(run.outcome.status, Status::stopped);
  EXPECT_NEAR(run.last.t, 5 * pi / 2, 1e-14);
  EXPECT_NEAR(run.last.q[0], 0, 1e-14);
  EXPECT_EQ(run.samples.back().t, run.last.t);
  EXPECT_EQ(run.steps, 78);
  EXPECT_EQ(run.hits.size(), 3U + 2U);
  EXPECT_EQ(run.values.size(), 1U);  // the others were not reached
  EXPECT_EQ(run.dense->end(), run.last.t);
  EXPECT_THROW(run.at(7.9), InputError);
  EXPECT_NE(run.outcome.message.find("event 'x' at t = 7.85398"), std::string::npos) << run.outcome.message;
}

TEST(Events, AtALookCountOnce) {
  // v is exactly zero at the start, and the grid of looks meets t = 1, 2, 3 exactly.
  RunOptions options = watched({{"t - 1"}, {"(t - 2)^2"}, {"t - 3", Crossing::up}, {"x'"}}, 3);
  options.step = 0.5;
  const Trajectory run = integrate(oscillator(), options);
  ASSERT_EQ(run.hits.size(), 2U);  // t = 2 is touched, not crossed; the start is no event
  EXPECT_EQ(run.hits[0].state.t, 1);
  EXPECT_EQ(run.hits[1].state.t, 3);  // at the very end of the run
}

TEST(Events, ThatLastCountAtTheirEnd) {
  // Zero from t = 1 to t = 2; the run must not go back.
  RunOptions options = watched({{"max(t - 2, 0) + min(t - 1, 0)", Crossing::both, 1}, {"t - 1.5"}}, 3);
  options.step = 0.5;
  options.every = 1;
  const Trajectory run = integrate(oscillator(), options);
  EXPECT_EQ(run.last.t, 2);
  ASSERT_EQ(run.hits.size(), 2U);
  EXPECT_EQ(run.hits[0].state.t, 1.5);
  EXPECT_EQ(run.hits[1].state.t, 2);
  for (std::size_t i = 1; i < run.samples.size(); ++i) EXPECT_GT(run.samples[i].t, run.samples[i - 1].t);
}

TEST(Events, AfterAStopAreNotTold) {
  RunOptions options = watched({{"t - 0.3", Crossing::both, 1}, {"t - 0.375"}, {"t - 0.5"}, {"(t - 0.3)*2"}}, 1);
  options.step = 0.5;
  const Trajectory run = integrate(oscillator(), options);
  ASSERT_EQ(run.hits.size(), 2U);  // both of those at the very time
  EXPECT_NEAR(run.hits[0].state.t, 0.3, 1e-16);
  EXPECT_NEAR(run.hits[1].state.t, 0.3, 1e-16);
}

TEST(Events, AtTheEndOfTheRunStopIt) {
  const Trajectory run = integrate(oscillator(), watched({{"t - 1", Crossing::up, 1}}, 1));
  EXPECT_EQ(run.outcome.status, Status::stopped);
  EXPECT_EQ(run.last.t, 1);
  EXPECT_EQ(run.steps, 10);
}

TEST(Events, AreNoPolesAndNoGaps) {
  const Trajectory run = integrate(
      oscillator(), watched({{"1/(t - 0.51)"}, {"sqrt(t^2 - 0.7*t + 0.11)*(t - 0.3)"}, {"sign(t - 0.77)"}}, 1));
  ASSERT_EQ(run.hits.size(), 1U);  // a jump is one
  EXPECT_EQ(run.hits[0].event, 2);
  EXPECT_NEAR(run.hits[0].state.t, 0.77, 1e-15);
}

TEST(Events, OfMultipliersSeeThoseOfTheContinuousProblem) {
  const System pair = System::parse(R"toml(
    kind = "dae2"
    y = ["a", "b"]
    z = ["z"]
    f = [["b", "-a + z"]]
    g = ["b - cos(2*t)"]
    [initial]
    y = [0, 1]
    z = [0]
  )toml");  // a = sin(2t)/2, z = a - 2 sin(2t) = -3/2 sin(2t)
  for (const char* method : {"rk-gauss:3", "srk-gauss:3", "rk-radau-iia:3"}) {
    RunOptions run = watched({{"z = -1", Crossing::down, 1}}, 2, method);
    run.between = Between::polynomial;
    const Trajectory trajectory = integrate(pair, run);
    EXPECT_NEAR(trajectory.last.t, std::asin(2.0 / 3) / 2, 1e-6) << method;
    EXPECT_NEAR(trajectory.last.multipliers.at(0), -1, 1e-9) << method;
  }
}

TEST(Events, GiveTheirStateToAllFinalValues) {
  RunOptions options = watched({{"x - 0.2", Crossing::down, 1}}, 10, "gauss:1");
  options.step = 0.4;
  options.between = Between::polynomial;
  const Trajectory run = integrate(oscillator(), options);
  const double x = run.last.q[0], v = run.last.v[0];
  EXPECT_NEAR(run.energy.final, (x * x + v * v) / 2, 1e-15);
  EXPECT_EQ(run.last.work, 0);
  EXPECT_LE(run.solver.iterations_mean, run.solver.iterations_max);
}

TEST(Events, AreFoundOnPolynomialsToo) {
  RunOptions options = watched({{"level"}}, 1000);
  options.method = "gauss:3";
  options.between = Between::polynomial;
  const Trajectory run = integrate(oscillator(), options);
  EXPECT_EQ(run.hits.size(), 318U);
  for (const EventHit& hit : run.hits) EXPECT_NEAR(hit.state.q[0], 0.5, 1e-15);
}

TEST(Events, BetweenTwoLooksNeedMoreLooks) {
  // Two changes of sign within 0.02 of time around the largest x.
  const auto count = [](int looks) {
    RunOptions options = watched({{"x - cos(0.01)"}}, 20);
    options.looks_per_step = looks;
    return integrate(oscillator(), options).hits.size();
  };
  EXPECT_LT(count(1), 7U);
  EXPECT_EQ(count(20), 7U);  // out of the start, and in and out of three turns
}

TEST(Events, AreRefusedWhereTheyMakeNoSense) {
  const auto refused = [](const Event& event, const std::string& what) {
    try {
      integrate(oscillator(), watched({event}, 1));
      ADD_FAILURE() << event.when << " was accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  refused({"y - 1"}, "unknown symbol 'y'");
  refused({"x +"}, "event 'x +'");
  refused({"c"}, "never happens");
  refused({"x", Crossing::up, -1}, "cannot stop at crossing -1");
}

SectionOptions section_of_contact(const std::string& method, double step, long long crossings) {
  SectionOptions result;
  result.run.method = method;
  result.run.step = step;
  result.event = {"y'", Crossing::down, crossings};
  result.columns = {"x", "z", "z'", "energy", "x + y*z"};
  return result;
}

System contact() {
  return System::parse(R"toml(
    name        = "contact"
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2 - x^2 - y^2 - z^2)/2"
    constraints = ["x' + y*z' = 0"]
    [parameters]
    z0 = 0.5
    [initial]
    q = ["sqrt(2 - z0^2)", 1, "z0"]
  )toml");
}

TEST(Sections, OfSeveralOrbits) {
  SectionOptions options = section_of_contact("mp", 0.1, 50);
  options.orbits = {{"a", {{"z0", -0.3}}, {}}, {"b", {}, {{"z", 0.4}}}};
  const Section result = section(contact(), options);
  EXPECT_EQ(result.outcome.status, Status::done) << result.outcome.message;
  ASSERT_EQ(result.orbits.size(), 2U);
  for (const SectionOrbit& orbit : result.orbits) {
    ASSERT_EQ(orbit.points.size(), 50U);
    const double period = orbit.points.back().t / 50;  // of y as the method has it
    for (std::size_t i = 0; i < 50; ++i) {
      EXPECT_NEAR(orbit.points[i].t, period * static_cast<double>(i + 1), 2e-4);
      EXPECT_EQ(orbit.points[i].values.size(), 5U);
      EXPECT_NEAR(orbit.points[i].values[3], orbit.run.energy.initial, 2e-2);
    }
  }
}

TEST(Sections, ThatAreNotCrossedEndAllTheSame) {
  SectionOptions options = section_of_contact("mp", 0.1, 3);
  options.event.when = "y - 2";
  const Section without = section(contact(), options);
  EXPECT_EQ(without.outcome.status, Status::failed);
  EXPECT_NE(without.outcome.message.find("only 0 of 3 crossings"), std::string::npos) << without.outcome.message;
  options.event.when = "y'";
  options.run.until = 10;
  const Section until = section(contact(), options);
  EXPECT_EQ(until.outcome.status, Status::done);
  EXPECT_EQ(until.orbits[0].points.size(), 1U);
  options.event.stop_after = 0;
  EXPECT_THROW(section(contact(), options), InputError);
  options.event.stop_after = 1;
  options.columns = {"x", "nonsense"};
  EXPECT_THROW(section(contact(), options), InputError);
}

/// Impacts, switches and kicks: after what an event has done, the motion comes back or goes on.
TEST(Events, Act) {
  const System ball =
      System::parse("coordinates = ['x']\nlagrangian = \"x'^2/2 - g*x\"\n[parameters]\ng = 1\n[initial]\nq = [0.5]");
  RunOptions run = options("gauss:2", 0.1, 2.4);
  int calls = 0;
  run.events = {{.when = "x", .direction = Crossing::down, .act = [&](EventChange& change) {
                   EXPECT_EQ(change.number, ++calls);
                   change.v[0] *= -0.5;
                 }}};
  const Trajectory bounces = integrate(ball, run);
  EXPECT_EQ(calls, 2) << "at t = 1 and t = 2";
  EXPECT_NEAR(bounces.last.q[0], 0.25 * 0.4 - 0.08, 1e-14);
  EXPECT_NEAR(bounces.last.v[0], 0.25 - 0.4, 1e-14);
  // Two events that go on: a switch of gravity at a time, and a kick when the ball comes by.
  calls = 0;
  run.events = {{.when = "t - 0.5",
                 .act =
                     [&](EventChange& change) {
                       change.parameters[0] = 0;
                       ++calls;
                     }},
                {.when = "x - 0.25", .act = [&](EventChange& change) {
                   change.v[0] *= 2;
                   ++calls;
                 }}};
  const Trajectory kicked = integrate(ball, run);
  EXPECT_EQ(kicked.outcome.status, Status::done) << kicked.outcome.message;
  EXPECT_EQ(calls, 2);
  EXPECT_NEAR(kicked.last.v[0], -1, 1e-14);
  EXPECT_NEAR(kicked.last.q[0], 0.25 - (2.4 - 0.75), 1e-13);
  // At rest on the floor: that is said, and the ball does not fall through it.
  run.events = {{.when = "x", .direction = Crossing::down, .act = [](EventChange& change) { change.v[0] = 0; }}};
  const Trajectory rests = integrate(ball, run);
  EXPECT_EQ(rests.outcome.status, Status::failed);
  EXPECT_NE(rests.outcome.message.find("comes to rest"), std::string::npos) << rests.outcome.message;
}

}  // namespace
}  // namespace noslip

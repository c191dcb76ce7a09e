// Events that act at moments where something else happens: the start and the end of a run, ends of steps, samples of
// controllers, other actions just before.
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "run/help.hpp"

namespace noslip {
namespace {

using testing::has_warning;

/// Falls from y = 1 with unit weight; u pushes upwards.
System falling() {
  return System::parse(R"toml(
    coordinates = ["y"]
    lagrangian  = "y'^2/2 - y"
    [parameters]
    floor = 0
    [inputs]
    u = 0
    [forces]
    y = "u"
    [initial]
    q = [1])toml");
}

System cart() {
  return System::parse(
      "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[inputs]\nu = 0\n[forces]\nx = 'u'\n"
      "[initial]\nq = [1]\nv = [-1]\n");
}

Event impact(Crossing direction, int& calls, const std::string& when = "y - floor") {
  Event event{when, direction};
  event.act = [&calls](EventChange& change) {
    ++calls;
    change.v[0] = -change.v[0];
  };
  return event;
}

RunOptions until(double end, std::vector<Event> events) {
  return {.method = "gauss:1", .step = 0.1, .until = end, .events = std::move(events)};
}

InitialState end_of(const Trajectory& run) { return {run.last.t, run.last.q, run.last.v, {}}; }

/// Times around t, the nearest ones densely.
std::vector<double> times_around(double t) {
  std::vector<double> times;
  const double unit = std::nextafter(t, 10) - t;
  for (const double units : {-1e4, -300.0, 300.0, 1e4}) times.push_back(t + units * unit);
  for (int i = -95; i <= 95; i += std::abs(i) < 5 ? 1 : 5) times.push_back(t + i * unit);
  return times;
}

TEST(EventMoments, ARunInTwoPartsBouncesAsOneDoes) {
  for (const Crossing direction : {Crossing::down, Crossing::both}) {
    for (const double floor : {0.0, 0.5, 0.3}) {
      const double first = std::sqrt(2 * (1 - floor));
      int whole = 0, parts = 0;
      RunOptions run = until(4, {impact(direction, whole)});
      run.set = {{"floor", floor}};
      const Trajectory one = integrate(falling(), run);
      ASSERT_EQ(whole, floor == 0 ? 1 : 2);
      run.events = {impact(direction, parts)};
      for (const double end : times_around(first)) {
        parts = 0;
        run.until = end;
        const Trajectory begin = integrate(falling(), run);
        EXPECT_EQ(begin.last.t, end) << floor << ", " << end - first << ", " << begin.last.t - first << ", " << parts;
        EXPECT_EQ(begin.hits.size(), static_cast<std::size_t>(parts));  // what is reported acts
        run.until = 4;
        const Trajectory rest = integrate(falling(), end_of(begin), run);
        EXPECT_EQ(parts, whole) << floor << ", " << end - first;
        EXPECT_NEAR(rest.last.q[0], one.last.q[0], 1e-10) << floor << ", " << end - first;
      }
    }
  }
}

/// The velocity stays as it is: the motion goes on to the other side, and acts once all the same.
TEST(EventMoments, ARunInTwoPartsSwitchesAsOneDoes) {
  int calls = 0;
  Event event{"x - 1/3"};
  event.act = [&](EventChange& change) {
    ++calls;
    change.inputs[0] += 1;
  };
  RunOptions run = until(2, {event});
  for (const double end : times_around(2.0 / 3)) {
    calls = 0;
    run.until = end;
    const Trajectory begin = integrate(cart(), run);
    run.until = 1;
    run.control.inputs = {{"u", begin.last.inputs[0]}};
    const Trajectory rest = integrate(cart(), end_of(begin), run);
    EXPECT_EQ(calls, 1) << end - 2.0 / 3;
    EXPECT_EQ(rest.last.inputs[0], 1);
    run.control.inputs = {};
  }
}

/// x = 1 - t is zero at the end of a step, exactly.
TEST(EventMoments, AtTheEndOfAStepIsInTheRowThere) {
  for (const double step : {0.125, 0.25, 0.5, 1.0}) {
    for (const double end : {1.0, 2.0}) {
      int calls = 0;
      RunOptions run = until(end, {impact(Crossing::down, calls, "x")});
      run.step = step;
      run.every = 1;
      const Trajectory found = integrate(cart(), run);
      EXPECT_EQ(calls, 1);
      ASSERT_EQ(found.hits.size(), 1U);
      EXPECT_EQ(found.hits[0].state.t, 1);
      EXPECT_EQ(found.hits[0].state.v[0], -1);
      EXPECT_EQ(found.steps, static_cast<long long>(end / step));
      for (const Sample& sample : found.samples) {
        EXPECT_EQ(sample.v[0], sample.t < 1 ? -1 : 1) << step << ", " << sample.t;
      }
      EXPECT_EQ(found.last.v[0], 1);
      EXPECT_EQ(found.last.q[0], end - 1);
    }
  }
}

/// Two events at the end of a step, exactly: one acts, the other ends the run there.
TEST(EventMoments, AtTheEndOfAStepAnotherEventStopsTheRun) {
  for (const bool acts : {true, false}) {
    int calls = 0;
    Event last{"2*x"};
    last.stop_after = 1;
    RunOptions run = until(3, {impact(Crossing::down, calls, acts ? "x" : "x + 100"), last});
    run.step = 0.25;
    const Trajectory found = integrate(cart(), run);
    EXPECT_EQ(found.outcome.status, Status::stopped);
    EXPECT_EQ(found.last.t, 1);
    EXPECT_EQ(found.steps, 4);
    EXPECT_EQ(calls, acts ? 1 : 0);
    EXPECT_EQ(found.last.v[0], acts ? 1 : -1);
    EXPECT_EQ(found.hits.size(), acts ? 2U : 1U);
  }
}

/// A parabola touches zero at the end of the run, and a body at rest stays there: nothing is crossed.
TEST(EventMoments, TouchingAndRestingAtTheEndAreNoCrossings) {
  int calls = 0;
  RunOptions run = until(1, {impact(Crossing::both, calls, "(x)^2"), impact(Crossing::both, calls, "max(x, 0)")});
  run.step = 0.25;
  EXPECT_TRUE(integrate(cart(), run).hits.empty());
  run.until = 3;
  EXPECT_TRUE(integrate(cart(), run).hits.empty());
  EXPECT_EQ(calls, 0);
}

TEST(EventMoments, AllEventsOfTheLastMomentAct) {
  for (const double end : times_around(1)) {
    int first = 0, second = 0, third = 0;
    RunOptions run = until(end, {{"t - 1"}, {"t - 0.9999999999999996"}, {"1.0000000000000004 - t"}});
    int* const counts[] = {&first, &second, &third};
    for (std::size_t i = 0; i < 3; ++i) run.events[i].act = [count = counts[i]](EventChange&) { ++*count; };
    const Trajectory begin = integrate(cart(), run);
    run.until = 2;
    integrate(cart(), end_of(begin), run);
    EXPECT_EQ(first, 1) << end - 1;
    EXPECT_EQ(second, 1) << end - 1;
    EXPECT_EQ(third, 1) << end - 1;
  }
}

/// The start of a run is not an event. Who expects an action there is told.
TEST(EventMoments, AtTheStartNothingActsAndTheRunSaysSo) {
  for (const double start : {0.0, 1e-17, -1e-17, 1e-3}) {
    for (const double speed : {-1.0, 1.0}) {
      int calls = 0;
      RunOptions run = until(1, {impact(Crossing::down, calls, "x")});
      run.init = {{"x", start}, {"x'", speed}};
      const Trajectory found = integrate(cart(), run);
      EXPECT_EQ(calls, start == 1e-3 && speed < 0 ? 1 : 0) << start << ", " << speed;
      EXPECT_EQ(has_warning(found, "events"), speed < 0 && start >= 0 && start < 1e-3) << start << ", " << speed;
    }
  }
}

/// An action that leaves the body just in front of the wall: it hits it again at once.
TEST(EventMoments, ASecondCrossingSoonAfterAnActionIsFound) {
  for (const double distance : {1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-5, 1e-3}) {
    std::vector<double> times;
    Event wall{"x", Crossing::down};
    wall.act = [&](EventChange& change) {
      times.push_back(change.t);
      if (times.size() == 1) {
        change.q[0] = distance;
      } else {
        change.v[0] = -change.v[0];
      }
    };
    const Trajectory found = integrate(cart(), until(2, {wall}));
    ASSERT_EQ(times.size(), 2U) << distance;
    EXPECT_NEAR(times[0], 1, 1e-15);
    EXPECT_NEAR(times[1] - times[0], distance, 1e-15) << distance;
    EXPECT_EQ(found.last.v[0], 1);
    EXPECT_FALSE(has_warning(found, "events")) << distance;
  }
  // On the other side it comes back, and crosses upwards.
  int calls = 0;
  Event wall{"x"};
  wall.act = [&](EventChange& change) {
    if (++calls > 1) return;
    change.q[0] = -1e-9;
    change.v[0] = 1;
  };
  const Trajectory back = integrate(cart(), until(2, {wall}));
  ASSERT_EQ(back.hits.size(), 2U);
  EXPECT_EQ(back.hits[1].direction, Crossing::up);
  EXPECT_NEAR(back.hits[1].state.t, 1 + 1e-9, 1e-15);
  // By less than rounding errors nobody can tell.
  wall.act = [](EventChange& change) { change.q[0] = 1e-17; };
  EXPECT_TRUE(has_warning(integrate(cart(), until(2, {wall})), "events"));
}

/// A short flight: thrown up with a small velocity, it is back after twice that time.
TEST(EventMoments, AShortFlightEndsAtTheFloor) {
  for (const double speed : {1e-7, 1e-8, 5e-9, 1e-9, 5e-10, 1e-10}) {
    std::vector<double> times;
    Event floor{"y - floor", Crossing::down};
    floor.act = [&](EventChange& change) {
      times.push_back(change.t);
      change.v[0] = times.size() == 1 ? speed : 1;
    };
    RunOptions run = until(2, {floor});
    const Trajectory found = integrate(falling(), run);
    ASSERT_EQ(times.size(), 2U) << speed;
    EXPECT_NEAR(times[1] - times[0], 2 * speed, 1e-6 * speed + 2e-15) << speed;
    EXPECT_GT(found.last.q[0], 0);
  }
}

/// An event without an action at the place of one that acts: it is told once, whichever way the motion goes on.
TEST(EventMoments, OtherEventsAtAnActionAreToldOnce) {
  for (const double wall : {0.3, 1.0 / 3, 0.7, 0.123456789}) {
    for (const bool turns : {false, true}) {
      const std::string at = "x - " + to_text(wall);
      Event acting{at, Crossing::down};
      acting.act = [=](EventChange& change) {
        if (turns) change.v[0] = -change.v[0];
      };
      const std::vector<Event> events{acting, {"3*(" + at + ")"}, {"7*(" + at + ")", Crossing::up}, {"t - 0.9"}};
      const Trajectory found = integrate(cart(), until(2, events));
      std::vector<int> counts(4);
      for (const EventHit& hit : found.hits) ++counts[static_cast<std::size_t>(hit.event)];
      EXPECT_EQ(counts, (std::vector<int>{1, 1, 0, 1})) << wall << (turns ? " turns" : " goes on");
    }
  }
}

// ---- events and controllers

/// At one moment an event acts first, then series change, then controllers sample and act. The event is at the sample
/// to rounding error: exactly there, a little before or after.
TEST(EventMoments, EventsActBeforeSamples) {
  for (const double shift : {0.0, 2e-16, -2e-16, 1e-15, -1e-15, 5e-15, -5e-15}) {
    int calls = 0;
    std::vector<double> seen;
    RunOptions run = until(2, {impact(Crossing::down, calls, "x")});
    run.init = {{"x", 1 + shift}};
    Controller reader{0.5, 0, {}};
    reader.act = [&](double, std::span<const double>, std::span<const double> v, std::span<double> inputs) {
      seen.push_back(v[0]);
      inputs[0] = 0.125 * static_cast<double>(seen.size() % 2);  // something changes at every sample
    };
    run.control.controllers = {reader};
    // Without the input's force: the cart meets x = 0 at t = 1.
    const System free = System::parse(
        "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[inputs]\nu = 0\n[forces]\nx = '0*u'\n"
        "[initial]\nq = [1]\nv = [-1]\n");
    const Trajectory found = integrate(free, run);
    EXPECT_EQ(calls, 1) << shift;
    ASSERT_GE(seen.size(), 4U);
    EXPECT_EQ(seen[1], -1) << shift;
    EXPECT_EQ(seen[2], 1) << shift;  // at t = 1, after the impact
    EXPECT_EQ(found.last.v[0], 1);
  }
}

/// What a sample sees of the inputs at its moment, and what acts from there on.
TEST(EventMoments, SamplesComeBeforeResultsThatActAtTheSameTime) {
  for (const int periods : {0, 1, 2}) {
    const double every = 0.5;
    std::vector<double> own, other, series;
    RunOptions run{.method = "gauss:1", .step = 0.25, .until = 3, .every = 1};
    const System system = System::parse(
        "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[inputs]\na = -1\nb = -1\nc = 0\n[forces]\nx = 'a + b + c'\n");
    Controller first{every, periods * every, {}, {"a"}};
    first.act = [&](double, auto, auto, std::span<double> inputs) {
      own.push_back(inputs[0]);
      series.push_back(inputs[2]);
      inputs[0] = static_cast<double>(own.size());  // the number of this sample, from 1 on
    };
    Controller second{every, 0, {}, {"b"}};
    second.act = [&](double, auto, auto, std::span<double> inputs) {
      other.push_back(inputs[0]);
      inputs[1] = 0;
    };
    run.control.controllers = {first, second};
    run.control.series = {{"c", {0, 1, 2}, {10, 20, 30}}};
    const Trajectory found = integrate(system, run);
    for (int sample = 0; sample < 5; ++sample) {
      const auto i = static_cast<std::size_t>(sample);
      const double t = every * sample;
      // Its own results: without the one that begins to act now. A controller behind it sees that one.
      EXPECT_EQ(own[i], sample - periods > 0 ? sample - periods : -1) << periods << ", sample " << sample;
      EXPECT_EQ(other[i], sample - periods >= 0 ? sample - periods + 1 : -1) << periods << ", sample " << sample;
      EXPECT_EQ(series[i], t < 1 ? 10 : t < 2 ? 20 : 30) << periods << ", sample " << sample;
      const Sample& row = found.samples[2 * i];
      ASSERT_EQ(row.t, t);
      EXPECT_EQ(row.inputs[0], other[i]);  // a row has what acts from there on
      EXPECT_EQ(row.inputs[1], 0);
    }
  }
}

/// The controller of a system file has the same order, in a run and in a stepper (controls_test.cpp compares them).
TEST(EventMoments, SamplesOfTheFileSeeWhatHasActedUntilThen) {
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2"
    [inputs]
    u = 5
    seen = 0
    [forces]
    x = "u + seen"
    [sampled]
    every = 0.5
    delay = 0.5
    seen = "u"
    u = "10 + t"
    )toml");
  const Trajectory found = integrate(system, {.method = "gauss:1", .step = 0.5, .until = 2, .every = 1});
  const std::vector<double> u{5, 10, 10.5, 11}, seen{0, 5, 5, 10};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found.samples[i].inputs[0], u[i]) << i;
    EXPECT_EQ(found.samples[i].inputs[1], seen[i]) << i;
  }
}

/// An event that changes an input at the time of its series, or of a result: the series and the result come later.
TEST(EventMoments, SeriesAndResultsComeAfterActions) {
  Event event{"t - 1"};
  event.act = [](EventChange& change) { change.inputs[0] = 7; };
  for (const bool is_series : {true, false}) {
    RunOptions run = until(2, {event});
    run.step = 0.25;
    run.every = 1;
    if (is_series) {
      run.control.series = {{"u", {0, 1}, {1, 2}}};
    } else {
      Controller two{1, 0, {}};
      two.act = [](double t, auto, auto, std::span<double> inputs) { inputs[0] = t < 1 ? 1 : 2; };
      run.control.controllers = {two};
    }
    for (const Sample& row : integrate(cart(), run).samples) EXPECT_EQ(row.inputs[0], row.t < 1 ? 1 : 2) << row.t;
  }
}

}  // namespace
}  // namespace noslip

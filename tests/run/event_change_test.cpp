// Events around those that act: what lies behind them in a step, what is stored there, how a run ends.
#include <gtest/gtest.h>

#include "run/help.hpp"

namespace noslip {
namespace {

System free_particle() {
  return System::parse("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[initial]\nv = [1, 1]\n");
}

System falling() {
  return System::parse("coordinates = ['y']\nlagrangian = \"y'^2/2 - y\"\n[initial]\nq = [1]\n");
}

/// At the end of the first step x is 1 exactly, but the event before it takes that part of the step back.
TEST(EventChanges, TakeBackZerosBehindThem) {
  Event acts{"y - 0.3"};
  const Event zero{"x - 1"};
  RunOptions run{.method = "gauss:1", .step = 1, .until = 5};
  const auto hits_of_zero = [&](double speed) {
    acts.act = [=](EventChange& change) { change.v[0] = speed; };
    run.events = {acts, zero};
    std::vector<double> times;
    for (const EventHit& hit : integrate(free_particle(), run).hits) {
      if (hit.event == 1) times.push_back(hit.state.t);
    }
    return times;
  };
  ASSERT_EQ(hits_of_zero(0.25).size(), 1U);
  EXPECT_NEAR(hits_of_zero(0.25)[0], 0.3 + 0.7 / 0.25, 1e-14);
  ASSERT_EQ(hits_of_zero(4).size(), 1U);
  EXPECT_NEAR(hits_of_zero(4)[0], 0.3 + 0.7 / 4, 1e-14);
  EXPECT_TRUE(hits_of_zero(-1).empty());
  EXPECT_TRUE(hits_of_zero(0).empty());
}

TEST(EventChanges, ThatStopTheRunLeaveNoZerosBehindIt) {
  Event stops{"y - 0.3"};
  stops.act = [](EventChange& change) { change.stops = true; };
  RunOptions run{.method = "gauss:1", .step = 1, .until = 5, .events = {stops, {"x - 1"}}};
  const Trajectory found = integrate(free_particle(), run);
  EXPECT_EQ(found.outcome.status, Status::stopped);
  EXPECT_DOUBLE_EQ(found.last.t, 0.3);
  ASSERT_EQ(found.hits.size(), 1U);
  EXPECT_EQ(found.hits[0].event, 0);
}

TEST(EventChanges, AreInTheSampleThatIsStoredThere) {
  for (const long long every : {1, 2, 3, 1000}) {
    for (const bool counts : {false, true}) {
      Event impact{"y"};
      if (counts) impact.stop_after = 2;
      impact.act = [=](EventChange& change) {
        change.v[0] = -change.v[0];
        change.stops = !counts && change.number == 2;
      };
      const RunOptions run{.method = "gauss:1", .step = 0.1, .until = 20, .every = every, .events = {impact}};
      const Trajectory found = integrate(falling(), run);
      EXPECT_EQ(found.outcome.status, Status::stopped);
      EXPECT_GT(found.last.v[0], 0);
      const Sample& stored = found.samples.back();
      EXPECT_EQ(stored.t, found.last.t) << every;
      EXPECT_EQ(stored.v, found.last.v) << every;
      EXPECT_EQ(stored.energy, found.last.energy) << every;
      EXPECT_EQ(stored.work, found.last.work) << every;
      EXPECT_LT(found.hits.back().state.v[0], 0) << every;
    }
  }
}

TEST(EventChanges, AreMadeAtTheCrossingThatEndsTheRun) {
  int calls = 0;
  Event impact{"y"};
  impact.stop_after = 2;
  impact.act = [&](EventChange& change) {
    EXPECT_EQ(change.number, ++calls);
    change.v[0] = -change.v[0];
  };
  const RunOptions run{.method = "gauss:1", .step = 0.1, .until = 20, .events = {impact}};
  const Trajectory found = integrate(falling(), run);
  EXPECT_EQ(calls, 2);
  ASSERT_EQ(found.hits.size(), 2U);
  EXPECT_LT(found.hits[1].state.v[0], 0);
  EXPECT_EQ(found.last.v[0], -found.hits[1].state.v[0]);
  EXPECT_EQ(found.outcome.status, Status::stopped);
  EXPECT_NE(found.outcome.message.find("(down, number 2)"), std::string::npos) << found.outcome.message;
}

/// Two events at one time: one acts, the other ends the run.
TEST(EventChanges, AreMadeWhereAnotherEventEndsTheRun) {
  Event impact{"y"}, last{"2*y"};
  impact.act = [](EventChange& change) { change.v[0] = -change.v[0]; };
  last.stop_after = 1;
  for (const auto& events : {std::vector<Event>{impact, last}, std::vector<Event>{last, impact}}) {
    const RunOptions run{.method = "gauss:1", .step = 0.1, .until = 20, .events = events};
    const Trajectory found = integrate(falling(), run);
    EXPECT_EQ(found.outcome.status, Status::stopped);
    EXPECT_EQ(found.hits.size(), 2U);
    EXPECT_GT(found.last.v[0], 0);
    EXPECT_NE(found.outcome.message.find("'2*y'"), std::string::npos) << found.outcome.message;
  }
}

}  // namespace
}  // namespace noslip

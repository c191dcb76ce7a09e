// The preparation of a run ends when it is told to, and leaves nothing behind that others would stumble over.
#include <chrono>
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include <noslip/core/stopping.hpp>
#include <noslip/run/program.hpp>
#include <noslip/run/run.hpp>

#include "support/chains.hpp"

namespace noslip {
namespace {

using testing::rods_between_points;

RunOptions two_steps(std::stop_token stop) {
  RunOptions options;
  options.method = "gauss:2";
  options.step = 0.01;
  options.steps = 2;
  options.stop = std::move(stop);
  return options;
}

constexpr const char* message = "interrupted while the step was being prepared";

TEST(Stopping, APreparationEndsFromAnotherThread) {
  forget_programs();
  const System system = rods_between_points(1500);  // takes seconds to prepare
  std::stop_source source;
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  const long long before = program_counts().compiled;
  const Trajectory run = integrate(system, two_steps(source.get_token()));
  EXPECT_EQ(run.outcome.status, Status::interrupted);
  EXPECT_EQ(run.outcome.message, message);
  EXPECT_EQ(program_counts().compiled, before);
  EXPECT_TRUE(run.samples.empty());
}

TEST(Stopping, WhatWasEndedCanBeMadeAgain) {
  forget_programs();
  const System system = rods_between_points(20);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(integrate(system, two_steps(source.get_token())).outcome.message, message);
  EXPECT_EQ(integrate(system, two_steps({})).outcome.status, Status::done);
  // A run that is prepared ends after its first step, and is told so as before.
  const Outcome outcome = integrate(system, two_steps(source.get_token())).outcome;
  EXPECT_EQ(outcome.status, Status::interrupted);
  EXPECT_EQ(outcome.message, "interrupted after 1 of 2 steps");
}

TEST(Stopping, WhoWaitsForAProgramGetsIt) {
  forget_programs();
  const System system = rods_between_points(300);
  std::stop_source source;
  auto ended = std::async(std::launch::async, [&] { return integrate(system, two_steps(source.get_token())); });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  auto waiting = std::async(std::launch::async, [&] { return integrate(system, two_steps({})); });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  source.request_stop();
  EXPECT_EQ(ended.get().outcome.status, Status::interrupted);
  EXPECT_EQ(waiting.get().outcome.status, Status::done);
}

TEST(Stopping, WhoWaitsForAProgramMayLeave) {
  forget_programs();
  const System system = rods_between_points(1000);
  std::stop_source one, two;
  auto compiling = std::async(std::launch::async, [&] { return integrate(system, two_steps(one.get_token())); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  auto waiting = std::async(std::launch::async, [&] { return integrate(system, two_steps(two.get_token())); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  two.request_stop();
  EXPECT_EQ(waiting.get().outcome.message, message);
  one.request_stop();
  EXPECT_EQ(compiling.get().outcome.status, Status::interrupted);
}

TEST(Stopping, ScopesAreNestedAndShielded) {
  std::stop_source outer, inner;
  const StopScope around(outer.get_token());
  EXPECT_FALSE(is_stopped());
  {
    const StopScope scope(inner.get_token());
    inner.request_stop();
    EXPECT_THROW(end_if_stopped(), Interrupted);
    const StopShield shield;
    EXPECT_NO_THROW(end_if_stopped());
  }
  EXPECT_FALSE(is_stopped());
  outer.request_stop();
  const StopScope scope([] { return false; });
  EXPECT_TRUE(is_stopped());
  EXPECT_THROW(Program<double>(rods_between_points(3), {.method = "gauss:2", .tolerance = 1e-9}), Interrupted);
  bool elsewhere = true;
  std::jthread([&] { elsewhere = is_stopped(); }).join();
  EXPECT_FALSE(elsewhere);
}

}  // namespace
}  // namespace noslip

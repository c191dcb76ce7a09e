// Functions of blocks of numbers: what goes where, in every scalar type, and from several threads.
#include <cmath>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/exec/function.hpp>

#include "exec/allocations.hpp"

namespace noslip {
namespace {

struct Symbols {
  Graph graph;
  Expr t = graph.symbol("t"), x = graph.symbol("x"), y = graph.symbol("y"), m = graph.symbol("m");
};

template <class T>
void expect_blocks_in_their_places() {
  Symbols s;
  const Function<T> function({{s.t}, {s.x, s.y}, {}, {s.m}}, {{s.x - s.y}, {}, {s.m * s.t, s.t, sqrt(s.y)}});
  EXPECT_EQ(function.input_count(), 4U);
  EXPECT_EQ(function.output_count(), 3U);
  const std::vector<T> point{T(5), T(2)}, none;
  const Evaluation<T> values = function({T(3), point, none, T(0.25)});
  ASSERT_EQ(values.output(0).size(), 1U);
  ASSERT_EQ(values.output(1).size(), 0U);
  ASSERT_EQ(values.output(2).size(), 3U);
  EXPECT_EQ(values.output(0)[0], T(3));
  EXPECT_EQ(values.output(2)[0], T(0.75));
  EXPECT_EQ(values.output(2)[1], T(3));
  const T defect = values.output(2)[2] * values.output(2)[2] - T(2);
  EXPECT_LE(size_of(defect), 4 * epsilon<T>());
}

TEST(Function, PutsBlocksInTheirPlaces) {
  expect_blocks_in_their_places<double>();
  expect_blocks_in_their_places<long double>();
  expect_blocks_in_their_places<quad>();
}

TEST(Function, KeepsWhatIsNotSetAgainAndAllocatesNothing) {
  Symbols s;
  Evaluation<double> at(Function<double>({{s.t}, {s.x, s.y}, {s.m}}, {{s.m * (s.x + s.y) + s.t}}));
  at.set(2, 10.0);
  const std::vector<double> more_than_needed{1, 2, 99};
  const std::size_t before = allocation_count();
  for (int i = 0; i < 3; ++i) {
    at.set(0, static_cast<double>(i)).set(1, more_than_needed).run();
    EXPECT_EQ(at.output(0)[0], 30 + i);
  }
  at.input(1)[0] = 5;
  at.run();
  EXPECT_EQ(at.output(0)[0], 72);
  EXPECT_EQ(allocation_count(), before);
}

TEST(Function, RunsInAWorkspaceOfSomebodyElse) {
  Symbols s;
  const std::vector<PlacedBlock> inputs{{{s.x, s.y}, 4}, {{s.t}, 1}}, outputs{{{s.x * s.y, s.t}, 7}};
  for (const int lanes : {1, 4}) {
    const Function<double> function(inputs, outputs, Backend::automatic, lanes);
    EXPECT_EQ(function.workspace_size(), 9U);
    std::vector<double> workspace(9 * static_cast<std::size_t>(lanes), -1), scratch(function.scratch_size());
    for (int l = 0; l < lanes; ++l) {
      workspace[4 * lanes + l] = l + 1;
      workspace[5 * lanes + l] = 3;
      workspace[lanes + l] = 0.5;
    }
    function(workspace.data(), scratch.data());
    for (int l = 0; l < lanes; ++l) {
      EXPECT_EQ(workspace[7 * lanes + l], 3 * (l + 1));
      EXPECT_EQ(workspace[8 * lanes + l], 0.5);
      EXPECT_EQ(workspace[l], -1);
    }
  }
}

TEST(Function, IsSharedByThreads) {
  Symbols s;
  const Function<double> function({{s.x}, {s.y}}, {{sin(s.x) * s.y, exp(-s.x)}}, Backend::automatic);
  const auto sum_of = [&function](int first) {
    Evaluation<double> at(function);
    double sum = 0;
    for (int i = 0; i < 2000; ++i) {
      at.set(0, 0.001 * (first + i)).set(1, 1.5).run();
      sum += at.output(0)[0] + at.output(0)[1];
    }
    return sum;
  };
  std::vector<double> sums(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&, i] { sums[i] = sum_of(100 * i); });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(sums[i], sum_of(100 * i));
}

}  // namespace
}  // namespace noslip

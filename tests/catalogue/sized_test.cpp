// Systems whose size is a parameter.
#include <cmath>

#include <gtest/gtest.h>

#include "catalogue/help.hpp"

namespace noslip {
namespace {

using testing::Start;
using testing::start_of;

TEST(Sized, EverySizeIsConsistent) {
  for (const char* name : {"lattice", "trailers", "links", "snake"}) {
    EXPECT_EQ(catalogue_system(name).sizes(), std::vector<std::string>{"n"}) << name;
    const double least = std::string(name) == "trailers" ? 0 : 2;
    for (const double n : {least, 3.0, 10.0}) EXPECT_NO_THROW(start_of(name, {{"n", n}})) << name << ", " << n;
  }
  EXPECT_EQ(start_of("lattice", {{"n", 100}}).system.dimension(), 101);
  EXPECT_THROW(start_of("lattice", {{"n", 1}}), InputError);
  EXPECT_THROW(start_of("lattice", {{"n", 2.5}}), InputError);
}

TEST(Sized, LatticeHasTheEquationsOfItsFile) {
  const double beta = 0.3, m = 2, k = 1.5, u = 0.4, a = 0.8;
  const Start start = start_of("lattice", {{"n", 5}, {"beta", beta}, {"m", m}, {"k", k}, {"u0", u}, {"a", a}});
  const auto q = [&](int i) { return i == 0 || i == 6 ? 0 : start.state.q[static_cast<std::size_t>(i - 1)]; };
  const auto force = [&](int i) {  // of the spring between i and i + 1
    const double d = q(i + 1) - q(i);
    return d + beta * d * d * d;
  };
  const double lambda = start.continuous.multipliers[0];
  for (int i = 1; i <= 5; ++i) {
    const double reaction = i == 2 ? -lambda * q(1) : 0;
    EXPECT_NEAR(m * start.continuous.accelerations[static_cast<std::size_t>(i - 1)], force(i) - force(i - 1) + reaction,
                1e-14);
  }
  EXPECT_NEAR(m * start.continuous.accelerations[5], -k * start.state.q[5] + lambda, 1e-14);
  EXPECT_NEAR(q(3), a, 1e-15);
}

TEST(Sized, WithoutTrailersTheCarIsASkate) {
  const Start start = start_of("trailers", {{"n", 0}, {"u0", 2}, {"w0", 0.7}});
  ASSERT_EQ(start.system.dimension(), 3);
  EXPECT_NEAR(start.continuous.accelerations[1], 2 * 0.7, 1e-15);  // u theta'
  EXPECT_NEAR(start.continuous.multipliers[0], 2 * 0.7, 1e-15);
}

TEST(Sized, TrailersFollowTheOneBeforeThem) {
  const Start start = start_of("trailers", {{"n", 3}, {"l", 1.5}});
  const std::vector<double> angle = {0.3, 0.1, -0.4, 0.6};
  InitialState state = start.state;
  std::copy(angle.begin(), angle.end(), state.q.begin() + 2);
  const double u = 1.2, w = 0.4;
  state.v = {u * std::cos(angle[0]), u * std::sin(angle[0]), w};
  double speed = u;
  for (std::size_t i = 1; i <= 3; ++i) {
    state.v.push_back(speed * std::sin(angle[i - 1] - angle[i]) / 1.5);
    speed *= std::cos(angle[i - 1] - angle[i]);
  }
  const ContinuousState at = Continuous(start.system, start.parameters).require_consistent(state);
  EXPECT_LT(at.max_constraint, 1e-15);
}

/// Two links without the blade's reaction and gravity: the forces in the joint of a pair that turns.
TEST(Sized, LinksAreHeldTogether) {
  const double w = 0.5, l = 2, m = 3;
  const Start start = start_of("links", {{"n", 2}, {"g", 0}, {"l", l}, {"m", m}, {"w0", w}, {"u0", 0}});
  // The last link turns about the joint: its centre is pulled towards it, and the first link moves along its blade.
  EXPECT_NEAR(start.continuous.accelerations[0], l * w * w / 4, 1e-14);
  EXPECT_NEAR(start.continuous.accelerations[1], -l * w * w / 4, 1e-14);
  EXPECT_NEAR(start.continuous.accelerations[2], 0, 1e-14);
}

TEST(Sized, AnUndrivenSnakeRests) {
  const Start resting = start_of("snake", {{"A", 0}});
  for (const double a : resting.continuous.accelerations) EXPECT_NEAR(a, 0, 1e-15);
  const Start driven = start_of("snake");
  EXPECT_GT(std::abs(driven.continuous.accelerations[0]), 1e-3);
}

}  // namespace
}  // namespace noslip

// Methods that are the same map written in another way (Jay 2009, sec. 7.5 and 8.4).
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

using testing::distance;
using testing::options;

constexpr double rounding = 1e-14;  // of some tens of steps

/// The robot on a curve: in a straight line its constraints would hold by themselves.
const InitialState curved = {0, {0, 0, 0, 0}, {1, 0, 0.7, 1}, {}};

/// Steps of half the size with the first method and the second one in turn.
Sample alternate(const System& system, InitialState state, const char* first, const char* second, double h, int steps) {
  Sample last;
  for (int i = 0; i < 2 * steps; ++i) {
    last = integrate(system, state, options(i % 2 == 0 ? first : second, h / 2, 1)).last;
    state = {last.t, last.q, last.v, {}};
  }
  return last;
}

double difference(const Sample& a, const Sample& b) { return std::max(distance(a.q, b.q), distance(a.v, b.v)); }

TEST(PublishedEquivalence, TheModifiedMethodIsEulerOneThenEulerTwo) {
  const System robot = catalogue_system("mobile-robot");
  for (const int steps : {1, 20}) {
    const Sample composed = alternate(robot, curved, "euler-a", "euler-b", 0.1, steps);
    const Sample modified = integrate(robot, curved, options("lobatto-ab-mid", 0.1, steps)).last;
    EXPECT_LE(difference(modified, composed), rounding) << steps;
  }
}

TEST(PublishedEquivalence, LobattoTwoIsThatOnlyWhereTheConstraintsAreAffineInThePosition) {
  const System robot = catalogue_system("mobile-robot");
  const Sample composed = alternate(robot, curved, "euler-a", "euler-b", 0.1, 1);
  const Sample two = integrate(robot, curved, options("lobatto-ab:2", 0.1, 1)).last;
  EXPECT_NEAR(difference(two, composed), 4.01850473e-5, 1e-12);  // from the formulas, with thirty digits
  for (const char* name : {"chaotic", "particle", "contact-oscillator"}) {
    const System system = catalogue_system(name);
    const InitialState initial = system.initial_state(system.parameter_values());
    EXPECT_LE(difference(integrate(system, options("lobatto-ab:2", 0.1, 20)).last,
                         alternate(system, initial, "euler-a", "euler-b", 0.1, 20)),
              rounding)
        << name;
    EXPECT_LE(difference(integrate(system, options("lobatto-ab:2", 0.1, 200)).last,
                         integrate(system, options("lobatto-ab-mid", 0.1, 200)).last),
              rounding)
        << name;
  }
}

TEST(PublishedEquivalence, McLachlanPerlmutterIsEulerTwoThenEulerOne) {
  const System robot = catalogue_system("mobile-robot");
  for (const int steps : {1, 20}) {
    const Sample composed = alternate(robot, curved, "euler-b", "euler-a", 0.1, steps);
    const Sample mp = integrate(robot, curved, options("mp", 0.1, steps)).last;
    EXPECT_LE(difference(mp, composed), rounding) << steps;
  }
}

/// On the skate, whose constraint is not affine in q. The heading moves on its own, so that the multiplier is found
/// from a linear equation.
TEST(PublishedEquivalence, LeapfrogFormOfLobattoTwo) {
  const double h = 0.1;
  RunOptions o = options("lobatto-ab:2", h, 100);
  o.every = 1;
  const Trajectory run = integrate(catalogue_system("skate"), o);
  ASSERT_EQ(run.samples.size(), 101U);

  double x = 0, y = 0, phi = 0, vx = 0, vy = 0, largest = 0;
  for (int k = 0; k < 100; ++k) {
    const double next = h * (k + 1);
    vx += k == 0 ? h / 2 : h;  // -h grad U; the first kick is a half one
    const double wx = -(std::sin(phi) + std::sin(next)) / 2, wy = (std::cos(phi) + std::cos(next)) / 2;
    const double impulse = (wx * vx + wy * vy) / (-wx * std::sin(phi) + wy * std::cos(phi));
    vx += std::sin(phi) * impulse;
    vy -= std::cos(phi) * impulse;
    x += h * vx;
    y += h * vy;
    phi = next;
    largest = std::max(largest, distance(run.samples[k + 1].q, {x, y, phi}));
  }
  EXPECT_LE(largest, 1e-13);
}

}  // namespace
}  // namespace noslip

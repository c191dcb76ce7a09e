// Numbers that an independent program gives.
#include <gtest/gtest.h>

#include "run/help.hpp"

namespace noslip {
namespace {

using testing::distance;
using testing::options;

TEST(Reference, ParticleStatesAfterTenSteps) {
  const Trajectory one = integrate(testing::particle(), options("gauss:1", 0.2, 2));
  EXPECT_LT(distance(one.last.q, {-0.808123344712607, 0.230335842675648, -0.994244588151399}), 2e-14);
  EXPECT_LT(distance(one.last.v, {-0.815802501151349, -0.945457983814087, -0.187908556559598}), 2e-14);
  const Trajectory two = integrate(testing::particle(), options("gauss:2", 0.2, 2));
  EXPECT_LT(distance(two.last.q, {-0.813392324241635, 0.217856450634534, -0.990810848983261}), 2e-14);
  EXPECT_LT(distance(two.last.v, {-0.803790520076558, -0.951355419301244, -0.175110949757565}), 2e-14);
}

TEST(Reference, ParticleEnergyErrors) {
  const double expected[] = {6.635940e-3, 2.699574e-5, 1.610117e-7};
  const double drift[] = {-3.3e-7, 1.8e-11, -1.1e-12};
  for (int s = 1; s <= 3; ++s) {
    const Trajectory run = integrate(testing::particle(), options("gauss:" + std::to_string(s), 0.2, 250));
    EXPECT_NEAR(run.energy.max_abs_error / expected[s - 1], 1, 5e-6);
    EXPECT_LE(run.constraints.max_abs, 1e-15);
    EXPECT_EQ(run.steps, 1250);
    EXPECT_EQ(run.last.t, 250);
    EXPECT_NEAR(run.energy.drift_per_time / drift[s - 1], 1, 0.05);
  }
}

TEST(Reference, SleighWithMassMatrixOfTheConfiguration) {
  const System sleigh = testing::sleigh();  // Hilden 2009, sec. 4.2.3
  RunOptions o = options("gauss:2", 0.1, 30);
  o.set = {{"g", 9.8}, {"m", 0.001}, {"a", 0.04}, {"J", 0.01}};
  const Trajectory run = integrate(sleigh, {0, {1, 0, 0.2}, {0, 0, 0}}, o);
  EXPECT_LT(distance(run.last.q, {-993.775619993086, -2202.44895679508, -1.8409321230809}), 1e-9);
  EXPECT_LT(distance(run.last.v, {-55.446326425412, -200.236394378041, 0.0146150645690852}), 1e-10);
  EXPECT_NEAR(run.energy.max_abs_error, 3.8e-9, 1e-10);
  EXPECT_LE(run.constraints.max_abs, 6.4e-14);
  o.step = 0.01;
  EXPECT_NEAR(integrate(sleigh, {0, {1, 0, 0.2}, {0, 0, 0}}, o).energy.max_abs_error, 3.8e-13, 1e-13);
}

TEST(Reference, SkateEndsOnTheClosedForm) {
  const Trajectory run = integrate(testing::skate(), options("gauss:6", 0.25, 100));
  ASSERT_TRUE(run.about.has_exact);
  EXPECT_LT(run.error_at_end, 1e-9);
}

}  // namespace
}  // namespace noslip

// Long runs of energy-preserving methods: what is kept stays at rounding, and what is not, does not.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/energy_cases.hpp"

namespace noslip {
namespace {

using testing::EnergyCase;
using testing::options;
using testing::relative_energy_error;

class EnergyInLongRuns : public ::testing::TestWithParam<std::string> {};

/// Rounding errors walk: 2e-12 after 1e6 steps are 6e-13 after 1e5.
TEST_P(EnergyInLongRuns, StaysAtRounding) {
  for (const EnergyCase& each : {testing::started("oscillating gearbox", "gearbox"), testing::rotating_gearbox(),
                                 testing::started("chaotic", "chaotic")}) {
    const Trajectory end = testing::run(each, options(GetParam(), 0.1, 100000));
    ASSERT_EQ(end.outcome.status, Status::done) << each.name << ": " << end.outcome.message;
    EXPECT_LE(relative_energy_error(end), 6e-13) << each.name;
    EXPECT_LE(end.constraints.max_abs, 2e-15) << each.name;
  }
}

/// The sleigh goes downhill without end. Its kinetic energy grows to 5e5 and the other one falls as much: their sum
/// cannot have more digits than they have.
TEST_P(EnergyInLongRuns, OfTheSleighStaysAtTheRoundingOfItsParts) {
  const Trajectory end = testing::run(testing::gliding_sleigh(), options(GetParam(), 0.1, 100000));
  ASSERT_EQ(end.outcome.status, Status::done) << end.outcome.message;
  const double kinetic = (end.last.v[0] * end.last.v[0] + end.last.v[1] * end.last.v[1]) / 2;
  EXPECT_GT(kinetic, 4e5);
  EXPECT_LE(end.energy.max_abs_error, 4e-15 * kinetic);
  EXPECT_LE(end.constraints.max_abs, 2e-15);
}

INSTANTIATE_TEST_SUITE_P(All, EnergyInLongRuns, ::testing::Values("gonzalez", "avf", "energy:2"),
                         [](const auto& instance) { return testing::test_name(instance.param); });

/// Steps so large that no quadrature of the gradient is exact.
TEST(EnergyOfLargeSteps, IsCorrectedWithSeveralStages) {
  for (const char* method : {"energy:2", "energy:3"}) {
    const Trajectory end = testing::run(testing::started("roller-racer", "roller-racer"), options(method, 0.5, 100));
    EXPECT_EQ(end.outcome.status, Status::done) << end.outcome.message;
    EXPECT_LE(relative_energy_error(end), 4e-14) << method;
  }
}

/// Near rest the equations that give the velocities are not divided by small numbers.
TEST(EnergyNearRest, SettlesInFewIterations) {
  for (const char* method : {"energy:2", "energy:3"}) {
    const Trajectory board = testing::run(testing::started("snakeboard", "snakeboard"), options(method, 0.1, 1000));
    EXPECT_EQ(board.outcome.status, Status::done) << board.outcome.message;
    EXPECT_LE(board.solver.iterations_mean, 4.5) << method;
  }
}

/// Celledoni et al. 2019, sec. 4.4, up to t = 5e4: the pendulum of the gearbox goes round.
TEST(EnergyOfTheRotatingGearbox, GrowsWithMclachlanPerlmutter) {
  RunOptions o = options("mp", 0.1, 500000);
  o.every = 10000;
  const Trajectory end = testing::run(testing::rotating_gearbox(), o);
  ASSERT_EQ(end.outcome.status, Status::done) << end.outcome.message;
  const auto error_at = [&](std::size_t thousands) {
    return std::fabs(end.samples[thousands].energy / end.energy.initial - 1);
  };
  ASSERT_EQ(end.samples.size(), 51U);
  EXPECT_NEAR(std::log(error_at(50) / error_at(25)) / 25000, 3.1e-4, 0.5e-4);
  EXPECT_GT(error_at(50), 1e6);
  EXPECT_LT(error_at(50), 4e6);
}

TEST(EnergyOfTheRotatingGearbox, StaysWithDiscreteGradients) {
  const Trajectory adapted = testing::run(testing::rotating_gearbox(), options("gonzalez", 0.1, 50000));
  EXPECT_LE(relative_energy_error(adapted), 4e-13);
  EXPECT_LE(adapted.constraints.max_abs, 2e-15);
  const Trajectory full = testing::run(testing::rotating_gearbox(), options("gonzalez-full", 0.1, 50000));
  EXPECT_LE(relative_energy_error(full), 4e-13);
  EXPECT_GT(full.constraints.max_abs, 0.1);
  EXPECT_GT(full.last.q[2], 5000);
}

}  // namespace
}  // namespace noslip

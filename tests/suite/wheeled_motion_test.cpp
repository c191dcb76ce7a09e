// Motions of the gearbox, the snakeboard and the roller racer: a state that is known, no drift, and where they end.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

using testing::options;

Trajectory run(const std::string& system, const std::string& method, double step, long long steps,
               const std::map<std::string, double>& set = {}) {
  RunOptions o = options(method, step, steps);
  o.set = set;
  Trajectory result = integrate(catalogue_system(system), o);
  EXPECT_EQ(result.outcome.status, Status::done) << system << ": " << result.outcome.message;
  return result;
}

/// The solution at t = 2, as an independent program gives it.
TEST(WheeledMotion, GearboxIsWhereItShouldBe) {
  const Trajectory end = run("gearbox", "gauss:4", 0.02, 100);
  const double q[] = {-0.29320198104412, -0.635035369548448, -3.47023205961772};
  const double v[] = {0.228271472393033, -0.707258086982749, -0.346462742988286};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(end.last.q[i], q[i], 1e-13);
    EXPECT_NEAR(end.last.v[i], v[i], 1e-13);
  }
}

TEST(WheeledMotion, EnergyDoesNotDrift) {
  for (const char* name : {"gearbox", "snakeboard"}) {
    const Trajectory coarse = run(name, "gauss:2", 0.1, 50000), fine = run(name, "gauss:2", 0.05, 100000);
    EXPECT_LT(coarse.energy.max_abs_error, 1e-6) << name;
    EXPECT_GT(coarse.energy.max_abs_error, 10 * fine.energy.max_abs_error) << name << ": order 4";
    EXPECT_LT(std::fabs(coarse.energy.drift_per_time) * 5000, 0.01 * coarse.energy.max_abs_error) << name;
    EXPECT_LT(coarse.constraints.max_abs, 1e-15) << name;
  }
}

TEST(WheeledMotion, SnakeboardMovesOffFromRest) {
  const Trajectory still = run("snakeboard", "gauss:2", 0.1, 5000, {{"rate0", 0}});
  EXPECT_EQ(still.last.q[0], 0) << "twisting alone does nothing";
  EXPECT_GT(run("snakeboard", "gauss:2", 0.1, 5000).last.q[0], 20);
}

TEST(WheeledMotion, RollerRacerTurnsItsSwingsIntoSpeed) {
  const Trajectory end = run("roller-racer", "gauss:3", 0.05, 10000);
  EXPECT_NEAR(std::hypot(end.last.v[0], end.last.v[1]), std::sqrt(2 * 1.0 / 20), 1e-8) << "sqrt(2 E/m)";
  EXPECT_NEAR(end.last.q[3], 0, 1e-9);
  EXPECT_LT(end.energy.max_abs_error, 1e-7);
}

}  // namespace
}  // namespace noslip

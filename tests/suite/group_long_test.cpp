// Long runs on Lie groups: what Martin de Diego and Sato 2022, sec. 7.5, shows, and what comes after it.
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

const Monitored& invariant(const Trajectory& run, const std::string& name) {
  for (const Monitored& each : run.invariants) {
    if (each.name == name) return each;
  }
  ADD_FAILURE() << "no invariant " << name;
  return run.energy;
}

TEST(GroupRuns, TheBallOnATurntableKeepsItsIntegrals) {
  const System system = catalogue_system("turntable-ball");
  const Trajectory end = integrate(system, testing::options("nh-lobatto:3", 0.1, 1000));
  for (const char* name : {"spin", "x_drift", "y_drift"}) {
    EXPECT_LE(invariant(end, name).max_abs_error, 1e-14) << name;
  }
  EXPECT_NEAR(invariant(end, "moving_energy").max_abs_error, 1.14e-7, 0.01e-7);
  EXPECT_LE(end.rotations.value().max_abs, 2e-14);
  EXPECT_LE(end.constraints.max_abs, 2e-15);
  EXPECT_LE(end.error_at_end, 1e-5);  // of the centre, which goes round on a circle with the rate a Omega/(1 + a)
}

/// Rounding errors walk, on every kind of motion: 1e-14 after 1e5 steps. (A part of them that is the same in every step
/// would be 1e-13 by now.)
TEST(GroupRuns, RotationsStayOrthogonal) {
  for (const char* name : {"turntable-ball", "chaplygin-ball", "rigid-body"}) {
    for (const char* method : {"nh-lobatto:3", "nh-lobatto:3,map=exp", "gauss:2", "mp"}) {
      const Trajectory end = integrate(catalogue_system(name), testing::options(method, 0.1, 100000));
      EXPECT_EQ(end.outcome.status, Status::done) << end.outcome.message;
      EXPECT_LE(end.rotations.value().max_abs, 2e-14) << name << ", " << method;
      EXPECT_LE(end.constraints.max_abs, 3e-15) << name << ", " << method;
    }
  }
}

/// Around the start of a step the coordinates cay(xi) are not symmetric in time: the moving energy drifts by -3.1e-11
/// per time (with h^7, in every precision). It does not drift with coordinates around the middle, nor with exp here.
TEST(GroupRuns, MovingEnergyDriftsOnlyWithoutSymmetry) {
  const auto moving_energy = [](const char* method) {
    const Trajectory end = integrate(catalogue_system("turntable-ball"), testing::options(method, 0.1, 100000));
    EXPECT_EQ(end.outcome.status, Status::done) << method << ": " << end.outcome.message;
    return invariant(end, "moving_energy");
  };
  EXPECT_NEAR(moving_energy("nh-lobatto:3").drift_per_time, -3.1e-11, 0.1e-11);
  for (const char* method : {"nh-lobatto:3,chart=middle", "nh-lobatto:3,map=exp", "nh-lobatto:2", "gauss:2", "mp"}) {
    const Monitored found = moving_energy(method);
    EXPECT_LE(std::fabs(found.drift_per_time) * 1e4, 1e-3 * found.max_abs_error) << method;
  }
}

/// Momenta that come from symmetries of the group are kept to rounding by every method that is made by the discrete
/// principle, linear integrals of nonholonomic systems, too; energy without drift.
TEST(GroupRuns, MomentaInSpaceStay) {
  struct Kept {
    const char* system;
    std::vector<const char*> invariants;
  };
  const Kept all[] = {{"chaplygin-ball", {"momentum_x", "momentum_y", "momentum_z"}},
                      {"turntable-ball-spatial", {"momentum_x", "momentum_y", "momentum_z"}},
                      {"rigid-body", {"momentum_x", "momentum_y", "momentum_z"}},
                      {"heavy-top", {"vertical", "spin"}}};
  for (const Kept& kept : all) {
    for (const char* method : {"nh-lobatto:3", "gauss:2", "gauss:3,map=exp", "lobatto-ab:3"}) {
      const Trajectory end = integrate(catalogue_system(kept.system), testing::options(method, 0.05, 10000));
      EXPECT_EQ(end.outcome.status, Status::done) << end.outcome.message;
      for (const char* name : kept.invariants) {
        EXPECT_LE(invariant(end, name).max_abs_error, 2e-14) << kept.system << ", " << method << ", " << name;
      }
    }
  }
}

TEST(GroupRuns, EnergyOfTheHeavyTopAndOfTheChaplyginBallDoesNotDrift) {
  for (const char* method : {"gauss:2", "gauss:3", "lobatto-ab:3", "nh-lobatto:3,chart=middle"}) {
    const Trajectory top = integrate(catalogue_system("heavy-top"), testing::options(method, 0.02, 40000));
    EXPECT_LE(std::fabs(top.energy.drift_per_time) * 800, 0.05 * top.energy.max_abs_error + 1e-11) << method;
    const Trajectory ball = integrate(catalogue_system("chaplygin-ball"), testing::options(method, 0.05, 40000));
    EXPECT_LE(std::fabs(ball.energy.drift_per_time) * 2000, 0.05 * ball.energy.max_abs_error + 1e-12) << method;
  }
}

/// Steps that are much too large have no solution, or none nearby. What Newton's iteration runs away to is not a
/// solution.
TEST(GroupRuns, StepsThatAreTooLargeFail) {
  for (const auto& [name, method, step] : {std::tuple{"chaplygin-ball", "cm", 2.0},
                                           {"chaplygin-ball", "gonzalez", 5.0},
                                           {"heavy-top", "gauss:2,map=exp", 2.0}}) {
    const Trajectory end = integrate(catalogue_system(name), testing::options(method, step, 5));
    if (end.outcome.status == Status::done) {
      EXPECT_LE(end.constraints.max_abs, 1e-10) << name << ", " << method;
    }
    EXPECT_LE(end.rotations.value().max_abs, 1e-8) << name << ", " << method;
    for (const double v : end.last.v) EXPECT_LE(std::fabs(v), 1e3) << name << ", " << method;
  }
}

TEST(GroupRuns, EnergyMethodsKeepTheEnergy) {
  for (const char* name : {"suslov-so3", "chaplygin-ball", "heavy-top", "rolling-coin-so3", "unicycle-spring"}) {
    for (const char* method : {"gonzalez", "avf", "energy:2"}) {
      const Trajectory end = integrate(catalogue_system(name), testing::options(method, 0.01, 1000));
      EXPECT_EQ(end.outcome.status, Status::done) << name << ", " << method << ": " << end.outcome.message;
      EXPECT_LE(end.energy.max_abs_error, 1e-13 * std::max(1.0, std::fabs(end.energy.initial)))
          << name << ", " << method;
      EXPECT_LE(end.constraints.max_abs, 1e-14) << name << ", " << method;
    }
  }
}

}  // namespace
}  // namespace noslip

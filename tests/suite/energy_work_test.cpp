// Energy-preserving methods under forces: the energy changes by the work that is added up, to rounding and at any step.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/energy_cases.hpp"

namespace noslip {
namespace {

using testing::options;

struct Driven {
  const char* name;
  const char* toml;
};

const Driven driven_systems[] = {{"gearbox", R"toml(
      coordinates = ["q1", "q2", "q3"]
      angles      = ["q3"]
      lagrangian  = "1/2*(q1'^2 + q2'^2 + q3'^2) - 1/2*(q1^2 + q2^2) - cos(q3) + sin(2*q3)/5"
      constraints = ["q1' + sin(q3)*q2' = 0"]
      [forces]
      q1 = "-q1'/10"
      q3 = "2*cos(3*t) - q3'/20"
      [initial]
      q = [1, 1, 0.3]
      v = ["-sin(0.3)/2", 0.5, 3])toml"},
                                 {"sleigh, mass of q", R"toml(
      coordinates = ["x", "y", "theta"]
      lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) - (y + sin(theta)) - x^2/4"
      constraints = ["y'*cos(theta) = x'*sin(theta)"]
      [forces]
      x = "-0.3*x'*sqrt(1 + x'^2)"
      y = "sin(3*t) - 0.3*y' - y"
      theta = "x/2 - theta'/5"
      [initial]
      q = [1, 0, 0.3]
      v = ["cos(3/10)", "sin(3/10)", 0.7])toml"},
                                 {"robot, two constraints and a gyroscopic term", R"toml(
      coordinates = ["x", "y", "phi", "theta"]
      lagrangian  = "(x'^2 + y'^2 + phi'^2)/2 + 3/2*theta'^2 - 10*sin(theta) + x*y'/2"
      constraints = ["x' = cos(phi)*theta'", "y' = sin(phi)*theta'"]
      [forces]
      phi   = "cos(t) - phi'/3"
      theta = "-theta'*abs(theta')/5"
      [initial]
      v = [1, 0, 0.7, 1])toml"},
                                 {"no constraints", R"toml(
      coordinates = ["r", "phi"]
      lagrangian  = "(r'^2 + r^2*phi'^2)/2 + 1/r"
      [forces]
      r = "-r'/10 + sin(t)/5"
      phi = "r/50"
      [initial]
      q = [1, 0]
      v = [0, 1.2])toml"}};

class EnergyWork : public ::testing::TestWithParam<std::string> {};

TEST_P(EnergyWork, IsWhatTheEnergyChangesBy) {
  for (const Driven& each : driven_systems) {
    const System system = System::parse(each.toml, each.name);
    for (const double h : {0.02, 0.1, 0.2}) {
      const Trajectory end = integrate(system, options(GetParam(), h, 500));
      ASSERT_EQ(end.outcome.status, Status::done) << each.name << ": " << end.outcome.message;
      ASSERT_TRUE(end.balance.has_work);
      EXPECT_LT(end.balance.max_abs_error, 1e-13) << each.name << ", h = " << h;
      EXPECT_GT(end.energy.max_abs_error, 0.1) << each.name;
      EXPECT_NEAR(end.last.energy - end.energy.initial, end.last.work, 1e-13) << each.name;
    }
  }
}

/// A magnetic field pushes and does no work.
TEST_P(EnergyWork, ForcesWithoutWork) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2/2"
    constraints = ["z' = x*y'"]
    [forces]
    x = "2*y'"
    y = "-2*x'"
    [initial]
    q = [0.5, 0, 0]
    v = [0.3, 1, 0.5])toml");
  const Trajectory end = integrate(system, options(GetParam(), 0.1, 200));
  ASSERT_EQ(end.outcome.status, Status::done) << end.outcome.message;
  EXPECT_FALSE(end.balance.has_work);
  EXPECT_LT(end.energy.max_abs_error, 1e-12);
  EXPECT_GT(std::fabs(end.last.q[1]), 0.1);
}

INSTANTIATE_TEST_SUITE_P(All, EnergyWork,
                         ::testing::Values("gonzalez", "avf", "itoh-abe", "energy:1", "energy:2", "energy:3",
                                           "gonzalez-full"),
                         [](const auto& instance) { return testing::test_name(instance.param); });

}  // namespace
}  // namespace noslip

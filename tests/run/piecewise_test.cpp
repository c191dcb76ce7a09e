// Functions with corners and jumps: their derivatives may vanish, they themselves do not.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "run/help.hpp"

namespace noslip {
namespace {

System dry_friction(const std::string& potential, double strength, double x, double v) {
  return System::parse("coordinates = [\"x\"]\nlagrangian = \"x'^2/2 - " + potential + "\"\n[forces]\nx = \"-" +
                       std::to_string(strength) + "*sign(x')\"\n[initial]\nq = [" + std::to_string(x) + "]\nv = [" +
                       std::to_string(v) + "]\n");
}

RunOptions options(const std::string& method, double step, double until) {
  RunOptions o;
  o.method = method;
  o.step = step;
  o.until = until;
  return o;
}

class Piecewise : public ::testing::TestWithParam<const char*> {};

/// It comes to rest at x = 1 after two seconds, where no step has a solution any more: the run ends there, and says so.
TEST_P(Piecewise, DryFrictionStopsABody) {
  const Trajectory run = integrate(dry_friction("0", 0.5, 0, 1), options(GetParam(), 0.1, 4));
  EXPECT_NEAR(run.last.q[0], 1, 0.01);
  EXPECT_NEAR(run.last.v[0], 0, 0.051);
  if (run.outcome.status == Status::failed) {
    EXPECT_GE(run.last.t, 1.85);
    EXPECT_NE(run.outcome.message.find("sign"), std::string::npos) << run.outcome.message;
  }
}

/// Every half turn takes 0.2 from the amplitude.
TEST_P(Piecewise, DryFrictionDampsAnOscillator) {
  const double turn = 2 * std::acos(-1.0);
  const Trajectory run = integrate(dry_friction("x^2/2", 0.1, 1, 0), options(GetParam(), turn / 700, turn));
  if (run.outcome.status == Status::failed) return;  // a turning point without a solution: not found, and said
  EXPECT_NEAR(run.last.q[0], 0.6, 1e-3);
}

/// A spring that acts on one side only, and a wall of two slopes: kinks in the forces.
TEST_P(Piecewise, ASpringOfOneSide) {
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 - 2*max(x, 0)^2 - min(x, 0)^2/2"
    [initial]
    q = [1]
    v = [0])toml");
  const double half = std::acos(-1.0) / 4 + std::acos(-1.0) / 2;  // from 1 to 0 with rate 2, from 0 to -2 with rate 1
  const Trajectory run = integrate(system, options(GetParam(), half / 400, half));
  ASSERT_EQ(run.outcome.status, Status::done) << run.outcome.message;
  EXPECT_NEAR(run.last.q[0], -2, 2e-2);
}

INSTANTIATE_TEST_SUITE_P(All, Piecewise,
                         ::testing::Values("gonzalez", "avf", "energy:2", "itoh-abe", "gonzalez-full", "gauss:1",
                                           "gauss:2", "lobatto-ab:2", "nh-lobatto:2", "cm", "srk-gauss:1"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

/// H = p^2/2 + |q|: methods that treat sign(q) as a constant would all give the same.
TEST(Piecewise, MethodsDifferWhereTheForceJumps) {
  const System system = System::parse(R"toml(
    kind = "skew-gradient"
    x = ["q", "p"]
    hamiltonian = "p^2/2 + abs(q)"
    structure = [["0", "1"], ["-1", "0"]]
    [initial]
    x = [1, 0])toml");
  // From rest at 1 the point is at 0 after sqrt(2), and back at 1 after 4 sqrt(2).
  const double past = 10 - 4 * std::sqrt(2.0) - 3 * std::sqrt(2.0), truth = std::sqrt(2.0) * past - past * past / 2;
  for (const char* method : {"rk-gauss:2", "rk-radau-iia:2", "rk-lobatto-iiia:3", "rk-lobatto-iiic:3", "srk-gauss:2",
                             "srk-radau-ia:2", "spark-lobatto:3", "gonzalez"}) {
    const Trajectory run = integrate(system, options(method, 0.01, 10));
    ASSERT_EQ(run.outcome.status, Status::done) << method;
    EXPECT_NEAR(run.last.q[0], truth, 0.1) << method;
  }
  const Trajectory coarse = integrate(system, options("rk-radau-iia:2", 0.1, 10));
  ASSERT_EQ(coarse.outcome.status, Status::done);
  EXPECT_TRUE(testing::has_warning(coarse, "energy"));  // it is off by a tenth
}

TEST(Piecewise, AJumpInTheVelocitiesIsNotAffine) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2"
    constraints = ["y' = sign(x')/2"]
    [initial]
    v = [1, 0.5])toml");
  EXPECT_EQ(system.constraints().front().kind, ConstraintKind::nonlinear);
  const System kinked = System::parse("coordinates = [\"x\"]\nlagrangian = \"x'^2/2 + abs(x')\"");
  EXPECT_FALSE(kinked.structure().quadratic_in_v);
  EXPECT_FALSE(kinked.structure().constant_mass);
  EXPECT_NE(find_method("gonzalez")->why_not(kinked), "");
}

/// Where corners end the branch of a solution, the one that was found is taken as it is: energy is kept all the same.
TEST(Piecewise, DiscreteGradientsKeepTheBalanceAcrossCorners) {
  const auto system = [](const std::string& potential, double speed) {
    return System::parse("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2*(1 + x^2))/2 - (" + potential +
                         ")\"\n[forces]\ny = \"-y'*abs(y')/5 - sign(x')/3\"\n[initial]\nq = [1, 0.2]\nv = [" +
                         std::to_string(speed) + ", 2]\n");
  };
  const std::string cubes = "abs(x)^3 + y^2*sign(x)*x", valleys = "abs(x*y) + x^2 + y^2";
  long long steps = 0;
  for (const char* method : {"gonzalez", "avf"}) {
    for (const double h : {1.0, 0.5, 0.3, 0.2, 0.1}) {
      for (const std::string& potential : {cubes, valleys}) {
        for (const double speed : {0.5, 3.0}) {
          const Trajectory run = integrate(system(potential, speed), options(method, h, 5));
          EXPECT_LT(run.balance.max_abs_error, 1e-12) << method << ", h = " << h << ", " << potential << ", " << speed;
          steps += run.steps;
        }
      }
    }
  }
  EXPECT_GT(steps, 100);
}

}  // namespace
}  // namespace noslip

// Branches of a constraint that come closer than a step: the run stays on its own, or says that it may not have.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <noslip/run/run.hpp>

#include "run/help.hpp"

namespace noslip::testing {
namespace {

/// Runs that left the branch, on which `side` is positive, and did not say a word; and how many runs stayed on it.
struct Count {
  int silent = 0, stayed = 0;
};

template <class Side>
void watch(const System& system, const char* method, double h, double until, const Side& side, Count& count) {
  RunOptions o = options(method, h, until);
  o.every = 1;
  const Trajectory run = integrate(system, o);
  bool stays = true;
  for (const Sample& sample : run.samples) stays = stays && side(sample) > 0;
  if (stays && run.outcome.status == Status::done) ++count.stayed;
  if (stays || !run.warnings.empty() || run.outcome.status != Status::done) return;
  ++count.silent;
  ADD_FAILURE() << method << ", h = " << h << ": left its branch without a word";
}

TEST(NearBranches, OfAHyperbola) {
  Count count;
  for (const char* gap : {"1e-2", "1e-4", "1e-6"}) {
    const std::string g = std::string("x^2 + ") + gap, y0 = std::string("sqrt(1 + ") + gap + ")";
    const System system =
        System::parse("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nholonomic = ['y^2 = " + g +
                      "']\n[initial]\nq = [-1, '" + y0 + "']\nv = [1, '-1/" + y0 + "']\n");
    for (const char* method :
         {"gauss:1", "gauss:2", "gauss:3", "lobatto-ab:2", "lobatto-ab:3", "rattle", "lobatto-ab:4"}) {
      for (const double h : {0.2, 0.13, 0.07, 0.04, 0.023, 0.011, 0.005}) {
        watch(
            system, method, h, 3, [](const Sample& sample) { return sample.q[1]; }, count);
      }
    }
  }
  EXPECT_EQ(count.silent, 0);
  EXPECT_GT(count.stayed, 20);
}

TEST(NearBranches, OfASliderCrankAtItsDeadPoint) {
  Count count;
  for (const char* rod : {"1.1", "1.01", "1.0001"}) {
    const System system = System::parse(
        std::string("coordinates = ['a', 'b']\nlagrangian = \"(a'^2 + b'^2)/2\"\nholonomic = ['sin(a) = ") + rod +
        "*sin(b)']\n[initial]\nq = [0, 0]\nv = [" + rod + ", 1]\n");
    for (const char* method :
         {"gauss:1", "gauss:2", "gauss:3", "lobatto-ab:2", "lobatto-ab:3", "rattle", "lobatto-ab:4"}) {
      for (const double h : {0.3, 0.2, 0.11, 0.05, 0.02, 0.01}) {
        watch(
            system, method, h, 10, [](const Sample& sample) { return std::cos(sample.q[1]); }, count);
      }
    }
  }
  EXPECT_EQ(count.silent, 0);
  EXPECT_GT(count.stayed, 20);
}

/// A constraint with two roots, x' = +-sqrt(t^2 + gap^2), beside a coordinate that moves much faster or not at all.
TEST(NearBranches, OfAVelocityConstraint) {
  Count count;
  for (const char* gap : {"1e-1", "4e-2", "1e-2", "1e-3"}) {
    for (const char* speed : {"0", "1", "1000"}) {
      for (const char* start : {"-1.0037", "-1.0227", "-1.0301", "-1.0662"}) {
        const std::string root = std::string("sqrt((") + start + ")^2 + (" + gap + ")^2)";
        const System system = System::parse(
            std::string("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"x'^2 = t^2 + (") +
            gap + ")^2\"]\n[initial]\nt = '" + start + "'\nv = ['" + root + "', " + speed + "]\n");
        for (const char* method : {"gauss:1", "gauss:2", "mp", "srk-gauss:2", "lobatto-ab:3"}) {
          watch(
              system, method, 0.1, 1, [](const Sample& sample) { return sample.v[0]; }, count);
        }
      }
    }
  }
  EXPECT_EQ(count.silent, 0);
  EXPECT_GT(count.stayed, 150);
}

/// The same where the roots depend on the state.
TEST(NearBranches, OfAVelocityConstraintThatDependsOnTheState) {
  Count count;
  for (const char* gap : {"4e-2", "2e-2", "1e-2", "1e-3"}) {
    for (const char* start : {"-1.0037", "-1.0163", "-1.0287", "-1.063"}) {
      const std::string root = std::string("sqrt((") + start + ")^2 + (" + gap + ")^2)";
      const System system = System::parse(
          std::string("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"x'^2 = y^2 + (") +
          gap + ")^2\"]\n[initial]\nq = [0, '" + start + "']\nv = ['" + root + "', 1]\n");
      for (const char* method : {"gauss:1", "gauss:2", "gauss:3", "mp", "lobatto-ab:3"}) {
        watch(
            system, method, 0.1, 2.5, [](const Sample& sample) { return sample.v[0]; }, count);
      }
    }
  }
  EXPECT_EQ(count.silent, 0);
  EXPECT_GT(count.stayed, 40);
}

/// z of an index-2 system has two roots, beside a variable that has nothing to do with them.
TEST(NearBranches, OfAnIndexTwoSystem) {
  Count count;
  for (const char* gap : {"5e-2", "3e-2", "1e-2", "1e-3"}) {
    for (const char* speed : {"0", "1", "1000"}) {
      for (const char* start : {"-0.0037", "-0.0162", "-0.0412", "-0.055"}) {
        const System system =
            System::parse(std::string("kind = 'dae2'\ny = ['a', 'b', 'd']\nz = ['z']\nf = [['0', '0', '") + speed +
                          "'], ['z^2 - (t - 1)^2 - (" + gap + ")^2', 'z', '0']]\ng = ['a = 0']\n[initial]\nt = '" +
                          start + "'\ny = [0, 0, 0]\nz = ['sqrt((" + start + " - 1)^2 + (" + gap + ")^2)']\n");
        for (const char* method : {"srk-gauss:2", "rk-radau-iia:2", "spark-lobatto:3", "rk-lobatto-iiia:3"}) {
          watch(
              system, method, 0.1, 2, [](const Sample& sample) { return sample.multipliers[0]; }, count);
        }
      }
    }
  }
  EXPECT_EQ(count.silent, 0);
  EXPECT_GT(count.stayed, 100);
}

/// Roots closer than a thousandth of a step: the run says where it has left its own.
TEST(NearBranches, AreAnnouncedWhereTheyCannotBeFollowed) {
  const System system = System::parse(
      "kind = 'dae2'\ny = ['a', 'b', 'd']\nz = ['z']\nf = [['0', '0', '1'], ['z^2 - (t - 1)^2 - 1e-8', 'z', '0']]\n"
      "g = ['a = 0']\n[initial]\nt = -0.0037\ny = [0, 0, 0]\nz = ['sqrt(1.0037^2 + 1e-8)']\n");
  EXPECT_TRUE(has_warning(integrate(system, options("rk-radau-iia:2", 0.1, 1.9963)), "branch"));
}

/// A gradient may turn: a velocity of constant size goes round, and smaller steps agree.
TEST(NearBranches, ATurningGradientIsNoOtherBranch) {
  const System system = System::parse(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"x'^2 + y'^2 = 1\"]\n"
      "[forces]\nx = \"-2*y'\"\ny = \"2*x'\"\n[initial]\nq = [0, 0]\nv = [1, 0]\n");
  for (const char* method : {"gauss:3", "gauss:4"}) {
    const Trajectory run = integrate(system, options(method, 1.0, 10));  // two radians per step
    ASSERT_EQ(run.outcome.status, Status::done) << run.outcome.message;
    for (const Warning& warning : run.warnings) EXPECT_NE(warning.code, "branch") << method;
    EXPECT_NEAR(run.last.v[0], std::cos(20.0), 0.1) << method;
  }
}

}  // namespace
}  // namespace noslip::testing

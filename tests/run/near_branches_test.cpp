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

}  // namespace
}  // namespace noslip::testing

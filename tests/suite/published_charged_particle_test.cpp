// The charged particle on a sphere of Jay (2007), section 6: states and errors of the Hamiltonian at its step, computed
// by an independent program.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

using testing::distance;
using testing::options;

Trajectory run(const std::string& method, long long steps, double step = 0.12) {
  return integrate(catalogue_system("charged-particle"), options(method, step, steps));
}

/// p = m v + m omega (-q2, q1, 0) with m = omega = 1.
std::vector<double> momenta(const Sample& sample) {
  return {sample.v[0] - sample.q[1], sample.v[1] + sample.q[0], sample.v[2]};
}

TEST(PublishedChargedParticle, StatesAfterHundredSteps) {
  const Sample gauss = run("gauss:1", 100).last;
  EXPECT_LT(distance(gauss.q, {-0.634553433118381, -0.573614306273043, 0.517985104184061}), 1e-13);
  EXPECT_LT(distance(momenta(gauss), {-0.506507647429247, 0.17249921202059, -0.429468239422688}), 1e-13);
  const Sample rattle = run("lobatto-ab:2", 100).last;
  EXPECT_LT(distance(rattle.q, {-0.672398481697681, -0.534563907868568, 0.511978232169043}), 1e-13);
  EXPECT_LT(distance(momenta(rattle), {-0.48595356631508, 0.208547113601294, -0.420472329912138}), 1e-13);
}

TEST(PublishedChargedParticle, ReferenceAtOne) {
  const Sample end = run("gauss:6", 50, 0.02).last;
  EXPECT_LT(distance(end.q, {-0.255216517219638, -0.826186141926857, 0.502275808920059}), 1e-14);
  EXPECT_LT(distance(momenta(end), {-0.509018549693181, -0.0804966385562387, -0.391050385488515}), 1e-14);
}

TEST(PublishedChargedParticle, ErrorsOfTheHamiltonian) {
  struct Row {
    const char* method;
    long long steps;
    double error;
  };
  for (const Row& row : {Row{"gauss:1", 5000, 2.424628e-3},
                         {"gauss:2", 5000, 8.913276e-6},
                         {"gauss:3", 1000, 9.4259e-9},
                         {"lobatto-ab:2", 5000, 4.374512e-3}}) {
    const Trajectory trajectory = run(row.method, row.steps);
    EXPECT_NEAR(trajectory.energy.max_abs_error / row.error, 1, 1e-4) << row.method;
    EXPECT_LT(std::fabs(trajectory.energy.drift_per_time), 1e-3 * row.error) << row.method;
    EXPECT_LT(trajectory.invariants[0].max_abs_error, 1e-13) << row.method;
    EXPECT_LT(trajectory.holonomic.max_abs, 1e-14) << row.method;
  }
}

}  // namespace
}  // namespace noslip

// sums=plain: what rounding takes from the sums of the state is lost. Steps are the same otherwise.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/ensemble/ensemble.hpp>

#include "suite/members.hpp"

namespace noslip {
namespace {

/// Of a run, against the same one with more digits.
double rounding_error(const System& system, const std::string& method, double step, long long steps) {
  RunOptions precise = testing::options(method, step, steps);
  precise.precision = Precision::long_double;
  const Trajectory reference = integrate(system, precise),
                   run = integrate(system, testing::options(method, step, steps));
  return testing::distance(run.last.q, reference.last.q);
}

class PlainSums : public ::testing::TestWithParam<std::string> {};

TEST_P(PlainSums, OneStepAgreesToRounding) {
  for (const System& system : testing::systems_for(GetParam())) {
    const Trajectory kept = integrate(system, testing::options(GetParam(), 0.01, 1)),
                     plain = integrate(system, testing::options(GetParam() + ",sums=plain", 0.01, 1));
    ASSERT_EQ(kept.outcome.status, plain.outcome.status) << system.name();
    double size = 1;
    for (const auto* part : {&kept.last.q, &kept.last.v}) {
      for (const double x : *part) size = std::max(size, std::fabs(x));
    }
    EXPECT_LT(testing::distance(kept.last.q, plain.last.q), 1e-14 * size) << system.name();
    EXPECT_LT(testing::distance(kept.last.v, plain.last.v), 1e-12 * size) << system.name();
    EXPECT_LT(std::fabs(kept.last.work - plain.last.work), 1e-13 * size) << system.name();
  }
}

INSTANTIATE_TEST_SUITE_P(All, PlainSums,
                         ::testing::Values("gauss:2", "lobatto-ab:3", "mp:4", "nh-lobatto:2", "energy:1",
                                           "srk-gauss:2"),
                         [](const auto& instance) { return testing::test_name(instance.param); });

TEST(PlainSums, ManyShortStepsLoseWhatCompensatedOnesKeep) {
  const System system = catalogue_system("particle");
  for (const std::string method : {"gauss:2", "mp"}) {
    const double kept = rounding_error(system, method, 1.0 / 1024, 200000),
                 plain = rounding_error(system, method + ",sums=plain", 1.0 / 1024, 200000);
    EXPECT_GT(plain, 4 * kept) << method;
    EXPECT_LT(plain, 1e-11) << method;
  }
}

TEST(PlainSums, LanesAndBackEndsHaveTheSameBits) {
  for (const char* name : {"chaotic", "sleigh"}) {
    const System system = catalogue_system(name);
    for (const std::string method : {"mp,sums=plain", "gauss:2,sums=plain", "energy:1,sums=plain"}) {
      RunOptions options = testing::options(method, 0.1, 100);
      const Trajectory run = integrate(system, options);
      options.backend = Backend::interpreter;
      const Trajectory interpreted = integrate(system, options);
      EXPECT_EQ(run.last.q, interpreted.last.q) << name << ", " << method;
      EXPECT_EQ(run.last.v, interpreted.last.v) << name << ", " << method;
      const std::vector<InitialState> members(8, system.initial_state(system.parameter_values()));
      for (const int lanes : {4, 8}) {
        const Ensemble many =
            integrate_ensemble(system, members, {.run = {.method = method, .step = 0.1, .steps = 100}, .lanes = lanes});
        std::vector<double> alone = run.last.q;
        alone.insert(alone.end(), run.last.v.begin(), run.last.v.end());
        EXPECT_EQ(many.last(3), alone) << name << ", " << method;
      }
    }
  }
}

TEST(PlainSums, AnglesStayContinuousOverManyTurns) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    angles      = ["theta"]
    lagrangian  = "(x'^2 + y'^2 + theta'^2)/2"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [initial]
    v = { x = 1, theta = 3 })toml");
  const Trajectory run = integrate(system, testing::options("gauss:2,sums=plain", 0.125, 8000));
  EXPECT_NEAR(run.last.q[2], 3000, 1e-9);
  EXPECT_NEAR(run.last.q[0], std::sin(3000.0) / 3, 1e-3);
}

}  // namespace
}  // namespace noslip

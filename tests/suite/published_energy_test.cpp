// Largest energy errors of the published experiments, as an independent program measures them, and that they stay
// bounded where the papers say so.
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

using testing::options;

/// A number that is given with so many digits.
void expect_digits(double value, double expected, int digits, const std::string& what) {
  const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(expected))) + 1 - digits);
  EXPECT_LE(std::fabs(value - expected), 0.5001 * unit) << what << ": " << value << " instead of " << expected;
}

/// Energy errors of a run, the largest of all and those of both halves.
struct EnergyErrors {
  Trajectory run;
  double first_half = 0, second_half = 0;
};

EnergyErrors energy_errors(const System& system, const InitialState& initial, RunOptions o) {
  EnergyErrors errors;
  double start = 0;
  const double middle = initial.t + 0.5 * static_cast<double>(o.step) * static_cast<double>(o.steps);
  o.every = 1;
  o.sink = [&](const Sample& sample) {
    if (sample.t == initial.t) start = sample.energy;
    double& half = sample.t <= middle ? errors.first_half : errors.second_half;
    half = std::max(half, std::fabs(sample.energy - start));
  };
  errors.run = integrate(system, initial, o);
  EXPECT_EQ(errors.run.outcome.status, Status::done) << o.method << ": " << errors.run.outcome.message;
  return errors;
}

EnergyErrors energy_errors(const std::string& system, const RunOptions& o) {
  const System found = catalogue_system(system);
  return energy_errors(found, found.initial_state(found.parameter_values(o.set)), o);
}

/// Jay 2009, fig. 8.1 to 8.3.
struct Figure {
  const char* system;
  const char* family;
  int first_stages;
  double step;
  long long steps;
  double largest[3], drift[3];
  int digits[3];
};

class PublishedFigures : public ::testing::TestWithParam<Figure> {};

TEST_P(PublishedFigures, EnergyErrors) {
  const Figure& figure = GetParam();
  for (int i = 0; i < 3; ++i) {
    const std::string method = figure.family + std::string(":") + std::to_string(figure.first_stages + i);
    const EnergyErrors errors = energy_errors(figure.system, options(method, figure.step, figure.steps));
    const Monitored& energy = errors.run.energy;
    expect_digits(energy.max_abs_error, figure.largest[i], figure.digits[i], method);
    EXPECT_EQ(std::max(errors.first_half, errors.second_half), energy.max_abs_error) << method;
    EXPECT_NEAR(errors.second_half / errors.first_half, 1, 0.02) << method;
    EXPECT_LE(std::fabs(energy.drift_per_time), 1.05 * figure.drift[i]) << method;
    EXPECT_LE(errors.run.constraints.max_abs, 1e-15) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(Jay, PublishedFigures,
                         ::testing::Values(Figure{"particle",
                                                  "gauss",
                                                  1,
                                                  0.2,
                                                  1250,
                                                  {6.635940e-3, 2.699574e-5, 1.610117e-7},
                                                  {3.3e-7, 1.8e-11, 1.1e-12},
                                                  {7, 7, 7}},
                                           Figure{"skate",
                                                  "lobatto-ab",
                                                  2,
                                                  0.1,
                                                  1000,
                                                  {2.503113e-3, 6.954532e-7, 9.2774e-11},
                                                  {2.7e-7, 7.6e-11, 1.0e-14},
                                                  {7, 7, 5}},
                                           Figure{"mobile-robot",
                                                  "lobatto-abd",
                                                  2,
                                                  0.2,
                                                  750,
                                                  {2.428236e-1, 4.656608e-4, 1.011208e-6},
                                                  {1.2e-5, 9.9e-9, 2.9e-12},
                                                  {7, 7, 7}}),
                         [](const auto& instance) { return testing::test_name(instance.param.system); });

/// Hilden 2009, sec. 4.2.3. Errors of a few 1e-14 are rounding: speeds are near 200, heights near 2000.
TEST(PublishedEnergy, LightSleigh) {
  struct Row {
    const char* method;
    double coarse, fine;  ///< with h = 0.1 and 0.01
    int digits;
  };
  const double rounding = 1e-13, fastest = 208;
  const Row rows[] = {{"mp", 5.17e-4, 5.17e-6, 3},
                      {"lobatto-ab:2", 1.53e-4, 1.53e-6, 3},
                      {"lobatto-ab:3", 8.9e-10, rounding, 2},
                      {"srk-radau-ia:2", 1.03e-6, 1.03e-9, 3},
                      {"srk-radau-ia:3", 1.9e-11, rounding, 2},
                      {"srk-gauss:2", 3.8e-9, 3.8e-13, 2},
                      {"srk-gauss:3", rounding, rounding, 2}};
  for (const Row& row : rows) {
    for (const auto& [step, expected] : {std::pair{0.1, row.coarse}, {0.01, row.fine}}) {
      const Trajectory run = testing::run_light_sleigh(row.method, step);
      const std::string what = row.method + std::string(", step ") + std::to_string(step);
      ASSERT_EQ(run.outcome.status, Status::done) << what << ": " << run.outcome.message;
      if (expected == rounding) {
        EXPECT_LE(run.energy.max_abs_error, rounding) << what;
      } else {
        expect_digits(run.energy.max_abs_error, expected, row.digits, what);
      }
      // Published is 6.4e-14; two units in the last place of the speed are what rounding may make of it.
      EXPECT_LE(run.constraints.max_abs, 2 * std::numeric_limits<double>::epsilon() * fastest) << what;
    }
  }
}

/// Hilden 2009, sec. 4.5.
TEST(PublishedEnergy, Sleigh) {
  const System sleigh = catalogue_system("sleigh");
  const auto error = [&](const char* method) {
    return integrate(sleigh, options(method, 0.12, 1000)).energy.max_abs_error;
  };
  expect_digits(error("lobatto-ab:2"), 2.24e-5, 3, "lobatto-ab:2");
  expect_digits(error("lobatto-ab:3"), 5.29e-10, 3, "lobatto-ab:3");
  EXPECT_LE(error("lobatto-ab:4"), 1.4e-13);
}

/// Martin de Diego and Sato 2022, sec. 7.2: the pendulum oscillates (energy 4/5) or rotates (3), symmetric or not.
class PublishedTransmission : public ::testing::Test {
 protected:
  static Trajectory run(const char* method, double Ed, double eps, double step, double until = 2000) {
    RunOptions o = options(method, step, static_cast<long long>(until / step));
    o.set = {{"Ed", Ed}, {"eps", eps}};
    return integrate(catalogue_system("cvt"), o);
  }
};

constexpr double cases[4][2] = {{0.8, 0}, {0.8, 0.5}, {3, 0}, {3, 0.5}};

TEST_F(PublishedTransmission, LobattoTwoHasNoDrift) {
  const double fine[] = {7.16e-3, 1.32e-2, 2.47e-2, 2.58e-2}, coarse[] = {0.137, 0.504, 0.506, 0.501};
  for (int i = 0; i < 4; ++i) {
    const auto [Ed, eps] = cases[i];
    const std::string what = "case " + std::to_string(i);
    const Trajectory small = run("nh-lobatto:2", Ed, eps, 0.1);
    expect_digits(small.energy.max_abs_error, fine[i], 3, what);
    EXPECT_LE(std::fabs(small.energy.drift_per_time), 7.5e-9) << what;
    EXPECT_NEAR(small.energy.initial, Ed + 1, 1e-15) << what;
    EXPECT_NEAR(small.invariants[0].initial, Ed, 1e-15) << what;
    EXPECT_NEAR(small.invariants[1].initial, 1, 1e-15) << what;
    const Trajectory large = run("nh-lobatto:2", Ed, eps, std::numbers::pi / 10);
    expect_digits(large.energy.max_abs_error, coarse[i], 3, what + ", large step");
  }
}

TEST_F(PublishedTransmission, LobattoThreeDriftsWhereTheAsymmetricPendulumRotates) {
  const double expected[] = {5.9e-6, 1.4e-5, 1.8e-5, 8.6e-4};
  for (int i = 0; i < 4; ++i) {
    const Trajectory small = run("nh-lobatto:3", cases[i][0], cases[i][1], 0.1);
    expect_digits(small.energy.max_abs_error, expected[i], 2, "case " + std::to_string(i));
    if (i == 3) expect_digits(small.energy.drift_per_time, -3.2e-7, 2, "drift");
  }
  const Monitored energy = run("nh-lobatto:3", 3, 0.5, 0.1, 50000).energy;
  expect_digits(energy.final - energy.initial, -3.5e-2, 2, "long run");
}

}  // namespace
}  // namespace noslip

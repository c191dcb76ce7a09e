// Measured orders: linear, affine, nonlinear and time-dependent constraints, M(q), forces, several constraints, none.
#include <gtest/gtest.h>

#include "run/help.hpp"
#include "support/order_cases.hpp"

namespace noslip {
namespace {

using testing::distance;
using testing::options;

class Order : public ::testing::TestWithParam<testing::OrderCase> {};

TEST_P(Order, IsTwiceTheNumberOfStages) {
  const System system = System::parse(GetParam().toml, GetParam().name);
  const double t0 = system.initial_state(system.parameter_values()).t;
  RunOptions fine = options("gauss:6", 0.0125, t0 + 1);
  fine.precision = Precision::quadruple;
  const Trajectory reference = integrate(system, fine);
  const double steps[3][2] = {{0.025, 0.0125}, {0.05, 0.025}, {0.1, 0.05}};
  for (int s = 1; s <= 3; ++s) {
    double error_q[2], error_v[2];
    for (int k = 0; k < 2; ++k) {
      RunOptions o = options("gauss:" + std::to_string(s), steps[s - 1][k], t0 + 1);
      o.precision = Precision::long_double;
      const Trajectory run = integrate(system, o);
      ASSERT_EQ(run.outcome.status, Status::done) << run.outcome.message;
      error_q[k] = distance(run.last.q, reference.last.q);
      error_v[k] = distance(run.last.v, reference.last.v);
      EXPECT_LT(run.constraints.max_abs, 1e-17);
    }
    EXPECT_NEAR(testing::slope(error_q[0], steps[s - 1][0], error_q[1], steps[s - 1][1]), 2 * s, 0.15) << "s = " << s;
    EXPECT_NEAR(testing::slope(error_v[0], steps[s - 1][0], error_v[1], steps[s - 1][1]), 2 * s, 0.15) << "s = " << s;
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, Order, ::testing::ValuesIn(testing::order_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(Order, ManyStagesReachRounding) {
  for (const int s : {8, 12, 20, 33}) {
    const Trajectory run = integrate(testing::skate(), options("gauss:" + std::to_string(s), 0.5, 5));
    ASSERT_EQ(run.outcome.status, Status::done) << run.outcome.message;
    EXPECT_LT(run.error_at_end, 1e-13) << s;
  }
}

TEST(Order, QuadruplePrecisionIsNotALie) {
  RunOptions o = options("gauss:6", 0.015625, 1);
  o.precision = Precision::quadruple;
  const Trajectory run = integrate(testing::skate(), o);
  EXPECT_LT(run.error_at_end, 1e-27);
  EXPECT_LT(run.constraints.max_abs, 1e-33);
}

}  // namespace
}  // namespace noslip

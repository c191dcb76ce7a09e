// Measured orders: linear, affine, nonlinear and time-dependent constraints, M(q), forces, several constraints, none.
#include <gtest/gtest.h>

#include "run/help.hpp"

namespace noslip {
namespace {

using testing::distance;
using testing::options;

struct Case {
  const char* name;
  const char* toml;
};

const Case cases[] = {
    {"linear", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2 - x*y*z/3"
      constraints = ["z' = y*x'"]
      [initial]
      q = [1, 0.2, 0]
      v = [0.3, 1, 0.06])toml"},
    {"mass_of_q", R"toml(
      coordinates = ["x", "y", "theta"]
      lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) - (y + sin(theta)) - x^2/4"
      constraints = ["y'*cos(theta) = x'*sin(theta)"]
      [initial]
      q = [1, 0, 0.3]
      v = ["cos(3/10)", "sin(3/10)", 0.7])toml"},
    {"two_constraints", R"toml(
      coordinates = ["x", "y", "phi", "theta"]
      lagrangian  = "(x'^2 + y'^2 + phi'^2)/2 + 3/2*theta'^2 - 2*sin(theta) - x*y/5"
      constraints = ["x' = cos(phi)*theta'", "y' = sin(phi)*theta'"]
      [initial]
      v = [1, 0, 0.7, 1])toml"},
    {"affine", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2/2"
      constraints = ["z' = y*x' + sin(x)/2"]
      [initial]
      q = [1, 0.2, 0]
      v = [0.3, 1, "0.06 + sin(1)/2"])toml"},
    {"nonlinear", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2/2 - z"
      constraints = ["z'^2 = x'^2 + y'^2 + x^2/10"]
      [initial]
      q = [1, 0.2, 0]
      v = [0.3, 1, "sqrt(0.09 + 1 + 0.1)"])toml"},
    {"time", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(1 + t/5)*(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2*cos(t)"
      constraints = ["z' = y*x' + cos(2*t)/2"]
      [initial]
      t = 0.5
      q = [1, 0.2, 0]
      v = [0.3, 1, "0.06 + cos(1)/2"])toml"},
    {"forces", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2"
      constraints = ["z' = y*x'"]
      [parameters]
      c = 0.3
      [forces]
      x = "-c*x'*sqrt(1 + x'^2)"
      y = "sin(3*t) - c*y'"
      [initial]
      q = [1, 0.2, 0]
      v = [2.3, 1, 0.46])toml"},
    {"unconstrained", R"toml(
      coordinates = ["r", "phi"]
      lagrangian  = "(r'^2 + r^2*phi'^2)/2 + 1/r"
      [initial]
      q = [1, 0]
      v = [0, 1.2])toml"},
};

class Order : public ::testing::TestWithParam<Case> {};

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
      EXPECT_LT(run.max_constraint, 1e-17);
    }
    EXPECT_NEAR(testing::slope(error_q[0], steps[s - 1][0], error_q[1], steps[s - 1][1]), 2 * s, 0.15) << "s = " << s;
    EXPECT_NEAR(testing::slope(error_v[0], steps[s - 1][0], error_v[1], steps[s - 1][1]), 2 * s, 0.15) << "s = " << s;
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, Order, ::testing::ValuesIn(cases),
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
  EXPECT_LT(run.max_constraint, 1e-33);
}

}  // namespace
}  // namespace noslip

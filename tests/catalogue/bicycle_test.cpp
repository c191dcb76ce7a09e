// The benchmark bicycle beside the numbers of its paper.
#include <algorithm>
#include <cmath>
#include <complex>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "catalogue/help.hpp"

namespace noslip {
namespace {

using testing::Start;
using testing::start_of;
using testing::values;

enum Coordinate : std::size_t { x, y, z, yaw, lean, pitch, steer, rear, front };

TEST(Bicycle, WheelsCarryTheWeight) {
  const Start start = start_of("bicycle", {{"lean_rate", 0}});
  for (const double a : start.continuous.accelerations) EXPECT_NEAR(a, 0, 1e-13);
  const double base = 1.02, g = 9.81, mass = 2 + 85 + 4 + 3;
  const double on_front = g * (85 * 0.3 + 4 * 0.9 + 3 * base) / base;
  ASSERT_EQ(start.continuous.multipliers.size(), 6U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(start.continuous.multipliers[i], 0, 1e-12);
  EXPECT_NEAR(start.continuous.multipliers[4], on_front - mass * g, 1e-10);
  EXPECT_NEAR(start.continuous.multipliers[5], -on_front, 1e-10);
}

/// Reduced motion near straight upright running: lean, steer and their rates decide about everything else.
class NearStraight {
 public:
  explicit NearStraight(double speed)
      : start_(start_of("bicycle", {{"v0", speed}, {"lean_rate", 0}})), continuous_(start_.system, start_.parameters) {}

  /// lean'' and steer''.
  Eigen::Vector2d accelerations(const Eigen::Vector4d& lean_steer_rates) const {
    InitialState state = start_.state;
    state.q[lean] = lean_steer_rates[0];
    state.q[steer] = lean_steer_rates[1];
    stand_on_both_wheels(state);
    state.v[lean] = lean_steer_rates[2];
    state.v[steer] = lean_steer_rates[3];
    roll(state);
    continuous_.require_consistent(state);
    std::vector<Problem> problems;
    const std::vector<double> a = continuous_.evaluate(state, problems).accelerations;
    EXPECT_TRUE(problems.empty());
    return {a[lean], a[steer]};
  }

  /// Central differences of fourth order.
  Eigen::Matrix4d linearised() const {
    Eigen::Matrix4d matrix = Eigen::Matrix4d::Zero();
    matrix(0, 2) = matrix(1, 3) = 1;
    const double h = 1e-3;
    for (int j = 0; j < 4; ++j) {
      const auto at = [&](double k) { return accelerations(k * h * Eigen::Vector4d::Unit(j)); };
      matrix.block<2, 1>(2, j) = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
    }
    return matrix;
  }

 private:
  /// Height and pitch from the contacts, by Newton's method.
  void stand_on_both_wheels(InitialState& state) const {
    const std::vector<HolonomicConstraint>& contacts = start_.system.holonomic();
    const std::vector<Expr> wanted = {contacts[0].g,    contacts[1].g,        contacts[0].G[z],
                                      contacts[1].G[z], contacts[0].G[pitch], contacts[1].G[pitch]};
    for (int pass = 0; pass < 8; ++pass) {
      const std::vector<double> now = values(start_.system, wanted, testing::joined(state, start_.parameters));
      const Eigen::Matrix2d slope{{now[2], now[4]}, {now[3], now[5]}};
      const Eigen::Vector2d change = slope.partialPivLu().solve(Eigen::Vector2d(now[0], now[1]));
      state.q[z] -= change[0];
      state.q[pitch] -= change[1];
    }
  }

  /// All other velocities from lean', steer' and the rate of the rear wheel.
  void roll(InitialState& state) const {
    std::vector<Expr> entries;
    for (const Constraint& constraint : start_.system.velocity_level()) {
      const std::vector<Expr> row = constraint.K.dense();
      entries.insert(entries.end(), row.begin(), row.end());
    }
    const std::vector<double> K = values(start_.system, entries, testing::joined(state, start_.parameters));
    const std::size_t dependent[] = {x, y, z, yaw, pitch, front};
    Eigen::Matrix<double, 6, 6> matrix;
    Eigen::Matrix<double, 6, 1> right;
    for (std::size_t i = 0; i < 6; ++i) {
      const double* row = &K[9 * i];
      const auto at = static_cast<Eigen::Index>(i);
      for (std::size_t j = 0; j < 6; ++j) matrix(at, static_cast<Eigen::Index>(j)) = row[dependent[j]];
      right[at] = -(row[lean] * state.v[lean] + row[steer] * state.v[steer] + row[rear] * state.v[rear]);
    }
    const Eigen::Matrix<double, 6, 1> solution = matrix.partialPivLu().solve(right);
    for (std::size_t j = 0; j < 6; ++j) state.v[dependent[j]] = solution[static_cast<Eigen::Index>(j)];
  }

  Start start_;
  Continuous continuous_;
};

std::vector<std::complex<double>> eigenvalues(double speed) {
  const Eigen::Vector4cd found = Eigen::EigenSolver<Eigen::Matrix4d>(NearStraight(speed).linearised()).eigenvalues();
  std::vector<std::complex<double>> result(found.begin(), found.end());
  std::sort(result.begin(), result.end(), [](auto a, auto b) {
    return std::pair{a.real(), a.imag()} < std::pair{b.real(), b.imag()};
  });
  return result;
}

/// Table 2 of the paper prints 14 digits; the differences above give 9 of them.
TEST(Bicycle, HasTheEigenvaluesOfTheBenchmark) {
  const std::vector<std::complex<double>> at5 = eigenvalues(5);
  EXPECT_NEAR(at5[0].real(), -14.0783896927982, 1e-7);
  EXPECT_NEAR(at5[1].real(), -0.77534188219585, 1e-8);
  EXPECT_NEAR(at5[1].imag(), -4.46486771378823, 1e-8);
  EXPECT_NEAR(at5[2].real(), -0.77534188219585, 1e-8);
  EXPECT_NEAR(at5[3].real(), -0.32286642900409, 1e-8);
}

/// Straight running is stable between the weave speed and the capsize speed of the paper.
TEST(Bicycle, IsStableBetweenWeaveAndCapsize) {
  const auto growth = [](double speed) { return eigenvalues(speed).back().real(); };
  EXPECT_GT(growth(4.29), 0);
  EXPECT_LT(growth(4.30), 0);
  EXPECT_LT(growth(6.02), 0);
  EXPECT_GT(growth(6.03), 0);
}

}  // namespace
}  // namespace noslip

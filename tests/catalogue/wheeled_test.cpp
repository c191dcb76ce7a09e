// Gearbox, snakeboard and roller racer beside their equations in other coordinates, worked out by hand.
#include <cmath>
#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "catalogue/help.hpp"

namespace noslip {
namespace {

using testing::Start;
using testing::start_of;

struct State {
  std::vector<double> q, v;
};

ContinuousState continuous_at(const std::string& name, std::map<std::string, double> settings, const State& state) {
  const System system = catalogue_system(name, settings);
  const std::vector<double> parameters = system.parameter_values(settings);
  const Continuous continuous(system, parameters);
  const InitialState initial{0, state.q, state.v, {}};
  continuous.require_consistent(initial);
  std::vector<Problem> problems;
  ContinuousState result = continuous.evaluate(initial, problems);
  EXPECT_TRUE(problems.empty());
  return result;
}

double invariant(const Start& start, const std::string& name) {
  for (const auto& [key, expression] : start.system.invariants()) {
    if (key == name)
      return testing::values(start.system, {expression}, testing::joined(start.state, start.parameters))[0];
  }
  ADD_FAILURE() << name;
  return 0;
}

class Numbers {
 public:
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

 private:
  std::mt19937 random_{5};
};

TEST(Catalogue, GearboxIsTheTransmissionWithOtherNames) {
  Numbers numbers;
  for (int round = 0; round < 20; ++round) {
    const double q1 = numbers.between(-2, 2), q2 = numbers.between(-2, 2), q3 = numbers.between(-4, 4);
    const double v2 = numbers.between(-2, 2), v3 = numbers.between(-2, 2), v1 = -std::sin(q3) * v2;
    const double epsilon = numbers.between(0, 1);
    const ContinuousState gearbox = continuous_at("gearbox", {{"epsilon", epsilon}}, {{q1, q2, q3}, {v1, v2, v3}});
    const ContinuousState cvt =
        continuous_at("cvt", {{"eps", epsilon}}, {{q2, -(q3 + std::acos(-1.0)), q1}, {v2, -v3, v1}});
    EXPECT_NEAR(gearbox.energy, cvt.energy, 1e-14);
    EXPECT_NEAR(gearbox.accelerations[0], cvt.accelerations[2], 1e-14);
    EXPECT_NEAR(gearbox.accelerations[1], cvt.accelerations[0], 1e-14);
    EXPECT_NEAR(gearbox.accelerations[2], -cvt.accelerations[1], 1e-14);
    EXPECT_NEAR(gearbox.multipliers[0], cvt.multipliers[0], 1e-13);
  }
}

TEST(Catalogue, GearboxStartsWithAPendulumThatOscillates) {
  const Start start = start_of("gearbox");
  const double top = 1.0686882750177;  // the largest value of cos(q3) - sin(2 q3)/5
  EXPECT_LT(invariant(start, "driver"), top);
  EXPECT_NEAR(start.state.v[0], -0.296142548604658, 1e-15);
  EXPECT_NEAR(invariant(start, "driver") + invariant(start, "passenger"), start.continuous.energy, 1e-15);
  // What the description says about rotation.
  EXPECT_GT(3 * 3 / 2.0 + std::cos(0.3) - std::sin(0.6) / 5, top);
  EXPECT_NO_THROW(continuous_at("gearbox", {}, {{1, 1, 0.3}, {-std::sin(0.3) / 2, 0.5, 3}}));
}

/// With u the speed along the board: r theta' = -u tan(phi) and m r cos(phi) u' = sin(phi) ((J + 2 J1) theta'' - k
/// psi).
TEST(Catalogue, SnakeboardMovesAsWithItsSpeedAlone) {
  const double m = 1.3, r = 0.8, J = 0.4, J0 = 0.3, J1 = 0.2, k_psi = 0.7, k_phi = 0.6;
  Numbers numbers;
  for (int round = 0; round < 20; ++round) {
    const double theta = numbers.between(-3, 3), psi = numbers.between(-3, 3), phi = numbers.between(-1.2, 1.2);
    const double u = numbers.between(-2, 2), psi1 = numbers.between(-2, 2), phi1 = numbers.between(-2, 2);
    const double tangent = std::tan(phi), theta1 = -u * tangent / r;
    const ContinuousState found = continuous_at(
        "snakeboard", {{"m", m}, {"r", r}, {"J", J}, {"J0", J0}, {"J1", J1}, {"k_psi", k_psi}, {"k_phi", k_phi}},
        {{0.3, -2, theta, psi, phi}, {u * std::cos(theta), u * std::sin(theta), theta1, psi1, phi1}});
    const double inertia = J + 2 * J1, bending = -u * phi1 * (1 + tangent * tangent) / r;
    const double du = std::sin(phi) * (inertia * bending - k_psi * psi) /
                      (m * r * std::cos(phi) + inertia * std::sin(phi) * tangent / r);
    const double theta2 = bending - du * tangent / r;
    const std::vector<double>& a = found.accelerations;
    EXPECT_NEAR(a[0], du * std::cos(theta) - u * theta1 * std::sin(theta), 1e-12);
    EXPECT_NEAR(a[1], du * std::sin(theta) + u * theta1 * std::cos(theta), 1e-12);
    EXPECT_NEAR(a[2], theta2, 1e-12);
    EXPECT_NEAR(a[3], -k_psi * psi / J0 - theta2, 1e-12);
    EXPECT_NEAR(a[4], -k_phi * phi / (2 * J1), 1e-12);
  }
}

TEST(Catalogue, SnakeboardTakesInitialSpeedAndSteering) {
  const Start start = start_of("snakeboard", {{"u0", 0.5}, {"phi0", 0.4}});
  EXPECT_EQ(start.state.v, (std::vector<double>{0.5, 0, -0.5 * std::tan(0.4), 0, 0.7}));
  const Start rest = start_of("snakeboard");
  EXPECT_EQ(rest.parameters[2] + rest.parameters[3] + 2 * rest.parameters[4], 1) << "J + J0 + 2 J1 = m r^2";
}

/// The two allowed directions and the rate of the second constraint, for u', theta'' and phi''.
TEST(Catalogue, RollerRacerMovesAsInTheAllowedDirections) {
  const double m = 1.4, I1 = 0.7, I2 = 0.3, d1 = 0.9, d2 = 0.4, k = 0.8;
  Numbers numbers;
  for (int round = 0; round < 20; ++round) {
    const double theta = numbers.between(-3, 3), phi = (round % 2 == 0 ? 1 : -1) * numbers.between(0.2, 3);
    const double theta1 = numbers.between(-1, 1), phi1 = numbers.between(-1, 1);
    const double s = std::sin(phi), g = d1 * std::cos(phi) + d2, u = (g * theta1 + d2 * phi1) / s;
    const ContinuousState found =
        continuous_at("roller-racer", {{"m", m}, {"I1", I1}, {"I2", I2}, {"d1", d1}, {"d2", d2}, {"k", k}},
                      {{1, 2, theta, phi}, {u * std::cos(theta), u * std::sin(theta), theta1, phi1}});
    const Eigen::Matrix3d matrix{{m * g, s * (I1 + I2), s * I2}, {m * d2, s * I2, s * I2}, {s, -g, -d2}};
    const Eigen::Vector3d right(0, -s * k * phi, -u * phi1 * std::cos(phi) - d1 * s * phi1 * theta1);
    const Eigen::Vector3d rates = matrix.partialPivLu().solve(right);
    const std::vector<double>& a = found.accelerations;
    EXPECT_NEAR(a[0], rates[0] * std::cos(theta) - u * theta1 * std::sin(theta), 1e-10);
    EXPECT_NEAR(a[1], rates[0] * std::sin(theta) + u * theta1 * std::cos(theta), 1e-10);
    EXPECT_NEAR(a[2], rates[1], 1e-10);
    EXPECT_NEAR(a[3], rates[2], 1e-10);
  }
}

TEST(Catalogue, RollerRacerWithoutSpringGoesRoundOnCircles) {
  for (const double phi : {-2.5, -0.3, 0.2, 1.0, 3.0}) {
    const Start start = start_of("roller-racer", {{"k", 0}, {"u0", 1.5}, {"phi0", phi}});
    const double theta1 = 1.5 * std::sin(phi) / (std::cos(phi) + 0.3);
    EXPECT_NEAR(start.state.v[2], theta1, 1e-15);
    const std::vector<double>& a = start.continuous.accelerations;
    EXPECT_NEAR(a[0], 0, 1e-14);
    EXPECT_NEAR(a[1], 1.5 * theta1, 1e-13);
    EXPECT_NEAR(a[2], 0, 1e-14);
    EXPECT_NEAR(a[3], 0, 1e-14);
    EXPECT_NEAR(start.continuous.multipliers[1], 0, 1e-13) << "the wheels of the second platform run free";
  }
}

}  // namespace
}  // namespace noslip

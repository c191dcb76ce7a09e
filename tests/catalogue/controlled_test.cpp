// Balancing robot and skateboard beside their equations worked out by hand, with torques of all sizes; the delay at
// which the skater falls.
#include <cmath>
#include <complex>
#include <random>

#include <gtest/gtest.h>

#include <noslip/model/sampled.hpp>

#include "catalogue/help.hpp"

namespace noslip {
namespace {

using testing::Start;
using testing::start_of;

/// Values of the parameters by name; the only input is the last of all.
std::map<std::string, double> numbers_of(const Start& start) {
  std::map<std::string, double> result;
  const std::vector<Parameter> constants = start.system.step_constants();
  for (std::size_t i = 0; i < constants.size(); ++i) result[constants[i].name] = start.parameters[i];
  return result;
}

std::vector<double> accelerations(Start& start, double input) {
  start.parameters.back() = input;
  const Continuous continuous(start.system, start.parameters);
  continuous.require_consistent(start.state);
  std::vector<Problem> problems;
  return continuous.evaluate(start.state, problems).accelerations;
}

TEST(Controlled, Segway) {
  Start start = start_of("segway");
  std::map<std::string, double> p = numbers_of(start);
  const double M = p["m"] + p["m_w"] + p["J_w"] / std::pow(p["r"], 2), J = p["J"] + p["m"] * std::pow(p["l"], 2);
  const double ml = p["m"] * p["l"];
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int i = 0; i < 20; ++i) {
    const double pitch = any(random), rate = any(random), speed = any(random), tau = any(random);
    start.state.q = {any(random), pitch, any(random)};
    start.state.v = {p["r"] * speed, rate, speed};
    const std::vector<double> a = accelerations(start, tau);
    const double size = std::fabs(ml * a[0]) + std::fabs(J * a[1]) + std::fabs(tau);
    EXPECT_NEAR(M * a[0] + ml * std::cos(pitch) * a[1], tau / p["r"] + ml * std::sin(pitch) * rate * rate,
                1e-13 * size / p["r"]);
    EXPECT_NEAR(ml * std::cos(pitch) * a[0] + J * a[1], p["g"] * ml * std::sin(pitch) - tau, 1e-13 * size);
  }
  const double growth = std::sqrt(M * p["g"] * ml / (M * J - ml * ml));
  EXPECT_NEAR(growth, 4.77, 0.01);
}

/// The characteristic equation of the skateboard, for small angles.
struct Skateboard {
  using Complex = std::complex<double>;
  std::map<std::string, double> p;

  double S() { return p["m"] * p["h"] * std::tan(p["kappa"]) * p["V"] / p["l"]; }
  Complex Z(Complex s) { return p["J"] * s * s + p["c"] * s + p["k"]; }
  Complex N(Complex s) { return Z(s) + S() * (p["V"] + p["a"] * s); }
  Complex plant(Complex s) { return p["m"] * std::pow(p["h"], 2) * (s * s - p["g"] / p["h"]) * Z(s); }
  Complex gains(Complex s) { return p["P"] + p["D"] * s; }
  Complex characteristic(Complex s, double reflex) { return plant(s) + N(s) * gains(s) * std::exp(-s * reflex); }

  /// The w at which the delay can be critical: the loop has the gain 1.
  double frequency() {
    const auto excess = [&](double w) {
      const Complex s(0, w);
      return std::abs(N(s) * gains(s)) - std::abs(plant(s));
    };
    double low = 1e-3, high = 50;
    EXPECT_GT(excess(low), 0);
    EXPECT_LT(excess(high), 0);
    for (int i = 0; i < 100; ++i) (excess((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    return low;
  }
  double critical(double w) {
    const Complex s(0, w);
    return (std::arg(gains(s)) + std::arg(N(s)) - std::arg(Z(s))) / w;
  }
  double longest() {
    const double stiff = p["k"] + S() * p["V"], n1 = (p["c"] + S() * p["a"]) / stiff, r1 = p["c"] / p["k"] - n1;
    const double r2 = p["J"] / p["k"] - p["J"] / stiff - n1 * r1;
    return std::sqrt(2 * p["h"] / p["g"] + r1 * r1 - 2 * r2) - r1;
  }
};

TEST(Controlled, Skateboard) {
  Start start = start_of("skateboard");
  Skateboard linear{numbers_of(start)};
  auto& p = linear.p;
  std::mt19937 random(4);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const double size : {1.0, 1e-5}) {
    for (int i = 0; i < 20; ++i) {
      const double theta = any(random), beta = size * any(random), phi = size * any(random), ankle = size * any(random);
      const double beta_rate = size * any(random), phi_rate = size * any(random);
      const double turn = p["V"] / p["l"] * std::tan(p["kappa"]);
      const double theta_rate = turn * std::sin(beta), theta_change = turn * std::cos(beta) * beta_rate;
      start.state.q = {any(random), any(random), theta, beta, phi};
      start.state.v = {p["V"] * std::cos(theta), p["V"] * std::sin(theta), theta_rate, beta_rate, phi_rate};
      const std::vector<double> a = accelerations(start, ankle);
      EXPECT_NEAR(a[2], theta_change, 1e-12 * turn * size);
      EXPECT_NEAR(p["J"] * a[3], ankle - p["c"] * beta_rate - p["k"] * beta, 1e-10 * size);
      const double h = p["h"];
      EXPECT_NEAR(p["m"] * h *
                      (h * a[4] + std::cos(phi) * (p["V"] * theta_rate + p["a"] * theta_change) -
                       h * std::sin(phi) * std::cos(phi) * theta_rate * theta_rate),
                  p["m"] * p["g"] * h * std::sin(phi) - ankle, 1e-9 * size);
      if (size == 1) continue;
      EXPECT_NEAR(p["m"] * h * h * a[4] - p["m"] * p["g"] * h * phi + linear.S() * (p["V"] * beta + p["a"] * beta_rate),
                  -ankle, 1e-3 * size * size / 1e-5);
    }
  }
}

/// The numbers in the comment of the file, which the characteristic equation confirms.
TEST(Controlled, DelayOfTheSkater) {
  Skateboard linear{numbers_of(start_of("skateboard"))};
  const double w = linear.frequency();
  EXPECT_NEAR(w, 2.047, 5e-4);
  EXPECT_NEAR(linear.critical(w), 0.2375, 5e-5);
  EXPECT_NEAR(linear.longest(), 0.4221, 5e-5);
  const Skateboard::Complex s(0, w);
  EXPECT_LT(std::abs(linear.characteristic(s, linear.critical(w))), 1e-12 * std::abs(linear.plant(s)));
  EXPECT_LT(linear.p["reflex"], linear.critical(w));
  // There the gains of a triple root at zero leave nothing of the equation but s^3.
  const double limit = linear.longest(), near = 1e-4;
  const auto ratio = [&](double x) {
    return (-linear.plant(x) / linear.N(x) * std::exp(x * limit)).real();  // P + D s where s = x is a root
  };
  const double curvature = (ratio(near) - 2 * ratio(0) + ratio(-near)) / (near * near);
  EXPECT_NEAR(curvature, 0, 1e-4 * ratio(0));

  Skateboard fast = linear;
  fast.p["V"] = 5;
  EXPECT_NEAR(fast.critical(fast.frequency()), 0.1253, 5e-5);

  Skateboard light = linear;  // the board of the paper, seen from the centre
  light.p["J"] = light.p["c"] = light.p["a"] = 0;
  const double factor = (1 + light.S() * light.p["V"] / light.p["k"]) / (light.p["m"] * std::pow(light.p["h"], 2));
  const double P = light.p["P"] * factor, D = light.p["D"] * factor, b = light.p["g"] / light.p["h"];
  const double half = D * D / 2 - b, closed = std::sqrt(half + std::sqrt(half * half + P * P - b * b));
  EXPECT_NEAR(light.frequency(), closed, 1e-12);
  EXPECT_NEAR(light.critical(closed), std::atan(closed * D / P) / closed, 1e-14);
  EXPECT_NEAR(light.longest(), std::sqrt(2 / b), 1e-15);
}

TEST(Controlled, ControllersGiveTheTorques) {
  const std::map<std::string, std::string> inputs = {{"segway", "tau"}, {"skateboard", "ankle"}};
  for (const auto& [name, input] : inputs) {
    const System system = catalogue_system(name);
    ASSERT_NE(system.sampled(), nullptr) << name;
    ASSERT_EQ(system.sampled()->values.size(), 1U) << name;
    EXPECT_EQ(system.sampled()->values[0].name, input);
    EXPECT_EQ(static_cast<double>(sampled_times(system, system.parameter_values_quad()).every), 0.01) << name;
  }
  const System skateboard = catalogue_system("skateboard");
  EXPECT_EQ(static_cast<double>(sampled_times(skateboard, skateboard.parameter_values_quad()).delay), 0.15);
}

}  // namespace
}  // namespace noslip

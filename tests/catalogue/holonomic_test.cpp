// Systems with position constraints: their sizes, and steady or reduced motions that are known in closed form.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "catalogue/help.hpp"

namespace noslip {
namespace {

using testing::Start;
using testing::start_of;

constexpr double g = 9.81;

TEST(Catalogue, SizesOfSystemsWithContacts) {
  struct Size {
    const char* name;
    std::size_t coordinates, velocity, position;
  };
  for (const Size& size : {Size{"bicycle", 9, 4, 2},
                           {"charged-particle", 3, 0, 1},
                           {"differential-drive", 7, 5, 0},
                           {"double-pendulum", 4, 0, 2},
                           {"knife-edge-pendulum", 6, 1, 1},
                           {"rolling-ball-in-bowl", 6, 2, 1},
                           {"rolling-wheel", 6, 2, 1},
                           {"slider-crank", 5, 0, 4},
                           {"spherical-pendulum", 3, 0, 1}}) {
    const Start start = start_of(size.name);
    EXPECT_EQ(start.state.q.size(), size.coordinates) << size.name;
    EXPECT_EQ(start.system.constraints().size(), size.velocity) << size.name;
    EXPECT_EQ(start.system.holonomic().size(), size.position) << size.name;
    EXPECT_EQ(start.continuous.multipliers.size(), size.velocity + size.position) << size.name;
    EXPECT_EQ(static_cast<std::size_t>(start.continuous.constraint_rank), size.velocity + size.position) << size.name;
    EXPECT_LE(start.continuous.max_constraint, 4 * std::numeric_limits<double>::epsilon()) << size.name;
    for (const Constraint& constraint : start.system.constraints()) {
      EXPECT_EQ(constraint.kind, ConstraintKind::linear) << size.name;
    }
  }
}

/// The initial data follow the parameters, every one of them.
TEST(Catalogue, InitialDataAreConsistentForOtherParameters) {
  for (const CatalogueEntry& entry : catalogue()) {
    const System system = catalogue_system(entry.name);
    if (!system.offers().lagrangian) continue;
    const std::vector<double> defaults = system.parameter_values();
    for (std::size_t i = 0; i < system.parameters().size(); ++i) {
      const std::string& name = system.parameters()[i].name;
      const bool is_size = std::find(system.sizes().begin(), system.sizes().end(), name) != system.sizes().end();
      const double other = is_size ? defaults[i] + 2 : defaults[i] * 1.1 + 0.01;
      EXPECT_NO_THROW(start_of(entry.name, {{name, other}})) << entry.name << ", " << name;
    }
  }
}

void expect_near(const std::vector<double>& values, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], tolerance) << i;
}

TEST(Catalogue, ChargedParticleHasTheEnergyOfThePaper) {
  const Start start = start_of("charged-particle");
  EXPECT_NEAR(start.continuous.energy, 0.480833695337456, 1e-15);
  expect_near(start.state.v, {1.2, -1.2, 0}, 1e-15);
  const std::vector<double> p =
      testing::values(start.system, start.system.momenta(), testing::joined(start.state, start.parameters));
  expect_near(p, {1, -1, 0}, 1e-15);
}

TEST(Catalogue, SphericalPendulumGoesRoundOnACircle) {
  const double alpha = 1, rate = std::sqrt(g / std::cos(alpha));
  const Start start = start_of("spherical-pendulum", {{"alpha", alpha}, {"Omega", rate}});
  expect_near(start.continuous.accelerations, {-rate * rate * std::sin(alpha), 0, 0}, 1e-13);
  // The rod carries m g/cos(alpha); the constraint has the gradient 2 (x, y, z).
  EXPECT_NEAR(start.continuous.multipliers[0], -g / std::cos(alpha) / 2, 1e-13);
}

/// The equations in the angles a and b of the rods, which are textbook matter.
TEST(Catalogue, DoublePendulumMovesAsInAngles) {
  const double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.2, a = 1.1, b = -0.4, da = 0.8, db = -1.7;
  const Start start = start_of(
      "double-pendulum",
      {{"m1", m1}, {"m2", m2}, {"l1", l1}, {"l2", l2}, {"alpha1", a}, {"alpha2", b}, {"omega1", da}, {"omega2", db}});
  const double A = (m1 + m2) * l1, B = m2 * l2 * std::cos(a - b), C = l1 * std::cos(a - b), D = l2;
  const double r = -m2 * l2 * std::sin(a - b) * db * db - (m1 + m2) * g * std::sin(a);
  const double s = l1 * std::sin(a - b) * da * da - g * std::sin(b);
  const double dda = (r * D - B * s) / (A * D - B * C), ddb = (A * s - C * r) / (A * D - B * C);
  const double x1 = l1 * (std::cos(a) * dda - std::sin(a) * da * da);
  const double y1 = l1 * (std::sin(a) * dda + std::cos(a) * da * da);
  const double x2 = x1 + l2 * (std::cos(b) * ddb - std::sin(b) * db * db);
  const double y2 = y1 + l2 * (std::sin(b) * ddb + std::cos(b) * db * db);
  expect_near(start.continuous.accelerations, {x1, y1, x2, y2}, 1e-12);
}

/// One degree of freedom: with T = I(phi)/2 phi'^2, I phi'' + I'(phi)/2 phi'^2 + V'(phi) = 0.
TEST(Catalogue, SliderCrankMovesAsWithOneCoordinate) {
  const Start start = start_of("slider-crank");
  const double r = 0.1, l = 0.3, c = l / 2, J = 0.02, crank = 0.5, rod = 0.4, slider = 0.6, rate = 10;
  const auto inertia_and_potential = [&](double phi) {
    const double psi = -std::asin(r / l * std::sin(phi)), psi1 = -r * std::cos(phi) / (l * std::cos(psi));
    const double x1 = -r * std::sin(phi) - c * std::sin(psi) * psi1, y1 = -(l - c) * std::cos(psi) * psi1;
    const double s1 = -r * std::sin(phi) - l * std::sin(psi) * psi1;
    const double inertia = J + rod * (x1 * x1 + y1 * y1 + l * l / 12 * psi1 * psi1) + slider * s1 * s1;
    return std::pair{inertia, g * (crank * r / 2 * std::sin(phi) - rod * (l - c) * std::sin(psi))};
  };
  const double phi = std::atan(1.0), h = 1e-3;
  const auto slope = [&](auto value) {
    const auto at = [&](double k) { return value(inertia_and_potential(phi + k * h)); };
    return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
  };
  const double inertia = inertia_and_potential(phi).first;
  const double inertia1 = slope([](const std::pair<double, double>& p) { return p.first; });
  const double potential1 = slope([](const std::pair<double, double>& p) { return p.second; });
  EXPECT_EQ(start.state.v[0], rate);
  EXPECT_NEAR(start.continuous.accelerations[0], -(inertia1 / 2 * rate * rate + potential1) / inertia, 1e-8);
  EXPECT_NEAR(start.continuous.energy, inertia / 2 * rate * rate + inertia_and_potential(phi).second, 1e-14);
}

TEST(Catalogue, RollingWheelGoesRoundAtASteadyLean) {
  const double R = 0.5, C = R * R / 2, A = C / 2, lean = 0.3, yaw = -2;
  const double sine = std::sin(lean), cosine = std::cos(lean);
  const double W = (A * yaw * yaw * sine * cosine - g * R * sine) / ((C + R * R) * yaw * cosine);
  const Start start =
      start_of("rolling-wheel", {{"lean0", lean}, {"yaw_rate", yaw}, {"lean_rate", 0}, {"spin_rate", W - yaw * sine}});
  // The centre goes round with the speed R W: nothing but the acceleration towards the middle of its circle.
  expect_near(start.continuous.accelerations, {0, R * W * yaw, 0, 0, 0, 0}, 1e-14);
  EXPECT_NEAR(start.continuous.multipliers[2], g, 1e-14);
  EXPECT_NEAR(start.continuous.multipliers[1], R * W * yaw, 1e-14);
}

TEST(Catalogue, BallGoesRoundInItsBowl) {
  const double r = 0.05, D = 0.45, alpha = 0.9, w = 15;  // per mass: I = 2/5 r^2
  const double a = 7.0 / 5 * D * std::cos(alpha), b = 2.0 / 5 * r * w;
  const double rate = (b + std::sqrt(b * b + 4 * a * g)) / (2 * a);
  const Start start = start_of("rolling-ball-in-bowl", {{"alpha", alpha}, {"w", w}, {"Omega", rate}});
  const std::vector<double>& v = start.state.v;
  // Everything is carried round the vertical: the angular velocity too.
  expect_near(start.continuous.accelerations, {-rate * rate * D * std::sin(alpha), 0, 0, 0, rate * v[3], 0}, 2e-12);
}

/// With the centre of mass above the axle each wheel settles at its own rate, tau/c.
TEST(Catalogue, DifferentialDriveReachesTheRatesOfItsMotors) {
  System system = catalogue_system("differential-drive");
  const std::vector<double> parameters = system.parameter_values({{"a", 0}});
  const double left = 10, right = 12, r = 0.1, b = 0.2, d = 0.25, e = 0.03, r_c = 0.04;
  const double u = r * (left + right) / 2, theta = r * (right - left) / (2 * b);
  // The swivel s of steady motion: u sin(s) + d theta' cos(s) + e theta' = 0.
  const double s = std::asin(-e * theta / std::hypot(u, d * theta)) - std::atan2(d * theta, u);
  const InitialState state{
      0, {0, 0, 0, 0, 0, s, 0}, {u, 0, theta, left, right, 0, (u * std::cos(s) - d * theta * std::sin(s)) / r_c}, {}};
  const Continuous continuous(system, parameters);
  continuous.require_consistent(state);
  std::vector<Problem> problems;
  expect_near(continuous.evaluate(state, problems).accelerations, {0, u * theta, 0, 0, 0, 0, 0}, 1e-13);
}

TEST(Catalogue, KnifeEdgePendulumSwingsAlongAndAcross) {
  const Start turning = start_of("knife-edge-pendulum", {{"a", 0}});
  EXPECT_EQ(turning.continuous.accelerations[2], 0);
  // The bob a little aside of a sledge at rest, along its edge and across.
  const double small = 1e-7;
  for (const auto& [beta, bob, sledge] : {std::tuple{0.0, 3, 0}, {std::atan(1.0) * 2, 4, 1}}) {
    const Start start = start_of("knife-edge-pendulum",
                                 {{"a", 0}, {"u0", 0}, {"spin0", 0}, {"Omega", 0}, {"alpha", small}, {"beta", beta}});
    const std::vector<double>& a = start.continuous.accelerations;
    const double square = -(a[static_cast<std::size_t>(bob)] - a[static_cast<std::size_t>(sledge)]) / small;
    EXPECT_NEAR(square, beta == 0 ? 1.5 * g : g, 1e-8);
  }
}

}  // namespace
}  // namespace noslip

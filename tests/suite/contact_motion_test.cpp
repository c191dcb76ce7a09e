// Motions of the systems that stand on the ground or are closed by pins, beside the same motions in other coordinates,
// closed forms, and numbers of an independent program.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

using testing::options;

Trajectory run(const std::string& name, const std::string& method, double step, double until,
               const std::map<std::string, double>& set = {}) {
  RunOptions o = options(method, step, std::lround(until / step));
  o.set = set;
  Trajectory trajectory = integrate(catalogue_system(name), o);
  EXPECT_EQ(trajectory.outcome.status, Status::done) << trajectory.outcome.message;
  return trajectory;
}

/// The wheel of the catalogue in the coordinates of its point of contact, which needs no position constraint. The
/// centre is at (X + R sin(lean) sin(yaw), Y - R sin(lean) cos(yaw), R cos(lean)).
System wheel_on_its_point_of_contact() {
  return System::parse(R"toml(
    coordinates = ["X", "Y", "yaw", "lean", "spin"]
    lagrangian  = """m/2*(forward^2 + across^2 + (R*lean'*sin(lean))^2) + A/2*(lean'^2 + (yaw'*cos(lean))^2)
                   + C/2*(spin' + yaw'*sin(lean))^2 - m*g*R*cos(lean)"""
    constraints = ["X' = R*spin'*cos(yaw)", "Y' = R*spin'*sin(yaw)"]
    [parameters]
    m = 1
    g = 9.81
    R = 0.5
    C = "m*R^2/2"
    A = "C/2"
    [definitions]
    forward = "X'*cos(yaw) + Y'*sin(yaw) + R*yaw'*sin(lean)"
    across  = "Y'*cos(yaw) - X'*sin(yaw) - R*lean'*cos(lean)"
    [initial]
    q = { Y = "R*sin(0.2)", lean = 0.2 }
    v = { X = "5*R", yaw = -0.5, lean = 0.5, spin = 5 })toml");
}

TEST(ContactMotion, WheelInTwoSetsOfCoordinates) {
  const Trajectory centre = run("rolling-wheel", "gauss:5", 0.01, 4);
  const Trajectory contact = integrate(wheel_on_its_point_of_contact(), options("gauss:5", 0.01, 400));
  const std::vector<double>&q = contact.last.q, v = contact.last.v;
  const double R = 0.5, yaw = q[2], lean = q[3];
  const std::vector<double> expected = {q[0] + R * std::sin(lean) * std::sin(yaw),
                                        q[1] - R * std::sin(lean) * std::cos(yaw),
                                        R * std::cos(lean),
                                        yaw,
                                        lean,
                                        q[4]};
  EXPECT_LT(testing::distance(centre.last.q, expected), 1e-11);
  const double forward = R * (v[4] + v[2] * std::sin(lean)), across = -R * v[3] * std::cos(lean);
  const std::vector<double> velocities = {forward * std::cos(yaw) - across * std::sin(yaw),
                                          forward * std::sin(yaw) + across * std::cos(yaw),
                                          -R * v[3] * std::sin(lean),
                                          v[2],
                                          v[3],
                                          v[4]};
  EXPECT_LT(testing::distance(centre.last.v, velocities), 1e-11);
  EXPECT_GT(std::fabs(lean), 0.01);
}

/// A wheel below the speed of stability falls out of straight running, a faster one does not.
TEST(ContactMotion, WheelStandsWhereItIsFast) {
  const double R = 0.5, C = R * R / 2, A = C / 2, g = 9.81;
  const double critical = std::sqrt(A * g * R * R * R / (C * (C + R * R)));
  const auto largest_lean = [&](double speed) {
    RunOptions o = options("gauss:3", 0.02, 400);
    o.set = {{"lean0", 0}, {"yaw_rate", 0}, {"lean_rate", 1e-6}, {"spin_rate", speed / R}};
    o.every = 1;
    double largest = 0;
    for (const Sample& sample : integrate(catalogue_system("rolling-wheel"), o).samples) {
      largest = std::max(largest, std::fabs(sample.q[4]));
    }
    return largest;
  };
  EXPECT_GT(largest_lean(0.9 * critical), 0.1);
  EXPECT_LT(largest_lean(1.1 * critical), 1e-6);
}

TEST(ContactMotion, PendulumAndBallGoRoundOnCircles) {
  const double g = 9.81, t = 2;
  {
    const double alpha = 1, rate = std::sqrt(g / std::cos(alpha));
    const Sample end = run("spherical-pendulum", "gauss:4", 0.01, t, {{"alpha", alpha}, {"Omega", rate}}).last;
    const double r = std::sin(alpha);
    EXPECT_LT(testing::distance(end.q, {r * std::cos(rate * t), r * std::sin(rate * t), -std::cos(alpha)}), 1e-12);
  }
  const double D = 0.45, alpha = 0.9, w = 15, a = 7.0 / 5 * D * std::cos(alpha), b = 2.0 / 5 * 0.05 * w;
  const double rate = (b + std::sqrt(b * b + 4 * a * g)) / (2 * a), r = D * std::sin(alpha);
  const Trajectory ball =
      run("rolling-ball-in-bowl", "gauss:4", 0.01, t, {{"alpha", alpha}, {"w", w}, {"Omega", rate}});
  const std::vector<double> centre(ball.last.q.begin(), ball.last.q.begin() + 3);
  EXPECT_LT(testing::distance(centre, {r * std::cos(rate * t), r * std::sin(rate * t), -D * std::cos(alpha)}), 1e-12);
  EXPECT_NEAR(ball.invariants[0].final, w, 1e-11);
}

TEST(ContactMotion, DoublePendulumInAngles) {
  const System angles = System::parse(R"toml(
    coordinates = ["a", "b"]
    lagrangian  = "a'^2 + b'^2/2 + a'*b'*cos(a - b) + 2*g*cos(a) + g*cos(b)"
    [parameters]
    g = 9.81
    [initial]
    q = ["2*pi/3", "pi/2"])toml");
  const Trajectory expected = integrate(angles, options("gauss:5", 0.005, 400));
  const Trajectory cartesian = run("double-pendulum", "gauss:5", 0.005, 2);
  const double a = expected.last.q[0], b = expected.last.q[1], x = std::sin(a), y = -std::cos(a);
  EXPECT_LT(testing::distance(cartesian.last.q, {x, y, x + std::sin(b), y - std::cos(b)}), 1e-11);
}

TEST(ContactMotion, CrankTurnsAndTheSliderFollows) {
  const Trajectory crank = run("slider-crank", "gauss:4", 0.005, 3);
  const double r = 0.1, l = 0.3, phi = crank.last.q[0], psi = -std::asin(r / l * std::sin(phi));
  EXPECT_GT(phi, 25);
  EXPECT_NEAR(crank.last.q[3], psi, 1e-14);
  EXPECT_NEAR(crank.last.q[4], r * std::cos(phi) + l * std::cos(psi), 1e-14);
  EXPECT_LT(crank.energy.max_abs_error, 1e-11);
}

/// From a program that differentiates and integrates in other ways (forward differentiation in dual numbers of second
/// order, reduction of the index, extrapolation to order 14).
TEST(ContactMotion, BicycleAndRobotAsElsewhere) {
  const Sample bicycle = run("bicycle", "gauss:4", 0.01, 1).last;
  EXPECT_LT(testing::distance(bicycle.q, {4.545995288076912, 0.7759743483639641, -0.29974425879213695,
                                          0.2947919935285113, -0.041293869717845585, -0.00014098212317998325,
                                          -0.03998848700254376, -15.469912391194956, -13.31194671397116}),
            1e-11);
  EXPECT_LT(testing::distance(bicycle.v, {4.438920887572633, 1.281700421239226, 0.002614419094852131,
                                          -0.19645092645598836, -0.211101734256519, -0.0019027341270671766,
                                          -0.322404010181518, -15.405619396455133, -13.218738685714134}),
            1e-11);
  const Sample robot = run("differential-drive", "gauss:4", 0.01, 2).last;
  EXPECT_LT(testing::distance(robot.q, {1.0780108416674212, 0.2599362377915306, 0.4240294856721419, 10.322247964707028,
                                        12.018365907395664, -0.07916766989747034, 27.45026907035642}),
            1e-10);
}

/// The push dies out within its stable speeds, and its energy goes into forward motion.
TEST(ContactMotion, BicycleRightsItselfAndGetsFaster) {
  const Trajectory ride = run("bicycle", "gauss:2", 0.01, 40);
  const std::vector<double>&q = ride.last.q, v = ride.last.v;
  EXPECT_LT(std::fabs(q[4]) + std::fabs(q[6]) + std::fabs(v[4]) + std::fabs(v[6]), 1e-4);
  const double upright = 9.81 * (2 * 0.3 + 85 * 0.9 + 4 * 0.7 + 3 * 0.35);
  const double mass = 94 + 0.12 / (0.3 * 0.3) + 0.28 / (0.35 * 0.35);
  const double speed = std::sqrt(2 * (ride.energy.initial - upright) / mass);
  // The paper prints M_11 = 80.81722, the inertia about the line between the contacts.
  EXPECT_NEAR(speed, std::sqrt(4.6 * 4.6 + 80.81722 * 0.25 / mass), 1e-8);
  EXPECT_NEAR(std::hypot(v[0], v[1]), speed, 1e-6);
  EXPECT_LT(ride.energy.max_abs_error, 1e-6);
  EXPECT_LT(ride.constraints.max_abs, 1e-13);
}

}  // namespace
}  // namespace noslip

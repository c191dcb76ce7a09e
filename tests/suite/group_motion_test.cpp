// Motions of the systems on groups: states that are known, what they keep, and the closed forms in their descriptions.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/run/converge.hpp>
#include <noslip/run/row_reader.hpp>

#include "suite/group_states.hpp"
#include "suite/members.hpp"

namespace noslip {
namespace {

using testing::GroupState;
using testing::options;
using Settings = std::map<std::string, double>;

Trajectory run(const std::string& system, const std::string& method, double step, long long steps,
               const Settings& set = {}, long long every = 0) {
  RunOptions o = options(method, step, steps);
  o.set = set;
  o.every = every;
  Settings given = set;
  Trajectory result = integrate(catalogue_system(system, given), o);
  EXPECT_EQ(result.outcome.status, Status::done) << system << ": " << result.outcome.message;
  return result;
}

double distance(const Sample& end, const GroupState& expected) {
  double result = 0;
  EXPECT_EQ(end.q.size(), expected.q.size());
  EXPECT_EQ(end.v.size(), expected.v.size());
  for (std::size_t i = 0; i < end.q.size(); ++i) result = std::fmax(result, std::fabs(end.q[i] - expected.q[i]));
  for (std::size_t i = 0; i < end.v.size(); ++i) result = std::fmax(result, std::fabs(end.v[i] - expected.v[i]));
  return result;
}

/// Spin and drift are constant with equal moments of inertia alone.
void expect_kept(const GroupState& motion, const Trajectory& end) {
  const bool is_symmetric = !motion.set.contains("J2") && !motion.set.contains("b");
  for (const Monitored& one : end.invariants) {
    const bool is_special = one.name == "spin" || one.name == "x_drift" || one.name == "y_drift";
    const std::string name = end.about.system + ", " + end.about.method + ": " + one.name;
    if (is_symmetric || !is_special) {
      EXPECT_LT(one.max_abs_error, 1e-12 * std::fmax(1, std::fabs(one.initial))) << name;
    } else {
      EXPECT_GT(one.max_abs_error, 1e-3) << name;
    }
  }
  EXPECT_LT(end.constraints.max_abs, 1e-14) << end.about.system;
}

TEST(GroupMotion, BodiesAreWhereTheyShouldBeAndKeepWhatTheyShould) {
  for (const GroupState& expected : testing::group_states()) {
    const auto steps = std::llround(expected.t / expected.step);
    const Trajectory gauss = run(expected.system, "gauss:4", expected.step, steps, expected.set);
    EXPECT_LT(distance(gauss.last, expected), 1e-11) << expected.system;
    EXPECT_LT(gauss.balance.max_abs_error, 1e-12) << expected.system;
    expect_kept(expected, gauss);
    const Trajectory lobatto = run(expected.system, "nh-lobatto:4", expected.step / 2, 2 * steps, expected.set);
    EXPECT_LT(distance(lobatto.last, expected), 1e-10) << expected.system;
    EXPECT_LT(lobatto.balance.max_abs_error, 1e-11) << expected.system;
    expect_kept(expected, lobatto);
  }
}

/// Coordinates and velocities by name, for readers of the tests below.
double value(const Trajectory& of, const Sample& at, const std::string& name) {
  for (const Column& column : of.about.columns) {
    if (column.kind <= ColumnKind::velocity && column.key == name) return value_of(column, at);
  }
  ADD_FAILURE() << name;
  return 0;
}

TEST(GroupMotion, TheUnicycleHasASolution) {
  const Settings set = {{"m", 1.3}, {"k", 0.7}, {"theta0", 2}, {"u0", -0.4}, {"rate0", 0.6}};
  EXPECT_LT(run("unicycle-spring", "gauss:4", 0.1, 200, set).error_at_end, 1e-11);

  // With velocities of the body and multipliers it is what orders are measured from.
  ConvergeOptions study;
  study.methods = {"nh-lobatto:3"};
  study.steps = {0.1, 0.05, 0.025};
  study.until = 2;
  study.set = set;
  const System system = catalogue_system("unicycle-spring");
  const Convergence orders = converge(system, system.initial_state(system.parameter_values(set)), study);
  EXPECT_TRUE(orders.reference.is_exact);
  EXPECT_NEAR(orders.results[0].order.q, 4, 0.1);
  EXPECT_NEAR(orders.results[0].order.v, 4, 0.1);
  EXPECT_NEAR(orders.results[0].order.multipliers, 2, 0.1);
}

TEST(GroupMotion, TheCentreOfTheBallGoesRoundOnACircle) {
  const double a = 0.7, Omega = 1.2, turn = 2 * std::acos(-1.0) * (1 + a) / (a * Omega);
  const Settings printed = {{"a", a}, {"Omega", Omega}, {"r", 0.8}};
  EXPECT_LT(run("turntable-ball", "gauss:4", turn / 200, 77, printed).error_at_end, 1e-12);
  const Settings rolling = {{"J1", a * 0.64}, {"J2", a * 0.64}, {"J3", a * 0.64}, {"Omega", Omega}, {"r", 0.8}};
  for (const auto& [name, set] : {std::pair{"turntable-ball", printed}, {"turntable-ball-spatial", rolling}}) {
    const Trajectory round = run(name, "gauss:4", turn / 200, 200, set, 200);
    for (const char* what : {"x", "y"}) {
      EXPECT_NEAR(value(round, round.last, what), value(round, round.samples.front(), what), 1e-11) << name;
    }
    EXPECT_NEAR(round.last.v[3], round.samples.front().v[3], 1e-11) << name;
  }
}

TEST(GroupMotion, TheSleighIsTheSleigh) {
  const Settings set = {{"a", 0.7}, {"J", 1.3}, {"g", 0.3}};
  const Trajectory group = run("chaplygin-sleigh-se2", "gauss:4", 0.05, 200, set);
  const Trajectory plain = run("sleigh", "gauss:4", 0.05, 200, set);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(group.last.q[i], plain.last.q[i], 1e-11);
  EXPECT_NEAR(group.last.v[0],
              std::cos(plain.last.q[2]) * plain.last.v[0] + std::sin(plain.last.q[2]) * plain.last.v[1], 1e-11);
  EXPECT_NEAR(group.last.multipliers[0], plain.last.multipliers[0], 1e-10);
}

TEST(GroupMotion, TheCoinIsTheWheel) {
  const Settings start = {{"lean0", -0.3}, {"yaw_rate", 0.8}, {"lean_rate", -0.4}, {"spin_rate", 6}, {"m", 1.4}};
  Settings coin_start = start, wheel_start = start;
  coin_start["r"] = wheel_start["R"] = 0.6;
  const Trajectory coin = run("rolling-coin-so3", "gauss:4", 0.02, 100, coin_start);
  const Trajectory wheel = run("rolling-wheel", "gauss:4", 0.02, 100, wheel_start);
  for (const char* name : {"x", "y"}) {
    EXPECT_NEAR(value(coin, coin.last, name), value(wheel, wheel.last, name), 1e-10) << name;
  }
  EXPECT_NEAR(value(coin, coin.last, "R33"), std::sin(value(wheel, wheel.last, "lean")), 1e-11);
  EXPECT_NEAR(coin.last.energy, wheel.last.energy, 1e-11);
}

/// sin(phi - phi0) = tanh(k t + const), and in the end the other steady rotation.
TEST(GroupMotion, SuslovGoesFromOneRotationToTheOther) {
  const double I11 = 1, I22 = 2, I13 = 0.3, I23 = 0.4, E = (1 + 2 * 0.0625) / 2;
  const double k = std::sqrt(2 * E * (I13 * I13 / I11 + I23 * I23 / I22) / (I11 * I22));
  const double phi0 = std::atan2(I23 * std::sqrt(I11), I13 * std::sqrt(I22));
  const double start = std::sin(std::atan2(0.25 * std::sqrt(I22), std::sqrt(I11)) - phi0);
  for (const double t : {2.0, 5.0, 20.0}) {
    const Trajectory end = run("suslov-so3", "gauss:4", 0.05, std::llround(t / 0.05));
    const double phi = phi0 + std::asin(std::tanh(k * t + std::atanh(start)));
    EXPECT_NEAR(end.last.v[0], std::sqrt(2 * E / I11) * std::cos(phi), 1e-11) << t;
    EXPECT_NEAR(end.last.v[1], std::sqrt(2 * E / I22) * std::sin(phi), 1e-11) << t;
  }
  const Trajectory late = run("suslov-so3", "gauss:4", 0.05, 2400);
  EXPECT_NEAR(I13 * late.last.v[0] + I23 * late.last.v[1], 0, 1e-10);
}

/// w1^2 - w2^2 + ... of Kovalevskaya, with the axes in the order of this top: J2 = J3 = 2 J1, the centre on the third.
TEST(GroupMotion, KovalevskayasTopHasAnIntegralOfDegreeFour) {
  const double J1 = 0.1, c = 9.81 * 0.5 / J1;
  const Trajectory end = run("heavy-top", "gauss:4", 0.005, 400,
                             {{"J1", J1}, {"J2", 2 * J1}, {"J3", 2 * J1}, {"spin0", 3}, {"precession", 2}}, 10);
  std::vector<double> integral;
  for (const Sample& s : end.samples) {
    const double w2 = s.v[1], w3 = s.v[2], gamma2 = s.q[7], gamma3 = s.q[8];
    integral.push_back(std::pow(w3 * w3 - w2 * w2 - c * gamma3, 2) + std::pow(2 * w2 * w3 - c * gamma2, 2));
  }
  const auto [least, most] = std::minmax_element(integral.begin(), integral.end());
  EXPECT_LT(*most - *least, 1e-10 * *most);
}

TEST(GroupMotion, LagrangesTopSleepsWhenItIsFast) {
  // (J3 w3)^2 > 4 J1 m g l is w3 > 3.84
  for (const auto& [spin, sleeps] : {std::pair{4.2, true}, {3.5, false}}) {
    const Trajectory end = run("heavy-top", "gauss:3", 0.05, 800, {{"tilt0", 1e-3}, {"spin0", spin}}, 1);
    double least = 1;
    for (const Sample& s : end.samples) least = std::fmin(least, value(end, s, "R33"));
    EXPECT_EQ(least > 1 - 1e-5, sleeps) << spin;
  }
}

TEST(GroupMotion, TheRigidBodyTurnsOver) {
  const Trajectory end = run("rigid-body", "gauss:3", 0.1, 1000, {}, 1);
  int turns = 0;
  for (std::size_t i = 1; i < end.samples.size(); ++i) turns += end.samples[i].v[1] * end.samples[i - 1].v[1] < 0;
  EXPECT_GT(turns, 5);
}

TEST(GroupMotion, TheRattlebackReversesOnlyTheWrongSpin) {
  for (const auto& [spin, end_spin] : {std::pair{-0.2, 0.2}, {0.2, 0.2}}) {
    const Trajectory end = run("rattleback", "gauss:4", 0.02, 4500, {{"spin", spin}});
    EXPECT_NEAR(end.last.v[2], end_spin, 0.01) << spin;
    EXPECT_LT(end.energy.max_abs_error, 1e-8 * end.energy.initial) << spin;
  }
}

}  // namespace
}  // namespace noslip

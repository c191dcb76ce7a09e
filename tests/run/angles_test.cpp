// Angles: kept near zero for the steps, continuous for everybody else.
#include <limits>

#include <gtest/gtest.h>

#include <noslip/run/converge.hpp>
#include <noslip/run/lane_stepper.hpp>

#include "run/help.hpp"
#include "run/setup.hpp"

namespace noslip {
namespace {

using testing::distance;
using testing::options;

constexpr double two_pi = 6.283185307179586;

/// A text with `angles` or without.
System parsed(const std::string& text, const std::string& angles) {
  return System::parse((angles.empty() ? "" : "angles = " + angles + "\n") + text);
}

/// A pendulum on a skate: the skate's heading and the pendulum turn round.
System rotating(bool has_angles) {
  return parsed(R"toml(
    coordinates = ["x", "y", "phi", "a"]
    lagrangian  = "(x'^2 + y'^2 + phi'^2)/2 + (2 + cos(a))*a'^2/4 + x + cos(a - phi)"
    constraints = ["cos(phi)*y' = sin(phi)*x'"]
    [invariants]
    heading = "cos(phi)"
    [initial]
    q = { a = 1 }
    v = { phi = 3, a = -4 }
  )toml",
                has_angles ? "['a', 'phi']" : "");
}

System rotor(const std::string& angles, const std::string& more = "") {
  return parsed("coordinates = ['theta']\nlagrangian = \"theta'^2/2\"\n" + more, angles);
}

TEST(FullTurn, HasTwiceTheDigits) {
  const FullTurn<double> turn;
  EXPECT_EQ(turn.high, two_pi);
  EXPECT_DOUBLE_EQ(turn.low, 2.4492935982947064e-16);
  const FullTurn<long double> longer;
  const FullTurn<quad> longest;
  const auto difference = [](quad a, quad b) { return std::fabs(static_cast<double>(a - b)); };
  EXPECT_LT(difference(quad(turn.high) + quad(turn.low), longest.high), 2e-32);
  EXPECT_LT(difference(quad(longer.high) + quad(longer.low), longest.high), 2e-33);
  EXPECT_NEAR(static_cast<double>(longest.low), 1.7343620260247562e-34, 1e-49);
}

template <class T>
class EveryPrecision : public ::testing::Test {};
using Scalars = ::testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(EveryPrecision, Scalars);

TYPED_TEST(EveryPrecision, FoldingLosesNothing) {
  using T = TypeParam;
  const int angles[] = {1};
  const double unit = std::is_same_v<T, quad> ? 1e-34 : static_cast<double>(std::numeric_limits<T>::epsilon());
  for (const double start : {6.3, -6.3, 100.0, -12345.678, 1e9, 3.0, -6.2}) {
    Turns<T> turns(angles, 1);
    T values[] = {T(start), T(start) / 3}, lows[] = {0, T(unit) / 7};
    const T value = values[1], low = lows[1];
    turns.fold(values, lows);
    EXPECT_EQ(values[0], T(start));  // no angle
    EXPECT_LT(std::fabs(static_cast<double>(values[1])), two_pi);
    EXPECT_LT(std::fabs(static_cast<double>(lows[1])), 8 * unit);
    EXPECT_EQ(turns.unfolded(1, 0, values[1], lows[1]), value);
    EXPECT_EQ(turns.unfolded(0, 0, values[0], lows[0]), values[0]);
    if (std::fabs(start / 3) <= two_pi) {
      EXPECT_EQ(values[1], value);
      EXPECT_EQ(lows[1], low);
    } else {
      EXPECT_LT(std::fabs(static_cast<double>(values[1])), two_pi / 2 + 1e-6);
    }
    turns.reset(0);
    EXPECT_EQ(turns.unfolded(1, 0, values[1], lows[1]), values[1]);
  }
}

TEST(Folding, IsExactToTwiceTheDigits) {
  const int angles[] = {0};
  const FullTurn<quad> turn;
  for (const double start : {6.4, 50.0, -777.7, 123456.0, -1e8}) {
    Turns<double> turns(angles, 1);
    double value = start, low = 3e-17;
    turns.fold(&value, &low);
    const quad difference = quad(start) + quad(3e-17) - quad(value) - quad(low);
    const double count = std::round(static_cast<double>(difference / turn.high));
    EXPECT_LE(std::fabs(value), two_pi / 2 + 1e-9);
    // Half a unit of what is half a unit of the start, several times.
    EXPECT_LT(std::fabs(static_cast<double>(difference - quad(count) * turn.high)), 5e-32 * std::fabs(start));
  }
}

TEST(Folding, LeavesAloneWhatIsNoAngleAnyMore) {
  const int angles[] = {0};
  Turns<double> turns(angles, 1);
  for (const double start : {1e300, -std::numeric_limits<double>::infinity()}) {
    double value = start, low = 0;
    turns.fold(&value, &low);
    EXPECT_EQ(value, start);
    EXPECT_EQ(turns.unfolded(0, 0, value, low), start);
  }
}

TEST(Angles, AFreeRotorIsRightAfterAMillionSteps) {
  for (const char* method : {"mp", "gauss:2"}) {
    for (const double omega : {1.0, -3.7, 100.0}) {  // 100 / 8 are two turns in a step
      const System system = rotor("['theta']");
      RunOptions o = options(method, 0.125, 125000);
      RunSetup<double> setup(system, nullptr, o, 1, 0);
      setup.stepper->set_state(0, std::vector<double>{0.5, omega});
      ASSERT_EQ(setup.stepper->advance(0, 0.125, 0, 1000000), 1000000);
      const double expected = 0.5 + omega * 125000;
      EXPECT_NEAR(setup.stepper->state(0, 0), expected, 3e-16 * std::fabs(expected)) << method;
      EXPECT_EQ(setup.stepper->state(0, 1), omega);
      std::vector<double> seen(2);
      setup.stepper->copy_folded_state(0, seen);
      EXPECT_LE(std::fabs(seen[0]), two_pi);
    }
  }
}

TEST(Angles, AFreeRotorInEveryPrecision) {
  const System system = rotor("['theta']", "[initial]\nq = ['1/3']\nv = ['-7/3']\n[exact]\ntheta = '1/3 - 7*t/3'\n");
  for (const Precision precision : {Precision::double_precision, Precision::long_double, Precision::quadruple}) {
    RunOptions o = options("gauss:1", 0.5, 5000);
    o.precision = precision;
    const Trajectory run = integrate(system, o);
    const double unit = precision == Precision::quadruple ? 1e-33 : precision == Precision::long_double ? 1e-19 : 2e-16;
    EXPECT_LT(run.error_at_end, 12000 * unit) << to_text(run.about.precision);
    EXPECT_NEAR(run.last.q[0], (1 - 7 * 5000.0) / 3, 3e-12);
  }
}

TEST(Angles, TheMotionIsTheSame) {
  for (const char* method : {"gauss:1", "gauss:3", "lobatto-ab:3", "lobatto-abd:2", "euler-a", "mp", "mp:4", "cm",
                             "nh-lobatto:3", "srk-gauss:2", "rk-radau-iia:2", "spark-lobatto:3"}) {
    RunOptions o = options(method, 0.05, 10);
    o.every = 1;
    const Trajectory folded = integrate(rotating(true), o), plain = integrate(rotating(false), o);
    ASSERT_EQ(folded.outcome.status, Status::done) << method;
    ASSERT_EQ(folded.samples.size(), plain.samples.size());
    EXPECT_GT(folded.last.q[2], 2 * two_pi);
    EXPECT_LT(folded.last.q[3], -4 * two_pi);
    for (std::size_t i = 0; i < folded.samples.size(); ++i) {
      const Sample &a = folded.samples[i], &b = plain.samples[i];
      EXPECT_LT(distance(a.q, b.q), 2e-12) << method << " at " << a.t;
      EXPECT_LT(distance(a.v, b.v), 2e-12) << method << " at " << a.t;
      EXPECT_LT(distance(a.multipliers, b.multipliers), 1e-9) << method << " at " << a.t;
      // Until something turns over there is no difference at all.
      if (std::fabs(b.q[2]) < two_pi && std::fabs(b.q[3]) < two_pi) {
        EXPECT_EQ(a.q, b.q) << method;
      }
    }
    EXPECT_NEAR(folded.energy.max_abs_error, plain.energy.max_abs_error, 1e-12) << method;
    EXPECT_NEAR(folded.invariants[0].final, std::cos(folded.last.q[2]), 1e-14);
    if (plain.constraints.max_abs < 1e-14) {
      EXPECT_LT(folded.constraints.max_abs, 2e-15) << method;
    }
  }
}

TEST(Angles, DigitsAreKeptWhereAnglesAreLarge) {
  const auto pendulum = [](const std::string& angles) {
    return parsed(R"toml(
      coordinates = ["theta"]
      lagrangian  = "theta'^2/2 + cos(theta)"
      [initial]
      q = [1000000]
      v = [3]
    )toml",
                  angles);
  };
  const Trajectory folded = integrate(pendulum("['theta']"), options("gauss:6", 0.1, 500));
  const Trajectory plain = integrate(pendulum(""), options("gauss:6", 0.1, 500));
  EXPECT_LT(folded.energy.max_abs_error, 2e-14);
  EXPECT_GT(plain.energy.max_abs_error, 1e-12);
  EXPECT_NEAR(folded.last.q[0], plain.last.q[0], 1e-6);
  EXPECT_GT(folded.last.q[0], 1001000);
}

TEST(Angles, OfSkewGradientSystems) {
  const auto pendulum = [](const std::string& angles) {
    return parsed(R"toml(
      kind        = "skew-gradient"
      x           = ["p", "theta"]
      hamiltonian = "p^2/2 - cos(theta)"
      structure   = [[0, -1], [1, 0]]
      [initial]
      x = [3, 1000000]
    )toml",
                  angles);
  };
  for (const std::string method : {"gonzalez", "srk-gauss:6"}) {
    const Trajectory folded = integrate(pendulum("['theta']"), options(method, 0.1, 500));
    const Trajectory plain = integrate(pendulum(""), options(method, 0.1, 500));
    EXPECT_LT(folded.energy.max_abs_error, 2e-14) << method;
    EXPECT_GT(plain.energy.max_abs_error, 1e-12) << method;
    EXPECT_NEAR(folded.last.q[1], plain.last.q[1], 1e-6) << method;
    EXPECT_GT(folded.last.q[1], 1000100) << method;
  }
}

TEST(Angles, LanesTurnEachForItself) {
  const RunOptions o = options("gauss:2", 0.05, 1);
  const System system = rotating(true);
  RunSetup<double> one(system, nullptr, o, 1, 0), four(system, nullptr, o, 4, 0);
  const auto start = [&](int lane) {
    std::vector<double> state = four.start.state;
    state[6] = 4.0 * lane - 6;
    state[7] = 13.0 - 7 * lane;
    return state;
  };
  for (int lane = 0; lane < 4; ++lane) four.stepper->set_state(lane, start(lane));
  ASSERT_EQ(four.stepper->advance(0, 0.05, 0, 600), 600);
  for (int lane = 0; lane < 4; ++lane) {
    one.stepper->set_state(0, start(lane));  // forgets the turns of the lane before
    EXPECT_EQ(one.stepper->state(0, 2), 0);
    ASSERT_EQ(one.stepper->advance(0, 0.05, 0, 600), 600);
    std::vector<double> alone(start(lane).size()), together(alone);
    one.stepper->copy_state(0, alone);
    four.stepper->copy_state(lane, together);
    EXPECT_EQ(alone, together) << lane;
    EXPECT_GT(std::fabs(alone[2]) + std::fabs(alone[3]), two_pi);
    EXPECT_EQ(four.stepper->state(lane, 3), alone[3]);
  }
}

TEST(Angles, ACopyOfTheStateGoesOnTheSameWay) {
  const System system = rotating(true);
  const Trajectory whole = integrate(system, options("gauss:3", 0.1, 20));
  const Trajectory first = integrate(system, options("gauss:3", 0.1, 10));
  const Trajectory second = integrate(system, {10, first.last.q, first.last.v}, options("gauss:3", 0.1, 20));
  EXPECT_LT(distance(whole.last.q, second.last.q), 1e-11);
  EXPECT_GT(whole.last.q[2], 4 * two_pi);
}

TEST(Angles, ExactErrorsAreThoseOfContinuousAngles) {
  const auto skate = [](const std::string& angles, const std::string& start) {
    return parsed(R"toml(
      coordinates = ["x", "y", "phi"]
      lagrangian  = "(x'^2 + y'^2 + phi'^2)/2 + x"
      constraints = ["cos(phi)*y' = sin(phi)*x'"]
      [exact]
      x   = "sin(t)^2/2"
      y   = "t/2 - sin(2*t)/4"
      phi = "t + turns*2*pi"
      [initial]
      q = [0, 0, "turns*2*pi"]
      v = [0, 0, 1]
      [parameters]
      turns = )toml" + start,
                  angles);
  };
  const double folded = integrate(skate("['phi']", "0"), options("gauss:4", 0.1, 300)).error_at_end;
  const double plain = integrate(skate("", "0"), options("gauss:4", 0.1, 300)).error_at_end;
  EXPECT_LT(folded, 2e-11);
  EXPECT_NEAR(folded, plain, 1e-12);
  EXPECT_LT(integrate(skate("['phi']", "-7"), options("gauss:4", 0.1, 300)).error_at_end, 2e-11);
  ConvergeOptions o;
  o.methods = {"gauss:2"};
  o.steps = {0.2, 0.1, 0.05};
  o.until = 40;
  const Convergence measured = converge(skate("['phi']", "3"), o);
  ASSERT_TRUE(measured.reference.is_exact);
  EXPECT_NEAR(measured.results[0].order.q, 4, 0.1);
  EXPECT_NEAR(measured.results[0].order.v, 4, 0.1);
}

TEST(Angles, TheLastGoodStateIsContinuousToo) {
  // It turns until it comes to where the Lagrangian is not defined.
  const System system = parsed(R"toml(
    coordinates = ["x", "theta"]
    lagrangian  = "(x'^2 + theta'^2)/2 + 1e-3*log(x) + cos(theta)"
    [initial]
    q = [1, 0]
    v = [-1, 50]
  )toml",
                               "['theta']");
  RunOptions o = options("mp", 0.01, 100);
  o.every = 1;
  const Trajectory run = integrate(system, o);
  ASSERT_EQ(run.outcome.status, Status::failed);
  EXPECT_NEAR(run.last.q[1], 50 * run.last.t, 1);
  EXPECT_GT(run.last.q[1], 40);
  EXPECT_EQ(run.samples.back().q, run.last.q);
}

}  // namespace
}  // namespace noslip

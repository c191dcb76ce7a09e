// Steps that are solved loosely: how far they are from exact ones, and what becomes of the energy.
#include <cmath>

#include <gtest/gtest.h>

#include "run/setup.hpp"

namespace noslip {
namespace {

/// The contact oscillator of Hilden 2009, sec. 4.3: steps of lobatto-ab:2 are explicit when everything linear is
/// eliminated.
System oscillator() {
  return System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2 + z^2)/2"
    constraints = ["x' + y*z' = 0"]
    [initial]
    q = ["sqrt(3/2)", 1, "sqrt(1/2)"])toml");
}

const double period_in_forty = 2 * std::sin(std::acos(-1.0) / 40);

RunOptions options(const std::string& method, double step, double tolerance, long long steps) {
  RunOptions o;
  o.method = method;
  o.step = step;
  o.tolerance = tolerance;
  o.steps = steps;
  return o;
}

Trajectory run(const System& system, const std::string& method, double tolerance, long long steps) {
  return integrate(system, options(method, period_in_forty, tolerance, steps));
}

double distance(const Sample& a, const Sample& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    largest = std::max({largest, std::fabs(a.q[i] - b.q[i]), std::fabs(a.v[i] - b.v[i])});
  }
  return largest;
}

TEST(Tolerance, LetsStepsDifferByAboutThatMuch) {
  const System system = oscillator();
  for (const char* method : {"lobatto-ab:2", "lobatto-ab:3", "mp", "gauss:2", "nh-lobatto:2"}) {
    const Sample exact = run(system, method, 0, 10).last;
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-11}) {
      const Sample loose = run(system, method, tolerance, 10).last;
      EXPECT_LT(distance(loose, exact), 20 * tolerance) << method;
      EXPECT_LT(loose.max_constraint, 2 * tolerance) << method;
    }
    EXPECT_GT(distance(run(system, method, 1e-4, 10).last, exact), 1e-9) << method;
  }
}

TEST(Tolerance, IterationsEndEarlier) {
  const System system = oscillator();
  double before = 0;
  for (const double tolerance : {1e-2, 1e-5, 1e-9}) {
    const double here = run(system, "lobatto-ab:3", tolerance, 200).solver.iterations_mean;
    EXPECT_GT(here, before);
    before = here;
  }
}

TEST(Tolerance, LooseStepsDriftAndExactOnesDoNot) {
  const System system = oscillator();
  constexpr long long steps = 40000;
  const Trajectory exact = run(system, "lobatto-ab:2", 0, steps), fine = run(system, "lobatto-ab:2", 1e-12, steps),
                   loose = run(system, "lobatto-ab:2", 1e-4, steps);
  EXPECT_LT(std::fabs(exact.energy.drift_per_time), 1e-9);
  EXPECT_LT(std::fabs(fine.energy.drift_per_time), 1e-9);
  EXPECT_NEAR(fine.energy.max_abs_error, exact.energy.max_abs_error, 1e-9);
  EXPECT_GT(std::fabs(loose.energy.drift_per_time), 1e-7);
}

TEST(Tolerance, BitsOfALaneDoNotDependOnItsNeighbours) {
  const System system = oscillator();
  const RunOptions o = options("lobatto-ab:3", period_in_forty, 1e-4, 1);
  const auto start_of_lane = [](int lane) {
    const double z = 0.1 * lane;
    return std::vector<double>{std::sqrt(2 - z * z), 1, z, 0, 0, 0};
  };
  constexpr long long steps = 300;
  for (const int lanes : {4, 8}) {
    RunSetup<double> many(system, nullptr, o, lanes, 0);
    for (int lane = 0; lane < lanes; ++lane) many.stepper->set_state(lane, start_of_lane(lane));
    many.stepper->advance(0, static_cast<double>(o.step), 0, steps);
    for (int lane = 0; lane < lanes; ++lane) {
      RunSetup<double> one(system, nullptr, o, 1, 0);
      one.stepper->set_state(0, start_of_lane(lane));
      one.stepper->advance(0, static_cast<double>(o.step), 0, steps);
      std::vector<double> alone(6), together(6);
      one.stepper->copy_state(0, alone);
      many.stepper->copy_state(lane, together);
      EXPECT_EQ(alone, together) << lane << " of " << lanes;
    }
  }
}

TEST(Tolerance, HoldsWhereVelocitiesChangeTheirSize) {
  // Old factors must not bring an old size of the velocities with them: it is 1e-3 first and more than 5 in the end.
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) + 3*x"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [initial]
    v = [1e-3, 0, 1e-3])toml");
  const Trajectory exact = integrate(system, options("gauss:2", 0.02, 0, 400)),
                   loose = integrate(system, options("gauss:2", 0.02, 1e-7, 400));
  ASSERT_EQ(loose.outcome.status, Status::done);
  EXPECT_GT(std::fabs(exact.last.v[0]), 5);
  EXPECT_LT(distance(loose.last, exact.last), 1e-3);
}

}  // namespace
}  // namespace noslip

// Projection of velocities: on the constraints, nearest in the mass metric.
#include <cmath>

#include <Eigen/Dense>

#include "model/help.hpp"

namespace noslip::test {
namespace {

InitialState projected(const System& system, const InitialState& state) {
  const Continuous continuous(system, system.parameter_values());
  const InitialState result = continuous.project(state);
  continuous.require_consistent(result);
  EXPECT_EQ(result.q, state.q);
  EXPECT_EQ(result.t, state.t);
  return result;
}

std::map<std::string, double> symbols(const System& system, const InitialState& state) {
  std::map<std::string, double> result;
  result["t"] = state.t;
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    result[system.coordinates()[i]] = state.q[i];
    result[system.coordinates()[i] + "'"] = state.v[i];
  }
  const std::vector<double> values = system.parameter_values();
  for (std::size_t i = 0; i < values.size(); ++i) result[system.parameters()[i].name] = values[i];
  return result;
}

/// Largest part of M (v - v0) that is not a combination of the rows of K: zero at the nearest point.
double distance_from_stationary(const System& system, const InitialState& start, const InitialState& end) {
  const auto n = static_cast<Eigen::Index>(start.v.size());
  const auto m = static_cast<Eigen::Index>(system.constraints().size());
  Eigen::VectorXd force = Eigen::VectorXd::Zero(n);
  Eigen::MatrixXd columns(n, m);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (std::size_t j = 0; j < start.v.size(); ++j) {
      force[i] += value(system.mass()[row][j], symbols(system, start)) * (end.v[j] - start.v[j]);
    }
    for (Eigen::Index k = 0; k < m; ++k) {
      columns(i, k) = value(system.constraints()[static_cast<std::size_t>(k)].K[row], symbols(system, end));
    }
  }
  return (force - columns * columns.colPivHouseholderQr().solve(force)).cwiseAbs().maxCoeff();
}

TEST(Project, SleighIsNearestInTheMassMetric) {
  const System system = System::parse(sleigh_text);
  const InitialState start{0.0, {1, 2, 0.8}, {0.3, -1.1, 0.7}};
  const InitialState end = projected(system, start);
  EXPECT_LT(distance_from_stationary(system, start, end), 1e-14);
  EXPECT_NE(end.v[2], start.v[2]);  // the blade is off the centre of mass, so the spin changes too
}

TEST(Project, ConsistentVelocitiesStay) {
  const System system = System::parse(sleigh_text);
  const InitialState start{0.0, {1, 2, 0}, {3, 0, 0.7}};
  EXPECT_EQ(projected(system, start).v, start.v);
}

TEST(Project, AffineConstraints) {
  const System system = System::parse(
      "coordinates = ['x', 'y', 'z']\nlagrangian = \"x'^2 + 5*y'^2 + z'^2 + x'*z'*sin(y)\"\n"
      "constraints = [\"x' + y' = 2 + t\", \"z' - x*y' = 1\"]");
  const InitialState start{0.5, {1, 2, 3}, {0, 0, 0}};
  const InitialState end = projected(system, start);
  EXPECT_LT(distance_from_stationary(system, start, end), 1e-14);
  EXPECT_NEAR(end.v[0] + end.v[1], 2.5, 1e-15);
}

TEST(Project, NonlinearConstraintKnownPoint) {
  // The nearest point of a circle of radius 2, M = I.
  const System circle =
      System::parse("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"x'^2 + y'^2 = 4\"]");
  const InitialState end = projected(circle, {0.0, {0, 0}, {3, 4}});
  EXPECT_NEAR(end.v[0], 1.2, 1e-15);
  EXPECT_NEAR(end.v[1], 1.6, 1e-15);
  const InitialState from_inside = projected(circle, {0.0, {0, 0}, {0.03, 0.04}});
  EXPECT_NEAR(from_inside.v[0], 1.2, 1e-14);
  EXPECT_NEAR(from_inside.v[1], 1.6, 1e-14);
  const InitialState from_afar = projected(circle, {0.0, {0, 0}, {-300, 400}});
  EXPECT_NEAR(from_afar.v[0], -1.2, 1e-14);
  EXPECT_NEAR(from_afar.v[1], 1.6, 1e-14);
}

TEST(Project, NonlinearConstraintsInACurvedMetric) {
  const System system = System::parse(
      "coordinates = ['x', 'y', 'z']\nlagrangian = \"x'^2 + 3*y'^2 + z'^2 + x'*y'*cos(z)\"\n"
      "constraints = [\"x'^2 + y'^2 = z'^2 + 1\", \"z' = y*x'*y'\"]");
  const InitialState start{0.0, {1, 2, 0.5}, {0.9, 0.4, 0.1}};
  const InitialState end = projected(system, start);
  EXPECT_LT(distance_from_stationary(system, start, end), 1e-12);
}

TEST(Project, RefusesWhatCannotBeSatisfied) {
  const System impossible =
      System::parse("coordinates = ['x', 'y']\nlagrangian = \"x'^2 + y'^2\"\nconstraints = [\"x'^2 + y'^2 + 1 = 0\"]");
  const Continuous continuous(impossible, {});
  EXPECT_TRUE(contains(refusal([&] { continuous.project({0.0, {0, 0}, {1, 1}}); }), "no velocities that satisfy"));

  const System indefinite =
      System::parse("coordinates = ['x', 'y']\nlagrangian = \"x'*y'\"\nconstraints = [\"x' + y' = 1\"]");
  EXPECT_TRUE(contains(refusal([&] {
                         Continuous(indefinite, {}).project({0.0, {0, 0}, {0, 0}});
                       }),
                       "not positive definite"));
  const System dependent =
      System::parse("coordinates = ['x', 'y']\nlagrangian = \"x'^2 + y'^2\"\nconstraints = [\"x' = 1\", \"x' = 2\"]");
  EXPECT_TRUE(contains(refusal([&] { Continuous(dependent, {}).project({0.0, {0, 0}, {0, 0}}); }), "depends on"));
}

}  // namespace
}  // namespace noslip::test

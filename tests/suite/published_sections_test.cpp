// Poincare sections of the contact oscillator: S. K. Hilden, Numerical Methods for Nonholonomic Mechanics (2009),
// section 4.3. The map of the section is a rotation about a fixed axis: points of an orbit lie in a plane.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/run/section.hpp>

namespace noslip {
namespace {

struct Plane {
  Eigen::Vector3d normal;
  double offset = 0, distance = 0;  ///< of the farthest point
};

Plane plane_of(const SectionOrbit& orbit) {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  const auto point = [](const SectionPoint& one) {
    return Eigen::Vector3d(one.values[0], one.values[1], one.values[2]);
  };
  for (const SectionPoint& one : orbit.points) centre += point(one) / static_cast<double>(orbit.points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const SectionPoint& one : orbit.points) spread += (point(one) - centre) * (point(one) - centre).transpose();
  Plane plane;
  plane.normal = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors().col(0);
  if (plane.normal[0] < 0) plane.normal = -plane.normal;
  plane.offset = plane.normal.dot(centre);
  for (const SectionPoint& one : orbit.points) {
    plane.distance = std::max(plane.distance, std::fabs(plane.normal.dot(point(one)) - plane.offset));
  }
  return plane;
}

std::vector<Plane> planes(const std::string& method, double step, Between between, long long crossings) {
  SectionOptions options;
  options.run.method = method;
  options.run.step = step;
  options.run.between = between;
  options.event = {"y'", Crossing::down, crossings};
  options.columns = {"x", "z", "z'"};
  options.orbits.clear();
  for (const int k : {0, 3, 6, 9}) options.orbits.push_back({"", {{"z0", (-0.9 + 0.2 * k) * std::sqrt(2.0)}}, {}});
  const Section result = section(catalogue_system("contact-oscillator"), options);
  EXPECT_EQ(result.outcome.status, Status::done) << result.outcome.message;
  std::vector<Plane> all;
  for (const SectionOrbit& orbit : result.orbits) all.push_back(plane_of(orbit));
  return all;
}

TEST(ContactOscillator, SectionsArePlane) {
  const double step = 2 * std::sin(std::numbers::pi / 40);
  for (const char* method : {"mp", "lobatto-ab:2"}) {
    const std::vector<Plane> steps = planes(method, step, Between::polynomial, 2000);
    for (const Plane& plane : steps) EXPECT_LT(plane.distance, 1e-11) << method;
    // The same curves from steps that do not meet the section.
    const std::vector<Plane> inside = planes(method, 0.1, Between::step, 200);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_LT(inside[i].distance, 1e-4) << method;
      EXPECT_LT((inside[i].normal - steps[i].normal).norm(), 3e-3) << method;
      EXPECT_NEAR(inside[i].offset, steps[i].offset, 3e-3) << method;
    }
  }
  for (const Plane& plane : planes("gauss:3", 0.1, Between::polynomial, 200)) EXPECT_LT(plane.distance, 1e-7);
}

}  // namespace
}  // namespace noslip

// Poincare sections of the contact oscillator: S. K. Hilden, Numerical Methods for Nonholonomic Mechanics (2009),
// section 4.3. The map of the section is a rotation about a fixed axis: points of an orbit lie in a plane.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/run/section.hpp>

namespace noslip {
namespace {

using Point = std::array<double, 3>;

double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

struct Plane {
  Point normal{};
  double offset = 0, distance = 0;  ///< distance: of the farthest point
};

/// Points go round by equal angles: the areas between the centre and two of them that follow each other add up.
Plane plane_of(const SectionOrbit& orbit) {
  Point centre{};
  std::vector<Point> points;
  for (const SectionPoint& one : orbit.points) points.push_back({one.values[0], one.values[1], one.values[2]});
  for (const Point& point : points) {
    for (std::size_t k = 0; k < 3; ++k) centre[k] += point[k] / static_cast<double>(points.size());
  }
  Plane plane;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point a = minus(points[i - 1], centre), b = minus(points[i], centre);
    for (std::size_t k = 0; k < 3; ++k)
      plane.normal[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
  }
  const double length = std::sqrt(dot(plane.normal, plane.normal)) * (plane.normal[0] < 0 ? -1 : 1);
  for (double& component : plane.normal) component /= length;
  plane.offset = dot(plane.normal, centre);
  for (const Point& point : points) {
    plane.distance = std::max(plane.distance, std::fabs(dot(plane.normal, point) - plane.offset));
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
      const Point turn = minus(inside[i].normal, steps[i].normal);
      EXPECT_LT(std::sqrt(dot(turn, turn)), 3e-3) << method;
      EXPECT_NEAR(inside[i].offset, steps[i].offset, 3e-3) << method;
    }
  }
  for (const Plane& plane : planes("gauss:3", 0.1, Between::polynomial, 200)) EXPECT_LT(plane.distance, 1e-7);
}

}  // namespace
}  // namespace noslip

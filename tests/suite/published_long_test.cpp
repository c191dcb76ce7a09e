// Long runs of Hilden 2009: drifts that the paper reports and exact steps do not have, and the one that they have.
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

using testing::options;

/// Section 4.1. The heading turns by h omega in a step of Lobatto IIIA-B; that gives theta a rate of its own.
TEST(PublishedDisk, EnergyOfLobattoTwoIsExactAndThetaGrowsAsTheClosedFormSays) {
  const System disk = catalogue_system("rolling-disk");
  const auto closed_form = [](double h) {
    const double omega = 2, R2 = 1.0 / 16;
    return (1 + R2) / (1 + R2 * (1 + std::cos(h * omega)) / 2) - 1;
  };
  EXPECT_NEAR(closed_form(0.1) / 5.866210448144393e-4, 1, 1e-12);
  EXPECT_NEAR(closed_form(0.05) / 1.469579088058115e-4, 1, 1e-12);
  for (const double h : {0.1, 0.05}) {
    const Trajectory run = integrate(disk, options("lobatto-ab:2", h, std::lround(50 / h)));
    EXPECT_NEAR((run.last.q[3] - 50) / 50 / closed_form(h), 1, 5e-10) << h;
    EXPECT_EQ(run.energy.max_abs_error, 0.0) << h;
    const Trajectory longer = integrate(disk, options("lobatto-ab:2", h, std::lround(1000 / h)));
    EXPECT_NEAR(longer.last.q[3] - 1000, h == 0.1 ? 0.5866 : 0.1470, 5e-5) << h;
  }
}

TEST(PublishedDisk, OtherMethods) {
  const System disk = catalogue_system("rolling-disk");
  RunOptions o = options("mp", 0.1, 500);
  double theta = 0, x = 0, y = 0;
  o.every = 1;
  o.sink = [&](const Sample& sample) {
    theta = std::max(theta, std::fabs(sample.q[3] - sample.t));
    x = std::max(x, std::fabs(sample.q[0] - std::sin(2 * sample.t) / 8));
    y = std::max(y, std::fabs(sample.q[1] - (1 - std::cos(2 * sample.t)) / 8));
  };
  integrate(disk, o);
  EXPECT_LE(theta, 4e-13);
  EXPECT_NEAR(x, 4.2e-4, 0.05e-4);
  EXPECT_NEAR(y, 8.3e-4, 0.05e-4);
  const auto slope = [&](const char* method) {
    return (integrate(disk, options(method, 0.1, 500)).last.q[3] - 50) / 50;
  };
  EXPECT_NEAR(slope("lobatto-ab:3"), 4.89e-7, 0.005e-7);
  EXPECT_NEAR(slope("gauss:2"), 1.09e-7, 0.005e-7);
}

/// Sections 4.3 and 4.4: 8000 periods of y on ten orbits of one energy.
struct Orbits {
  const char* method;
  double all_steps[10];   ///< largest energy error
  double at_section[10];  ///< after whole periods only; zero: not known
  bool mean_is_known;     ///< the mean over a tenth of the periods moves by less than 1.5e-6
};

using Point = std::array<double, 3>;

Point difference(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Largest distance from the plane through the first point and two others that are far apart.
double distance_from_a_plane(const std::vector<Point>& points) {
  Point normal = {};
  for (std::size_t i = 1; i < 40; ++i) {
    for (std::size_t j = 1; j < i; ++j) {
      const Point here = cross(difference(points[i], points[0]), difference(points[j], points[0]));
      if (dot(here, here) > dot(normal, normal)) normal = here;
    }
  }
  double largest = 0;
  for (const Point& point : points) largest = std::max(largest, std::fabs(dot(difference(point, points[0]), normal)));
  return largest / std::sqrt(dot(normal, normal));
}

class PublishedOrbits : public ::testing::TestWithParam<Orbits> {};

TEST_P(PublishedOrbits, EnergyErrorsAreBoundedAndDoNotDrift) {
  const System oscillator = catalogue_system("contact-oscillator");
  const int periods = 8000, tenth = periods / 10;
  for (int k = 0; k < 10; ++k) {
    RunOptions o = options(GetParam().method, 2 * std::sin(std::numbers::pi / 40), 40LL * periods);
    o.set = {{"z0", (-0.9 + 0.2 * k) * std::numbers::sqrt2}};
    o.every = 40;
    std::vector<double> errors;
    std::vector<Point> section;
    double y = 0;
    o.sink = [&](const Sample& sample) {
      errors.push_back(sample.energy - 1.5);
      section.push_back({sample.q[0], sample.q[2], sample.v[2]});
      y = std::max(y, std::fabs(sample.q[1] - 1));
    };
    const Trajectory run = integrate(oscillator, o);
    ASSERT_EQ(run.outcome.status, Status::done) << run.outcome.message;
    ASSERT_EQ(errors.size(), periods + 1U);
    EXPECT_NEAR(run.energy.max_abs_error / GetParam().all_steps[k], 1, 1.5e-3) << "orbit " << k;
    const auto largest = [&](int first, int count) {
      double size = 0;
      for (int i = first; i < first + count; ++i) size = std::max(size, std::fabs(errors[i]));
      return size;
    };
    const auto mean = [&](int first) {
      double sum = 0;
      for (int i = first; i < first + tenth; ++i) sum += errors[i];
      return sum / tenth;
    };
    if (GetParam().at_section[k] > 0) {
      EXPECT_NEAR(largest(0, periods + 1) / GetParam().at_section[k], 1, 0.05) << "orbit " << k;
    }
    if (GetParam().mean_is_known) {
      EXPECT_LE(std::fabs(mean(1) - mean(periods + 1 - tenth)), 1.5e-6) << "orbit " << k;
    }
    EXPECT_NEAR(largest(1, tenth) / largest(periods + 1 - tenth, tenth), 1, 1e-3) << "orbit " << k;
    EXPECT_LE(std::fabs(run.energy.drift_per_time) * run.last.t, 1.5e-6) << "orbit " << k;
    EXPECT_LE(y, 1.2e-15) << "y has the period of forty steps";
    EXPECT_LE(distance_from_a_plane(section), 4e-13) << "orbit " << k;
    EXPECT_LE(run.constraints.max_abs, 1e-15) << "orbit " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(
    ContactOscillator, PublishedOrbits,
    ::testing::Values(
        Orbits{"lobatto-ab:2",
               {1.226e-2, 1.241e-2, 1.167e-2, 1.022e-2, 8.42e-3, 6.54e-3, 4.82e-3, 3.57e-3, 5.69e-3, 9.28e-3},
               {1.4e-4, 5.7e-4, 9.4e-4, 1.1e-3, 1.2e-3, 1.7e-3, 2.2e-3, 2.5e-3, 2.6e-3, 2.2e-3},
               true},
        Orbits{"mp",
               {1.343e-2, 1.492e-2, 1.453e-2, 1.331e-2, 1.170e-2, 9.80e-3, 7.63e-3, 5.37e-3, 5.95e-3, 7.54e-3},
               {5.6e-4, 0, 0, 0, 0, 5.2e-3, 0, 0, 0, 0},
               false}),
    [](const auto& instance) { return testing::test_name(instance.param.method); });

}  // namespace
}  // namespace noslip

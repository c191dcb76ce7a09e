// mp-hilden against the equations as Hilden 2009 prints them, and against mp.
#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

Sample after(const System& system, const InitialState& start, const std::string& method, double h, long long steps) {
  return integrate(system, start, testing::options(method, h, steps)).last;
}

TEST(Hilden, IsMcLachlanPerlmutterWhereTheMassMatrixIsConstant) {
  for (const char* name : {"rolling-disk", "contact-oscillator", "skate", "mobile-robot"}) {
    const System system = catalogue_system(name);
    const InitialState start = system.initial_state(system.parameter_values());
    const Sample a = after(system, start, "mp-hilden", 0.1, 20), b = after(system, start, "mp", 0.1, 20);
    EXPECT_LT(testing::distance(a.q, b.q), 1e-13) << name;
    EXPECT_LT(testing::distance(a.v, b.v), 1e-13) << name;
  }
}

TEST(Hilden, SatisfiesThePrintedEquations) {
  // (4.3), with m = a = I = 1 and g = 0.1. The multiplier follows from the first of (4.3b).
  constexpr double h = 0.1, g = 0.1, theta0 = 0.3;
  const double c0 = std::cos(theta0), s0 = std::sin(theta0);
  const std::vector<double> q0 = {1, 0.2, theta0}, v0 = {0.8 * c0, 0.8 * s0, 0.7};
  const Sample next = after(catalogue_system("sleigh"), {0, q0, v0, {}}, "mp-hilden", h, 1);
  const std::vector<double>& v1 = next.v;
  const double minus = theta0 - h / 2 * v0[2], plus = theta0 + h / 2 * v0[2];
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(next.q[i], q0[i] + h / 2 * (v0[i] + v1[i]), 1e-15);  // (4.3a), (4.3c)
  EXPECT_NEAR(v1[1] * std::cos(next.q[2]) - v1[0] * std::sin(next.q[2]), 0, 1e-15);            // (4.3d)
  const double s = std::sin(plus), c = std::cos(plus);
  const double left[] = {v1[0] - v1[2] * s, v1[1] + v1[2] * c,
                         2 * v1[2] - s * (v1[0] - h * v1[1] * v1[2]) - c * (-v1[1] - h * v1[0] * v1[2])};
  const double right[] = {v0[0] - v0[2] * std::sin(minus), v0[1] + v0[2] * std::cos(minus),
                          2 * v0[2] - v0[0] * std::sin(minus) + v0[1] * std::cos(minus)};
  const double lambda = (left[0] - right[0]) / (-h * s);
  EXPECT_NEAR(left[1], right[1] + h * (-g + c * lambda), 1e-14);
  EXPECT_NEAR(left[2], right[2] + h * (-g * c), 1e-14);
}

TEST(Hilden, IsNotReversibleWhereTheMassMatrixDependsOnThePosition) {
  const System system = catalogue_system("sleigh");
  const InitialState start{0, {1, 0, 0.3}, {std::cos(0.3), std::sin(0.3), 0.7}, {}};
  const auto defect = [&](const std::string& method) {
    Sample there = after(system, start, method, 0.1, 1);
    for (double& v : there.v) v = -v;
    Sample back = after(system, {0, there.q, there.v, {}}, method, 0.1, 1);
    for (double& v : back.v) v = -v;
    return std::max(testing::distance(back.q, start.q), testing::distance(back.v, start.v));
  };
  EXPECT_LT(defect("mp"), 1e-14);
  EXPECT_GT(defect("mp-hilden"), 1e-3);
}

TEST(Hilden, RefusesGroupsAndPositions) {
  EXPECT_NE(find_method("mp-hilden")->why_not(catalogue_system("chaplygin-sleigh-se2")).find("take mp"),
            std::string::npos);
  EXPECT_NE(find_method("mp-hilden")->why_not(catalogue_system("spherical-pendulum")), "");
}

}  // namespace
}  // namespace noslip

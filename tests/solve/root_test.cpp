// Roots between two points of opposite sign.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <noslip/solve/root.hpp>

namespace noslip {
namespace {

constexpr double resolution = std::numeric_limits<double>::epsilon() / 2;

template <class F>
int calls_for(F f, double a, double b, double expected) {
  int calls = 0;
  const auto counted = [&](double x) {
    ++calls;
    return f(x);
  };
  const double root = find_root(counted, a, f(a), b, f(b), resolution);
  EXPECT_NEAR(root, expected, 3e-16);
  EXPECT_LE(std::fabs(f(root)), std::fabs(f(expected)) + 1e-15);
  return calls;
}

TEST(Roots, SmoothFunctionsNeedFewCalls) {
  EXPECT_LE(calls_for([](double x) { return std::cos(3 * x) - 0.5; }, 0, 1, std::acos(0.5) / 3), 12);
  EXPECT_LE(calls_for([](double x) { return x - 0.3; }, 0, 1, 0.3), 6);
  EXPECT_LE(calls_for([](double x) { return 0.3 - x; }, 0, 1, 0.3), 6);
}

TEST(Roots, HardOnesAreBisected) {
  EXPECT_LE(calls_for([](double x) { return x < 0.7 ? -1.0 : 1e9; }, 0, 1, 0.7), 120);
  EXPECT_LE(calls_for([](double x) { return std::expm1(40 * (x - 0.25)); }, 0, 1, 0.25), 60);
}

TEST(Roots, AtTheEndsAreFound) {
  EXPECT_EQ(find_root([](double x) { return x - 1; }, 0.0, -1.0, 1.0, 0.0, resolution), 1);
  EXPECT_NEAR(find_root([](double x) { return x - 1e-300; }, 0.0, -1e-300, 1.0, 1.0, resolution), 0, 3e-16);
}

}  // namespace
}  // namespace noslip

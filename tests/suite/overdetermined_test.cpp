// Overdetermined systems, Jay 2007, eq. (2.11): the test problem (6.1), whose reaction is not linear in the multiplier,
// and a system with other numbers of y and z and with momenta p(y, z).
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"
#include "support/overdetermined.hpp"

namespace noslip {
namespace {

System problem_6_1() { return System::parse(testing::jay_problem); }

Trajectory run(const System& system, const std::string& method, int steps,
               Precision precision = Precision::double_precision) {
  RunOptions o = testing::options(method, 1.0 / steps, 0);
  o.until = 1;
  o.precision = precision;
  return integrate(system, o);
}

TEST(Overdetermined, HasTheStatesOfTheReference) {
  const auto expect = [](const char* method, std::vector<double> y, std::vector<double> z, double lambda) {
    const Trajectory end = run(problem_6_1(), method, 10);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(end.last.q[i], y[i], 1e-12 * std::fabs(y[i])) << method;
      EXPECT_NEAR(end.last.v[i], z[i], 1e-12 * std::fabs(z[i])) << method;
    }
    EXPECT_NEAR(end.last.multipliers[0], lambda, 1e-10) << method;
    EXPECT_LE(end.holonomic.max_abs, 2e-15);
    EXPECT_LE(end.holonomic.max_abs_rate, 2e-14);  // of terms that reach 15
  };
  expect("gauss:1", {7.47106540329947, 0.365854777677138}, {7.49681024422277, 0.367115491182359}, 2.51695916627058);
  expect("gauss:2", {7.38911990763079, 0.367877852757672}, {7.38914878407886, 0.367879290412744}, 2.71015198072694);
}

/// Errors of y, z and lambda at t = 1.
std::array<double, 3> errors(const std::string& method, int steps) {
  const Trajectory end = run(problem_6_1(), method, steps, Precision::quadruple);
  const auto far = [](quad a, quad b) { return std::fabs(static_cast<double>(a - b)); };
  const double e2 = std::exp(2.0), e1 = std::exp(-1.0);
  const QuadState& at = end.last_quad;
  return {std::hypot(far(at.q[0], e2), far(at.q[1], e1)), std::hypot(far(at.v[0], e2), far(at.v[1], e1)),
          far(at.multipliers[0], std::exp(1.0))};
}

TEST(Overdetermined, HasTheOrdersOfThePaper) {
  struct Claim {
    const char* method;
    int steps, y, lambda;
  };
  for (const Claim& claim : {Claim{"gauss:1", 160, 2, 1},
                             {"gauss:2", 40, 4, 2},
                             {"gauss:3", 10, 6, 3},
                             {"lobatto-ab:2", 160, 2, 1},
                             {"lobatto-ab:3", 40, 4, 2},
                             {"euler-true", 320, 1, 1},
                             {"euler-true,alpha=1", 320, 1, 1}}) {
    const auto coarse = errors(claim.method, claim.steps), fine = errors(claim.method, 2 * claim.steps);
    EXPECT_NEAR(std::log2(coarse[0] / fine[0]), claim.y, 0.15) << claim.method << ", y";
    EXPECT_NEAR(std::log2(coarse[1] / fine[1]), claim.y, 0.15) << claim.method << ", z";
    EXPECT_NEAR(std::log2(coarse[2] / fine[2]), claim.lambda, 0.15) << claim.method << ", lambda";
  }
}

TEST(Overdetermined, TheNaturalEulerMethodDoesNotConverge) {
  const auto largest = [](const char* method) {
    const Trajectory end = run(problem_6_1(), method, 320);
    return std::max(std::fabs(end.last.q[0] - std::exp(2.0)), std::fabs(end.last.q[1] - std::exp(-1.0)));
  };
  EXPECT_NEAR(largest("euler-natural"), 1.27, 0.005);
  EXPECT_NEAR(largest("euler-true"), 6.7e-2, 5e-4);
  EXPECT_NEAR(largest("euler-true,alpha=1"), 4.2e-2, 5e-4);
}

/// A pendulum in (y, z) with z twice the angular momentum per length and a third, idle z: n_z = 3, n_y = 2, p(y, z).
TEST(Overdetermined, MomentaMayBeFunctions) {
  const System general = System::parse(R"toml(
    kind = "odae"
    y = ["x", "y"]
    z = ["a", "b", "c"]
    lambda = ["l"]
    v = ["a/2", "b/2"]
    p = ["a/2", "b/2", "c*(2 + x)"]
    f = ["0", "-10", "-c"]
    r = ["2*x*l", "2*y*l", "0"]
    g = ["x^2 + y^2 = 1"]
    [initial]
    y = [0.6, -0.8]
    z = [1.6, 1.2, 1])toml");
  const System plain = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - 10*y"
    holonomic   = ["x^2 + y^2 = 1"]
    [initial]
    q = [0.6, -0.8]
    v = [0.8, 0.6])toml");
  for (const char* method : {"gauss:2", "gauss:3", "lobatto-ab:2", "lobatto-ab:4", "euler-true", "euler-natural"}) {
    const Trajectory a = run(general, method, 50), b = run(plain, method, 50);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(a.last.q[i], b.last.q[i], 1e-13) << method;
      EXPECT_NEAR(a.last.v[i], 2 * b.last.v[i], 1e-12) << method;
    }
    EXPECT_NEAR(a.last.multipliers[0], b.last.multipliers[0], 1e-10) << method;
  }
}

TEST(Overdetermined, OtherMethodsRefuseIt) {
  for (const char* method : {"mp", "lobatto-abd:3", "srk-gauss:2", "nh-lobatto:2", "euler-a"}) {
    EXPECT_FALSE(find_method(method)->why_not(problem_6_1()).empty()) << method;
  }
}

}  // namespace
}  // namespace noslip

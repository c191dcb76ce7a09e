// Which starts satisfy the constraints: each is measured against the rounding errors of its own terms.
#include <cmath>

#include "model/help.hpp"

namespace noslip::test {
namespace {

struct Given {
  System system;
  std::vector<double> parameters = system.parameter_values();
  InitialState state = system.initial_state(parameters);
  Continuous continuous{system, parameters};

  explicit Given(const std::string& toml) : system(System::parse(toml)) {}

  std::string message() const {
    return refusal([&] { continuous.require_consistent(state); });
  }
  /// Of the projected state; the state is replaced by it.
  std::string message_after_projection() {
    return refusal([&] {
      state = continuous.project(state);
      continuous.require_consistent(state);
    });
  }
};

TEST(Consistency, SmallVelocitiesAreMeasuredByThemselves) {
  Given sleigh(sleigh_text);
  const double theta = 0.3;
  sleigh.state.q = {1, 2, theta};
  for (const double size : {1e10, 1.0, 1e-6, 1e-15, 1e-30, 1e-150}) {
    sleigh.state.v = {size * std::cos(theta), size * std::sin(theta), 0};
    EXPECT_EQ(sleigh.message(), "") << size;
    sleigh.state.v[1] *= 1.5;
    EXPECT_TRUE(contains(sleigh.message(), "constraint 'y'*cos(theta) = x'*sin(theta)' is violated by")) << size;
    EXPECT_TRUE(contains(sleigh.message(), "`project`")) << size;
    EXPECT_EQ(sleigh.message_after_projection(), "") << size;
    EXPECT_NEAR(sleigh.state.v[1] / sleigh.state.v[0], std::tan(theta), 1e-13) << size;
    sleigh.state.v = {size * std::cos(theta), size * std::sin(theta) * (1 + 1e-12), 0};
    EXPECT_NE(sleigh.message(), "") << size;
  }
  sleigh.state.v = {0, 0, 0};
  EXPECT_EQ(sleigh.message(), "");
}

TEST(Consistency, ALargeVelocityElsewhereIsNoExcuse) {
  Given sleigh(sleigh_text);
  sleigh.state.q = {1000, 2, 0.3};
  sleigh.state.v = {1e-13 * std::cos(0.3), 1.5e-13 * std::sin(0.3), 1};
  EXPECT_TRUE(contains(sleigh.message(), "is violated by 1.41"));
  EXPECT_EQ(sleigh.message_after_projection(), "");
  // One unit in the last place of the motion is rounding: what a run leaves where it ends.
  Given held(
      "coordinates = ['x', 'y']\nlagrangian = \"m*x'^2/2 + m*y'^2/2\"\nconstraints = [\"y' = 0\"]\n"
      "[parameters]\nm = 1e-25\n[initial]\nv = [1, 0]");
  held.state.v[1] = 1e-17;
  EXPECT_EQ(held.message(), "");
  held.state.v[1] = 1e-15;
  EXPECT_NE(held.message(), "");
  held.state.v = {1e-3, 1e-17};
  EXPECT_NE(held.message(), "");
}

TEST(Consistency, RoundingOfTheNumbersThatWereGivenPasses) {
  // All digits of cos and sin of 1000000.3, of which the nearest double has lost some.
  Given sleigh(sleigh_text);
  sleigh.state.q = {0, 0, 1000000.3};
  sleigh.state.v = {static_cast<double>(std::cos(1000000.3L)), static_cast<double>(std::sin(1000000.3L)), 0};
  EXPECT_GT(std::abs(sleigh.state.v[1] * std::cos(1000000.3) - sleigh.state.v[0] * std::sin(1000000.3)), 1e-13);
  EXPECT_EQ(sleigh.message(), "");
  // Terms that cancel inside a constraint have rounding errors of their own.
  Given inner("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"(x - 1e6)*x' = y'\"]");
  inner.state.q = {1e6 + 0.1, 0};
  inner.state.v = {1, 0.1};
  EXPECT_EQ(inner.message(), "");
  inner.state.v = {1, 0.100001};
  EXPECT_NE(inner.message(), "");
  Given nonlinear(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"x'^2 + y'^2 = 2*c^2\"]\n"
      "[parameters]\nc = 1e-9");
  nonlinear.state.v = {1e-9, 1e-9};
  EXPECT_EQ(nonlinear.message(), "");
  nonlinear.state.v = {1e-9, 1.001e-9};
  EXPECT_NE(nonlinear.message(), "");
}

TEST(Consistency, PositionsAreMeasuredByThemselves) {
  for (const double r : {1e8, 1.0, 1e-9, 1e-13}) {
    Given circle(
        "coordinates = ['x', 'y', 'phi']\nlagrangian = \"(x'^2 + y'^2 + r^2*phi'^2)/2\"\n"
        "holonomic = [\"x^2 + y^2 = r^2\"]\n[parameters]\nr = " +
        to_text(r));
    circle.state.q = {r * std::cos(0.3), r * std::sin(0.3), 1};
    circle.state.v = {-r * std::sin(0.3), r * std::cos(0.3), 1};
    EXPECT_EQ(circle.message(), "") << r;
    InitialState good = circle.state;
    circle.state.q[0] *= 1.0001;
    EXPECT_TRUE(contains(circle.message(), "position constraint 'x^2 + y^2 = r^2' is violated by")) << r;
    EXPECT_EQ(circle.message_after_projection(), "") << r;
    EXPECT_NEAR(std::hypot(circle.state.q[0], circle.state.q[1]) / r, 1, 1e-14) << r;
    circle.state = good;
    circle.state.v[0] *= 1.0001;
    EXPECT_TRUE(contains(circle.message(), "the derivative of position constraint 'x^2 + y^2 = r^2' is violated")) << r;
    EXPECT_EQ(circle.message_after_projection(), "") << r;
  }
}

TEST(Consistency, HiddenConstraintsAreMeasuredByThemselves) {
  for (const double size : {1.0, 1e-9, 1e-14}) {
    Given two(
        "kind = 'dae2'\ny = ['a', 'b']\nz = ['u']\nf = [['b', 's'], ['u', '0']]\ng = ['a = s*t']\n[parameters]\n"
        "s = " +
        to_text(size) + "\n[initial]\ny = [0, 's']");
    two.state.z = {0};
    EXPECT_EQ(two.message(), "") << size;
    two.state.z = {size / 2};
    EXPECT_TRUE(contains(two.message(), "the hidden constraint g_t + g_y f = 0 of 'a = s*t' is violated by")) << size;
    EXPECT_EQ(two.message_after_projection(), "") << size;
    two.state.q[0] = size / 4;
    EXPECT_TRUE(contains(two.message(), "constraint 'a = s*t' is violated by")) << size;
    Given over(
        "kind = 'odae'\ny = ['a', 'b']\nz = ['u', 'w']\nlambda = ['k']\nv = ['u', 'w']\np = ['u', 'w']\n"
        "f = ['0', '0']\nr = ['k', 'k']\ng = ['a + b = 3*s']\n[parameters]\ns = " +
        to_text(size) + "\n[initial]\ny = ['s', '2*s']\nz = ['s', '-s']");
    EXPECT_EQ(over.message(), "") << size;
    over.state.v[0] *= 1.5;
    EXPECT_TRUE(contains(over.message(), "the derivative g_t + g_y v = 0 of 'a + b = 3*s' is violated by")) << size;
    EXPECT_EQ(over.message_after_projection(), "") << size;
    over.state.q[0] *= 1.5;
    EXPECT_TRUE(contains(over.message(), "constraint 'a + b = 3*s' is violated by")) << size;
  }
}

TEST(Consistency, SmallMomentaAreMeasuredByThemselves) {
  Given fast(
      "coordinates = ['x', 'y']\nhamiltonian = \"sqrt(1 + p(x)^2 + p(y)^2)\"\nconstraints = [\"x' = 2*y'\"]\n"
      "[initial]\np = [2e-15, 1e-15]");
  EXPECT_EQ(fast.message(), "");
  fast.state.v[1] *= 1.5;
  EXPECT_TRUE(contains(fast.message(), "does not belong to the momenta")) << fast.message();
  fast.state = fast.system.with_initial(fast.state, {{"p(x)", 2e-15}, {"p(y)", 1.5e-15}}, fast.parameters);
  EXPECT_TRUE(contains(fast.message(), "constraint 'x' = 2*y'' is violated by")) << fast.message();
  EXPECT_EQ(fast.message_after_projection(), "");
}

TEST(Consistency, OnGroups) {
  Given unicycle(
      "coordinates = [{ group = 'SE(3)', name = 'g', velocity = ['v1', 'v2', 'v3', 'w1', 'w2', 'w3'] }]\n"
      "lagrangian = \"(v1^2 + v2^2 + v3^2 + w1^2 + 2*w2^2 + 3*w3^2)/2\"\n"
      "constraints = [\"v1 = w2*g34\"]\nholonomic = [\"g34 = 0.25*g33\"]\n"
      "[initial]\nq = { g = [1, 2, 0.25, 0, 0, 0.7] }\nv = { v1 = 0.25e-15, w2 = 1e-15 }");
  EXPECT_EQ(unicycle.message(), "");
  InitialState good = unicycle.state;
  unicycle.state.v[4] *= 1.5;
  EXPECT_TRUE(contains(unicycle.message(), "constraint 'v1 = w2*g34' is violated by 1.25e-16"));
  EXPECT_EQ(unicycle.message_after_projection(), "");
  unicycle.state = good;
  unicycle.state.q[11] += 1e-9;
  EXPECT_TRUE(contains(unicycle.message(), "position constraint 'g34 = 0.25*g33' is violated by 1e-09"));
  EXPECT_EQ(unicycle.message_after_projection(), "");
}

TEST(Consistency, AnglesNearZeroAreAsExactAsTheirSides) {
  // A heavy y, so that its velocity is known to a unit in the last place of its own.
  Given given(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + 1e10*y'^2)/2\"\nconstraints = [\"y' = atan2(y, x)*x'\"]");
  for (const double side : {1.0, 1e-4, 1e-8}) {
    given.state.q = {1, side};
    given.state.v = {1, std::atan2(side, 1.0)};
    EXPECT_EQ(given.message(), "") << side;
    given.state.v[1] *= 1 + 1e-8;
    EXPECT_TRUE(contains(given.message(), "is violated by")) << side;
  }
  // Near a right angle it is the other side that counts.
  given.state.q = {1e-8, 1};
  given.state.v = {1, std::atan2(1.0, 1e-8)};
  EXPECT_EQ(given.message(), "");
}

TEST(Consistency, ARootOfRoundingErrorsIsNoExcuseForEverything) {
  Given given(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"y' = x' + sqrt(c - 1)\"]\n"
      "[parameters]\nc = 1");
  // c may be off by a unit in the last place, whose root is 1.5e-8.
  for (const double off : {0.0, 1e-10, -1e-9}) {
    given.state.v = {1, 1 + off};
    EXPECT_EQ(given.message(), "") << off;
  }
  for (const double off : {1e-3, -1e-3, 1.0}) {
    given.state.v = {1, 1 + off};
    EXPECT_TRUE(contains(given.message(), "is violated by")) << off;
  }
}

TEST(Consistency, SmallEntriesOfARotationAreRestsOfLargeOnes) {
  Given body(
      "coordinates = [{ group = 'SO(3)', name = 'R', velocity = ['w1', 'w2', 'w3'] }]\n"
      "lagrangian = \"(w1^2 + w2^2 + w3^2)/2\"\nconstraints = [\"w1 + w2 = R11*w3\"]\n[initial]\nv = [0, 0, 1]");
  // A quarter of a turn after many steps: what should be zero is a few units in the last place of one.
  const double rest = 1.5e-15;
  body.state.q = {rest, -1, 0, 1, rest, 0, 0, 0, 1};
  EXPECT_EQ(body.message(), "");
  body.state.q = {1e-10, -1, 0, 1, 1e-10, 0, 0, 0, 1};
  EXPECT_TRUE(contains(body.message(), "constraint 'w1 + w2 = R11*w3' is violated by 1e-10")) << body.message();
}

TEST(Consistency, ProjectionOntoConstraintsThatAreNearlyDependent) {
  for (const std::string d : {"1e-4", "1e-8", "1e-10"}) {
    Given near(
        "coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + 2*y'^2 + 3*z'^2)/2\"\n"
        "constraints = [\"x'*cos(z) + y'*sin(z) = 1\", \"x'*cos(z) + y'*sin(z) + d*(z' - x*y') = 1\"]\n"
        "[parameters]\nd = " +
        d + "\n[initial]\nq = [1, 0.3, 0.7]\nv = [0.3, -0.2, 0.9]");
    EXPECT_NE(near.message(), "");
    EXPECT_EQ(near.message_after_projection(), "") << d;
    const std::vector<double>& v = near.state.v;
    EXPECT_NEAR(v[0] * std::cos(0.7) + v[1] * std::sin(0.7), 1, 1e-14) << d;
    EXPECT_NEAR(v[2] - v[1], 0, 1e-14 / std::stod(d)) << d;
    Given curved(
        "coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + 2*y'^2 + 3*z'^2)/2\"\n"
        "holonomic = [\"x^2 + y^2 = 1\", \"x^2 + y^2 + d*(z - x*y) = 1\"]\n"
        "[parameters]\nd = " +
        d + "\n[initial]\nq = [1, 0.3, 0.7]\nv = [0.3, -0.2, 0.9]");
    EXPECT_EQ(curved.message_after_projection(), "") << d;
    EXPECT_NEAR(std::hypot(curved.state.q[0], curved.state.q[1]), 1, 1e-14) << d;
  }
}

}  // namespace
}  // namespace noslip::test

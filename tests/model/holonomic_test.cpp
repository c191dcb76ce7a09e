// Position constraints of a system: what is derived, what is refused, and the nearest state on them.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/model/continuous.hpp>

namespace noslip {
namespace {

System pendulum(const std::string& more) {
  return System::parse(
      "coordinates = [\"x\", \"y\", \"z\"]\n"
      "lagrangian = \"(x'^2 + 2*y'^2 + z'^2)/2 - 10*z\"\n" +
      more);
}

std::string refusal(const std::string& more) {
  try {
    pendulum(more);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Holonomic, RatesStandBehindVelocityConstraints) {
  const System system = pendulum("constraints = [\"x' = t*y'\"]\nholonomic = [\"x^2 + t*z = 1\", \"y = z\"]");
  ASSERT_EQ(system.holonomic().size(), 2u);
  ASSERT_EQ(system.velocity_level().size(), 3u);
  EXPECT_EQ(system.velocity_level()[0].kind, ConstraintKind::linear);
  EXPECT_EQ(system.velocity_level()[1].kind, ConstraintKind::affine);
  EXPECT_EQ(system.velocity_level()[2].kind, ConstraintKind::linear);
  EXPECT_EQ(system.multiplier_names(), (std::vector<std::string>{"lambda1", "lambda2", "lambda3"}));
  EXPECT_EQ(system.constraint_rhs().size(), 3u);
}

TEST(Holonomic, AccelerationsKeepTheSecondDerivative) {
  // On a sphere whose centre moves: d^2/dt^2 g = 0 gives lambda; compared with the formula for a particle.
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - 10*z"
    holonomic   = ["(x^2 + y^2 + (z - t^2)^2)/2 = 1/2"]
    [initial]
    q = [0.6, 0, -0.8]
    v = [0.8, 0.5, 0.6])toml");
  const Continuous continuous(system, {});
  std::vector<Problem> problems;
  const ContinuousState state = continuous.evaluate(system.initial_state({}), problems);
  ASSERT_TRUE(problems.empty());
  // r = (x, y, z - t^2), r' = v at t = 0, r'' = a - (0, 0, 2): r.r'' + r'.r' = 0 with a = (0, 0, -10) + lambda r.
  const double lambda = -(0.64 + 0.25 + 0.36) - 0.8 * 12;
  EXPECT_NEAR(state.multipliers[0], lambda, 1e-13);
  EXPECT_NEAR(state.accelerations[0], 0.6 * lambda, 1e-13);
  EXPECT_NEAR(state.accelerations[2], -10 - 0.8 * lambda, 1e-13);
}

TEST(Holonomic, Refusals) {
  EXPECT_NE(refusal("holonomic = [\"x' = 1\"]").find("contains a velocity"), std::string::npos);
  EXPECT_NE(refusal("holonomic = [\"x' = 1\"]").find("`constraints`"), std::string::npos);
  EXPECT_NE(refusal("holonomic = [\"1 = 1\"]").find("always holds"), std::string::npos);
  EXPECT_NE(refusal("holonomic = [\"1 = 2\"]").find("can never hold"), std::string::npos);
  EXPECT_NE(refusal("holonomic = [\"t = 2\"]").find("contains no coordinate"), std::string::npos);
  EXPECT_NE(refusal("holonomic = [\"x = 1\", \"y = 1\"]\nconstraints = [\"x' = y'\", \"z' = y'\"]")
                .find("more constraints (4) than coordinates (3)"),
            std::string::npos);
  EXPECT_NE(refusal("constraints = [\"x = 1\"]").find("`holonomic`"), std::string::npos);
}

std::string inconsistency(const System& system, const InitialState& state) {
  try {
    Continuous(system, {}).require_consistent(state);
  } catch (const InputError& error) {
    return error.what();
  }
  return "consistent";
}

TEST(Holonomic, ViolationsAreRefusedWithTheirSize) {
  const System system = pendulum("holonomic = [\"x^2 + y^2 + z^2 = 1\"]");
  const std::string position = inconsistency(system, {0, {1, 0.5, 0}, {0, 0, 1}, {}});
  EXPECT_NE(position.find("position constraint 'x^2 + y^2 + z^2 = 1' is violated by 0.25"), std::string::npos)
      << position;
  const std::string rate = inconsistency(system, {0, {1, 0, 0}, {0.5, 0, 1}, {}});
  EXPECT_NE(rate.find("the derivative of position constraint 'x^2 + y^2 + z^2 = 1' is violated by 1 "),
            std::string::npos)
      << rate;
  EXPECT_EQ(inconsistency(system, {0, {1, 0, 0}, {0, 0.5, 1}, {}}), "consistent");
}

TEST(Holonomic, SmallLengthsAreNoRounding) {
  const System system = pendulum("holonomic = [\"x^2 + y^2 + z^2 = 1e-16\"]");
  EXPECT_NE(inconsistency(system, {0, {1.001e-8, 0, 0}, {0, 0, 0}, {}}), "consistent");
  EXPECT_EQ(inconsistency(system, {0, {1e-8, 0, 0}, {0, 0, 0}, {}}), "consistent");
  const InitialState found = Continuous(system, {}).project({0, {0, 0, -0.5e-8}, {0, 0, 0}, {}});
  EXPECT_NEAR(found.q[2], -1e-8, 1e-22);
}

TEST(Holonomic, ProjectionIsTheNearestState) {
  const System system = pendulum("holonomic = [\"x^2 + y^2 + z^2 = 1\"]\nconstraints = [\"z' = x*y'\"]");
  const Continuous continuous(system, {});
  const InitialState given{0, {0.7, 0.5, -0.9}, {1, 2, 3}, {}};
  const InitialState found = continuous.project(given);
  EXPECT_EQ(inconsistency(system, found), "consistent");
  // Stationary: M (q - q0) and M (v - v0) lie in the span of the gradients.
  const auto& q = found.q;
  const double mass[] = {1, 2, 1};
  double ratio[3];
  for (int i = 0; i < 3; ++i) ratio[i] = mass[i] * (q[i] - given.q[i]) / q[i];
  EXPECT_NEAR(ratio[0], ratio[1], 1e-12);
  EXPECT_NEAR(ratio[0], ratio[2], 1e-12);
  // Two constraints leave one direction: q x (0, x, -1), along which the change of the velocity has no part.
  const double tangent[] = {-q[1] - q[2] * q[0], q[0], q[0] * q[0]};
  double along = 0;
  for (int i = 0; i < 3; ++i) along += mass[i] * (found.v[i] - given.v[i]) * tangent[i];
  EXPECT_NEAR(along, 0, 1e-12);
}

TEST(Holonomic, ConstraintsThatCannotHoldTogetherAreNotProjected) {
  const System system = pendulum("holonomic = [\"x^2 + y^2 = 1\", \"x + 10*y + z^2 = 30 + z\"]");
  EXPECT_NO_THROW(Continuous(system, {}).project({0, {1, 0.1, 1}, {0, 0, 0}, {}}));
  const System never = pendulum("holonomic = [\"x^2 + y^2 + z^2 = -1\"]");
  EXPECT_THROW(Continuous(never, {}).project({0, {1, 0.1, 1}, {0, 0, 0}, {}}), InputError);
}

TEST(Holonomic, RedundancyIsNamed) {
  // A rolling constraint that says what the contact says already.
  const System system = System::parse(R"toml(
    coordinates = ["x", "z", "phi"]
    lagrangian  = "(x'^2 + z'^2 + phi'^2)/2 - 10*z"
    constraints = ["x' = phi'", "z' = 0"]
    holonomic   = ["z = 1"]
    [initial]
    q = [0, 1, 0]
    v = [1, 0, 1])toml");
  const std::string text = inconsistency(system, system.initial_state({}));
  EXPECT_NE(text.find("3 'z = 1'"), std::string::npos) << text;
  EXPECT_NE(text.find("constraint 2"), std::string::npos) << text;
}

}  // namespace
}  // namespace noslip

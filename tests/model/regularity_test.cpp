// Are the equations of motion regular, how many digits do they leave, and whose fault is it; whatever the units.
#include <cmath>

#include "model/help.hpp"

namespace noslip::test {
namespace {

struct Start {
  System system;
  std::vector<double> parameters;
  InitialState state;
  Continuous continuous;

  explicit Start(const std::string& toml, const std::map<std::string, double>& settings = {})
      : system(System::parse(toml)),
        parameters(system.parameter_values(settings)),
        state(system.initial_state(parameters)),
        continuous(system, parameters) {}

  ContinuousState evaluate() const {
    std::vector<Problem> problems;
    ContinuousState result = continuous.evaluate(state, problems);
    for (const Problem& problem : problems) ADD_FAILURE() << to_text(problem);
    return result;
  }
  std::string message() const {
    return refusal([&] { continuous.require_consistent(state); });
  }
};

const std::string two = "coordinates = ['x', 'y']\n", three = "coordinates = ['x', 'y', 'z']\n";

TEST(Regularity, AMotionWithoutInertiaIsRefused) {
  const Start two_of_them(two + "lagrangian = \"(x'^2 - y'^2)/2 - x^2/2\"\nconstraints = [\"x' = y'\"]");
  EXPECT_EQ(two_of_them.message(),
            "the equations of motion are singular at the initial state: constraint 1 'x' = y'' leaves a motion of 'x'' "
            "and 'y'' without inertia (L_vv is indefinite, K L_vv^-1 K^T has rank 0 of 1)\n"
            "  change the Lagrangian or the constraints, or start elsewhere");
  // u = (1, 2, 0, 0): L_vv u is the sum of both gradients, though neither is singular alone.
  const Start four(
      "coordinates = ['x', 'y', 'z', 'w']\nlagrangian = \"x'*y' - y'^2/2 + z'*w' + z'^2/2\"\n"
      "constraints = [\"2*x' - y' + w' = 0\", \"w' = 0\"]");
  EXPECT_TRUE(contains(four.message(), "leave a motion of 'x'' and 'y'' without inertia")) << four.message();
  EXPECT_TRUE(contains(four.message(), "constraint 1 '2*x' - y' + w' = 0' and constraint 2 'w' = 0'"))
      << four.message();
  EXPECT_TRUE(contains(four.message(), "has rank 1 of 2")) << four.message();
}

TEST(Regularity, AMotionWithoutInertiaInOtherForms) {
  const Start hamiltonian(two + "hamiltonian = \"(p(x)^2 - p(y)^2)/2 + x^2/2\"\nconstraints = [\"x' = y'\"]");
  EXPECT_TRUE(contains(hamiltonian.message(), "leaves a motion of 'x'' and 'y'' without inertia"))
      << hamiltonian.message();
  const Start position(two + "lagrangian = \"(x'^2 - y'^2)/2\"\nholonomic = [\"x^2/2 - y^2/2 + y - x = 0\"]");
  EXPECT_TRUE(contains(position.message(), "leaves a motion of 'x'' and 'y'' without inertia")) << position.message();
  const Start group(
      "coordinates = [{ group = 'SE(2)', names = ['x', 'y', 'theta'], velocity = ['v1', 'v2', 'omega'] }]\n"
      "lagrangian = \"m/2*(v1^2 - v2^2) + omega^2/2\"\nconstraints = [\"v1 = v2\"]\n[parameters]\nm = 1e-25");
  const Start product(two + "lagrangian = \"x'*y'\"\nconstraints = [\"x' = 1\"]\n[initial]\nv = [1, 0]");
  EXPECT_TRUE(contains(product.message(), "leaves a motion of 'y'' without inertia")) << product.message();
  EXPECT_TRUE(contains(group.message(), "leaves a motion of 'v1' and 'v2' without inertia")) << group.message();
}

TEST(Regularity, IndefiniteMassesThatAreRegularAreAccepted) {
  const Start regular(two + "lagrangian = \"(x'^2 - y'^2)/2 - x\"\nconstraints = [\"x' = 2*y'\"]");
  EXPECT_EQ(regular.message(), "");
  // x = 2 y: (4 - 1) y'' = -2.
  EXPECT_DOUBLE_EQ(regular.evaluate().accelerations[1], -2.0 / 3);
  EXPECT_LT(regular.evaluate().condition, 100);
  // Nearly on the cone: (2 d + d^2) y'' = -(1 + d).
  for (const double d : {1e-3, 1e-6, 1e-9}) {
    const Start near(
        two + "lagrangian = \"(x'^2 - y'^2)/2 - x\"\nconstraints = [\"x' = (1 + d)*y'\"]\n[parameters]\nd = 1",
        {{"d", d}});
    EXPECT_EQ(near.message(), "") << d;
    EXPECT_NEAR(near.evaluate().accelerations[1] * (2 * d + d * d) / (1 + d), -1, 1e-12) << d;
    EXPECT_GT(near.evaluate().condition, 0.1 / d);
    EXPECT_LT(near.evaluate().condition, 100 / d);
  }
}

/// Two constraints that are d apart, in directions that depend on the state; `apart` gives them as they are.
std::string near_text(bool apart) {
  const std::string first = "x'*cos(z) + y'*sin(z)", second = "z' - x*y'";
  return three + "lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - x^2/2 - y - z*x\"\nconstraints = [\"" + first + " = 0\", \"" +
         (apart ? second : first + " + d*(" + second + ")") + " = 0\"]\n[parameters]\nd = 1e-8\n[initial]\n" +
         "q = [1, 0.3, 0.7]";
}

TEST(Regularity, MultipliersOfNearlyDependentConstraintsHaveAllDigits) {
  const Start apart(near_text(true));
  const std::vector<double> expected = apart.evaluate().multipliers;
  for (const double d : {1e-4, 1e-6, 1e-8, 1e-10, 1e-11}) {
    const Start near(near_text(false), {{"d", d}});
    EXPECT_EQ(near.message(), "") << d;
    const ContinuousState state = near.evaluate();
    EXPECT_EQ(state.constraint_rank, 2) << d;
    ASSERT_EQ(state.multipliers.size(), 2U) << d;
    const double rounding = d > 2e-11 ? 1e-14 : 1e-12;  // condition 1e22: even quadruple precision has its limits
    EXPECT_NEAR(state.multipliers[1] * d / expected[1], 1, rounding) << d;
    EXPECT_NEAR(state.multipliers[0] / (expected[0] - expected[1] / d), 1, rounding) << d;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(state.accelerations[i], apart.evaluate().accelerations[i], 1e-12) << d;
    }
  }
  const Start dependent(near_text(false), {{"d", 1e-14}});
  EXPECT_TRUE(contains(dependent.message(), "depends on constraint 1 at the initial state (rank 1 of 2)"));
}

TEST(Regularity, TheConditionSaysHowManyDigitsAreLeft) {
  EXPECT_LT(Start(near_text(true)).evaluate().condition, 100);
  EXPECT_FALSE(condition_warning(Start(near_text(true)).evaluate(), 0));
  double before = 1;
  for (const double d : {1e-2, 1e-3, 1e-4, 1e-6, 1e-8}) {
    const ContinuousState state = Start(near_text(false), {{"d", d}}).evaluate();
    EXPECT_NEAR(std::log10(state.condition * d * d), 0.5, 1) << d;  // the Schur complement has a square
    EXPECT_GT(state.condition, 10 * before);
    before = state.condition;
    const auto warning = condition_warning(state, 0.25);
    EXPECT_EQ(warning.has_value(), d < 5e-4) << d;
    if (!warning) continue;
    EXPECT_EQ(warning->code, "condition");
    EXPECT_EQ(warning->t, 0.25);
    EXPECT_TRUE(contains(warning->message, "constraint 2 '")) << warning->message;
    EXPECT_TRUE(contains(warning->message, "nearly depends on constraint 1; condition")) << warning->message;
    // More digits are no reason to worry.
    EXPECT_FALSE(condition_warning(state, 0.25, 1e-34)) << d;
  }
  EXPECT_EQ(digits_left(1e5), 10);
  EXPECT_EQ(digits_left(1e20), 0);
  EXPECT_EQ(digits_left(INFINITY), 0);
}

TEST(Regularity, MassesWithLittleInertiaInOneDirection) {
  const std::string text = two + "lagrangian = \"(x'^2 + y'^2)/2 + c*x'*y' - x - b*y\"\n[parameters]\nc = 0\nb = 2";
  for (const double apart : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const Start start(text, {{"c", 1 - apart}});
    EXPECT_EQ(start.message(), "") << apart;
    const ContinuousState state = start.evaluate();
    const double c = start.parameters[0];
    // (1 - c)(x'' - y'') = 1, and 1 - c is exact.
    EXPECT_NEAR((state.accelerations[0] - state.accelerations[1]) * (1 - c), 1, 1e-12) << apart;
    EXPECT_NEAR(std::log10(state.condition * apart / 2), 0, 0.5) << apart;
    const auto warning = condition_warning(state, 0);
    ASSERT_EQ(warning.has_value(), apart < 1e-7) << apart;
    if (!warning) continue;
    EXPECT_TRUE(contains(warning->message, "a motion of 'x' and 'y' has nearly no inertia")) << warning->message;
  }
  const Start singular(text, {{"c", 1}});
  EXPECT_TRUE(contains(singular.message(), "L_vv is singular (rank 1 of 2)"));
}

TEST(Regularity, UnitsDoNotDecide) {
  const std::string text = three +
                           "lagrangian = \"m*(x'^2 + y'^2*s^2 + x'*y'*s/2)/2 + J*z'^2/2 - m*x\"\n"
                           "constraints = [\"k*(x'*cos(z) + s*y'*sin(z)) = 0\", \"x' + s*y' = l*z'\"]\n"
                           "[parameters]\nm = 1\ns = 1\nJ = 1\nk = 1\nl = 1\n[initial]\nq = [0, 0, 0.3]";
  const double expected = Start(text).evaluate().condition;
  EXPECT_LT(expected, 100);
  const std::vector<std::map<std::string, double>> units = {
      {{"k", 1e-12}},
      {{"k", 1e12}},
      {{"m", 1e-25}, {"J", 1e-25}},
      {{"m", 1e-25}, {"J", 1e-13}, {"l", 1e6}},
      {{"m", 1e-30}, {"J", 1e-20}, {"l", 1e5}, {"s", 1e-10}, {"k", 1e9}},
      {{"s", 1e-12}},
      {{"s", 1e40}, {"k", 1e-40}},
  };
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Start start(text, units[i]);
    EXPECT_EQ(start.message(), "") << i;
    EXPECT_NEAR(start.evaluate().condition / expected, 1, 0.2) << i;
  }
}

TEST(Regularity, UnitsOfIndefiniteMassesDoNotDecide) {
  const auto text = [](const std::string& a, const std::string& b) {
    return two + "lagrangian = \"(" + a + "*x')^2/4 + (" + a + "*x')*(" + b + "*y')\"\nconstraints = [\"" + a +
           "*x' + 3*" + b + "*y' = 0\"]";
  };
  const double expected = Start(text("1", "1")).evaluate().condition;
  for (const std::string a : {"1e-10", "1e10"}) {
    for (const std::string b : {"1e-12", "1", "1e12"}) {
      const Start start(text(a, b));
      EXPECT_EQ(start.message(), "");
      EXPECT_NEAR(std::log2(start.evaluate().condition / expected), 0, 1) << a << ' ' << b;
    }
  }
}

TEST(Regularity, GradientsThatAreRoundingErrorsAreNone) {
  const Start noise(three +
                    "lagrangian = \"x'^2 + y'^2 + z'^2\"\nconstraints = [\"cos(z)*x' = 0\"]\n[initial]\n"
                    "q = [0, 0, \"pi/2\"]");
  EXPECT_TRUE(contains(noise.message(), "constraint 1 'cos(z)*x' = 0' does not restrict the velocities"));
  const Start mass(two + "lagrangian = \"x'^2 + (sin(x) - 1/2)*y'^2\"\n[initial]\nq = [\"pi/6\", 0]");
  EXPECT_TRUE(contains(mass.message(), "L_vv is singular")) << mass.message();
  const Start small(three + "lagrangian = \"x'^2 + y'^2 + z'^2\"\nconstraints = [\"1e-30*x' = 1e-31*y'\"]");
  EXPECT_EQ(small.message(), "");
}

TEST(Regularity, IndexTwoSystemsWithConstraintsThatAreNearlyDependent) {
  const auto text = [](double d) {
    return "kind = 'dae2'\ny = ['a', 'b', 'c']\nz = ['u', 'w']\nf = [['1', 'c', '2'], ['u + w', '0.5*(u + w) + d*w', "
           "'d*(u + 3*w)']]\ng = ['a + b/2 = 0', 'a + b/2 + d*(b + c) = 0']\n[parameters]\nd = " +
           std::to_string(d * 1e12) + "e-12";
  };
  for (const double d : {1e-2, 1e-4, 1e-8}) {
    const System system = System::parse(text(d));
    const std::vector<double> parameters = system.parameter_values();
    InitialState state = system.initial_state(parameters);
    const Continuous continuous(system, parameters);
    EXPECT_EQ(refusal([&] { state = continuous.project(state); }), "") << d;
    EXPECT_EQ(refusal([&] { continuous.require_consistent(state); }), "") << d;
    std::vector<Problem> problems;
    const ContinuousState result = continuous.evaluate(state, problems);
    ASSERT_TRUE(problems.empty()) << d;
    EXPECT_EQ(result.constraint_rank, 2);
    EXPECT_GT(result.condition, 0.1 / d);
    // a' + b'/2 = 0 and b' + c' = 0, with z of the size 1/d: as far as it can be said in double.
    EXPECT_NEAR(result.rates[0] + result.rates[1] / 2, 0, 1e-15 / d);
    EXPECT_NEAR(result.rates[1] + result.rates[2], 0, 1e-16 * result.condition);
  }
}

TEST(Regularity, OverdeterminedSystemsWithConstraintsThatAreNearlyDependent) {
  const std::string text =
      "kind = 'odae'\ny = ['a', 'b', 'c']\nz = ['u', 'v', 'w']\nlambda = ['k', 'l']\nv = ['u', 'v', 'w']\n"
      "p = ['m*u', 'm*v', 'm*w']\nf = ['m', '0', '2*m']\n"
      "r = ['k + l', 'd*l', '0']\ng = ['a = 0', 'a + d*b = 0']\n[parameters]\nd = 1e-8\nm = 1";
  for (const double m : {1.0, 1e-25}) {
    for (const double d : {1e-2, 1e-8, 1e-11}) {
      const Start start(text, {{"d", d}, {"m", m}});
      EXPECT_EQ(start.message(), "") << d;
      const ContinuousState state = start.evaluate();
      EXPECT_NEAR(state.multipliers[0] / m, -1, 1e-13) << d;
      EXPECT_NEAR(state.accelerations[2], 2, 1e-14);
      EXPECT_NEAR(std::log10(state.condition * d * d), 0.5, 1) << d;
    }
  }
}

TEST(Regularity, SeveralDependentConstraintsAreNamedByWhatComesBeforeThem) {
  const Start start(
      "coordinates = ['x', 'y', 'z', 'w', 's']\n"
      "lagrangian = \"(x'^2 + 2*y'^2 + z'^2 + w'^2 + s'^2)/2 + x'*z'/3\"\n"
      "constraints = [\"x' + y' = 0\", \"z' = w*y'\", \"2*x' + 2*y' = 0\", \"x' + y' - 3*z' + 3*w*y' = 0\", "
      "\"z' - w*y' = 0\"]\n[initial]\nq = [0, 0, 0, 0.4, 0]");
  const std::string message = start.message();
  // The third is twice the first, and nothing of the second or of the later ones is in it.
  EXPECT_TRUE(contains(message,
                       "constraint 3 '2*x' + 2*y' = 0' depends on constraint 1 at the initial state (rank 2 of "
                       "5)"))
      << message;
  EXPECT_TRUE(contains(message, "constraint 4 'x' + y' - 3*z' + 3*w*y' = 0' depends on constraints 1")) << message;
  EXPECT_TRUE(contains(message, "constraint 5 'z' - w*y' = 0' depends on")) << message;
}

TEST(Regularity, ProductsOfVelocitiesAreAsGoodAsSquares) {
  // Nearly all inertia of x and y is in the product: the small squares say nothing of the units.
  const std::string text = three + "lagrangian = \"d*(x'^2 + y'^2)/2 + x'*y' + z'^2/2 - x\"\n[parameters]\nd = 0";
  for (const double d : {0.0, 1e-6, 1e-9}) {
    const Start start(text, {{"d", d}});
    EXPECT_EQ(start.message(), "") << d;
    EXPECT_LT(start.evaluate().condition, 100) << d;
    EXPECT_NEAR(start.evaluate().accelerations[1], -1 / (1 - d * d), 1e-15) << d;
  }
}

TEST(Regularity, MomentaThatHardlyTellTheVelocitiesApart) {
  const std::string text =
      "kind = 'odae'\ny = ['a', 'b', 'c']\nz = ['u', 'v', 'w']\nlambda = ['k']\nv = ['u', 'v', 'w']\n"
      "p = ['u + v', 'u + v + d*v', 'w']\nf = ['1', '2', '0']\nr = ['0', '0', 'k']\ng = ['c = 0']\n"
      "[parameters]\nd = 1e-8";
  for (const double d : {1e-2, 1e-5, 1e-8}) {
    const ContinuousState state = Start(text, {{"d", d}}).evaluate();
    EXPECT_NEAR(std::log10(state.condition * d), 0.5, 1) << d;  // of p_z, not of its square
    EXPECT_NEAR(state.accelerations[1] * d, 1, 1e-14 / d) << d;
  }
}

TEST(Regularity, EightDigitsAreEnough) {
  ContinuousState state;
  for (const double condition : {1.0, 1e6, 3e7}) {
    state.condition = condition;  // 3e7 leaves 8.2 of 15.7 digits
    EXPECT_FALSE(condition_warning(state, 0)) << condition;
  }
  state.condition = 6e7;
  const auto warning = condition_warning(state, 0);
  ASSERT_TRUE(warning);
  EXPECT_TRUE(contains(warning->message, "7 of 16 digits")) << warning->message;
}

}  // namespace
}  // namespace noslip::test

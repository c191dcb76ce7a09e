// Adapted coordinates: structure of the equations, and that they are those of the system.
#include <gtest/gtest.h>

#include <noslip/expr/derivative.hpp>
#include <noslip/method/skew_form.hpp>
#include <noslip/model/continuous.hpp>

#include "method/numbers.hpp"

namespace noslip {
namespace {

struct FormCase {
  const char* name;
  const char* toml;
};

const FormCase cases[] = {
    {"mass_of_one", R"toml(
coordinates = ["x", "y", "z"]
lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^4"
constraints = ["z' = y*x'"])toml"},
    {"mass_of_q", R"toml(
coordinates = ["x", "y", "theta"]
lagrangian  = "(x'^2 + y'^2)/2*(1 + x^2) + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) - sin(x)*y"
constraints = ["y'*cos(theta) = x'*sin(theta)"])toml"},
    {"two_constraints", R"toml(
coordinates = ["x", "y", "theta", "phi"]
lagrangian  = "(3*x'^2 + 2*y'^2 + theta'^2 + phi'^2*(2 + cos(theta)))/2 + sin(theta)*phi"
constraints = ["x' = phi'*cos(theta)", "y' + x*theta' = phi'*sin(theta)"])toml"},
    {"magnetic", R"toml(
coordinates = ["x", "y", "z"]
lagrangian  = "(x'^2 + 2*y'^2 + z'^2)/2 + x*y' - y*z*x' - x^2*z"
constraints = ["z' = y*x' - x*y'"])toml"},
    {"magnetic_with_mass_of_one", R"toml(
coordinates = ["x", "y", "z"]
lagrangian  = "(x'^2 + y'^2 + z'^2)/2 + x*y' - y*z*x' - x^2*z"
constraints = ["z' = y*x' - x*y'"])toml"},
    {"given_basis", R"toml(
coordinates = ["x", "y", "theta"]
lagrangian  = "(x'^2 + y'^2 + 3*theta'^2)/2 + theta'*(y'*cos(theta) - x'*sin(theta)) - y"
constraints = ["y'*cos(theta) = x'*sin(theta)"]
basis       = [["0", "0", "1 + x^2"], ["cos(theta)", "sin(theta)", "y"]])toml"},
    {"no_constraints", R"toml(
coordinates = ["x", "y"]
lagrangian  = "(x'^2*(2 + y^2) + y'^2 + x'*y')/2 - cos(x)")toml"},
    {"skew_gradient", R"toml(
kind        = "skew-gradient"
x           = ["a", "b", "c"]
hamiltonian = "a^2/2 + b^2 + exp(c) + a*b*c"
structure   = [["0", "c", "-b"], ["-c", "0", "sin(a)"], ["b", "-sin(a)", "0"]])toml"},
};

class SkewFormOf : public ::testing::TestWithParam<FormCase> {
 protected:
  System system_ = System::parse(GetParam().toml, GetParam().name);
  StepRecipe recipe_ = begin_recipe(system_);
  std::mt19937 generator_{11};

  /// Random points, directions and signs.
  testing::Numbers random_point(const SkewForm& form) {
    testing::Numbers numbers;
    numbers.set(form.x, testing::random_numbers(generator_, form.x.size()));
    numbers.set(form.direction, testing::random_numbers(generator_, form.x.size()));
    for (const Definition& definition : form.before) {
      if (definition.symbol.name().starts_with("step.sign")) numbers.set(definition.symbol, 1);
    }
    return numbers;
  }

  static std::vector<SkewForm> forms(const System& system, StepRecipe& recipe) {
    std::vector<SkewForm> result{skew_form(system, recipe)};
    if (system.offers().lagrangian) {
      result.push_back(skew_form(system, recipe, Coordinates::canonical));
    }
    return result;
  }
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST_P(SkewFormOf, GradientIsThatOfTheEnergy) {
  for (const SkewForm& form : forms(system_, recipe_)) {
    const std::vector<Expr> expected = gradient(form.energy, form.x);
    for (int round = 0; round < 10; ++round) {
      const testing::Numbers numbers = random_point(form);
      const auto ours = numbers(form.gradient), theirs = numbers(expected);
      for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-12) << i;
    }
  }
}

TEST_P(SkewFormOf, MatrixIsSkewAndGivesTheRates) {
  for (const SkewForm& form : forms(system_, recipe_)) {
    for (int round = 0; round < 10; ++round) {
      testing::Numbers numbers = random_point(form);
      const std::vector<double> first = testing::random_numbers(generator_, form.x.size());
      const std::vector<double> second = testing::random_numbers(generator_, form.x.size());
      numbers.set(form.direction, first);
      const auto of_first = numbers(form.product);
      numbers.set(form.direction, second);
      const auto of_second = numbers(form.product);
      EXPECT_NEAR(dot(first, of_second), -dot(second, of_first), 1e-13);
      const auto slopes = numbers(form.gradient), rates = numbers(form.rates);
      numbers.set(form.direction, slopes);
      const auto product = numbers(form.product);
      for (std::size_t i = 0; i < rates.size(); ++i) EXPECT_NEAR(rates[i], product[i], 1e-12) << i;
    }
  }
}

TEST_P(SkewFormOf, MotionIsThatOfTheSystem) {
  const SkewForm form = skew_form(system_, recipe_);
  const Continuous continuous(system_, {});
  const std::size_t n = form.positions;
  const std::vector<Expr> q(form.x.begin(), form.x.begin() + static_cast<std::ptrdiff_t>(n));
  for (int round = 0; round < 10; ++round) {
    testing::Numbers numbers = random_point(form);
    const auto rates = numbers(form.rates);
    std::vector<Problem> problems;
    if (n == 0) {
      const auto state = continuous.evaluate({0, numbers(form.x), {}, {}}, problems);
      for (std::size_t i = 0; i < rates.size(); ++i) EXPECT_NEAR(rates[i], state.rates[i], 1e-12);
      continue;
    }
    const auto v = numbers(form.velocities);
    const auto state = continuous.evaluate({0, numbers(q), v, {}}, problems);
    ASSERT_TRUE(problems.empty());
    EXPECT_LT(state.max_constraint, 1e-14);
    numbers.set(form.velocity, v);
    const auto momenta = numbers(form.momenta), x = numbers(form.x);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(rates[i], v[i], 1e-14) << i;
    // rho = X^T p, differentiated along the motion.
    for (std::size_t a = 0; a < momenta.size(); ++a) {
      EXPECT_NEAR(momenta[a], x[n + a], 1e-13) << a;
      double rate = 0;
      for (std::size_t i = 0; i < n; ++i) {
        rate += numbers({derivative(form.momenta[a], q[i])})[0] * v[i] +
                numbers({derivative(form.momenta[a], form.velocity[i])})[0] * state.accelerations[i];
      }
      EXPECT_NEAR(rates[n + a], rate, 1e-11) << a;
    }
  }
}

/// Quasi-velocities as symbols: with the right numbers for them everything is as where they are written out.
TEST_P(SkewFormOf, QuasiVelocitiesMayBeSymbols) {
  const SkewForm written = skew_form(system_, recipe_), open = skew_form(system_, recipe_, Coordinates::adapted,
                                                                         BasisDerivatives::exact, 0);
  const std::size_t n = written.positions;
  const bool may_be_symbols = n > 0 && !written.has_scalar_mass;
  ASSERT_EQ(open.y.empty(), !may_be_symbols);
  if (!may_be_symbols) return;
  const auto y_of = [&](const testing::Numbers& numbers) {
    const auto slopes = numbers(written.gradient);
    return std::vector<double>(slopes.begin() + static_cast<std::ptrdiff_t>(n), slopes.end());
  };
  for (int round = 0; round < 10; ++round) {
    testing::Numbers first = random_point(written), second = random_point(written);
    const auto y_first = y_of(first), y_second = y_of(second);
    for (testing::Numbers* numbers : {&first, &second}) numbers->set(open.y_end, y_second);
    for (testing::Numbers* numbers : {&first, &second}) numbers->set(open.y, y_first);
    EXPECT_NEAR(second({open.energy})[0] - first({open.energy})[0],
                second({written.energy})[0] - first({written.energy})[0], 1e-12);
    first.set(open.y_end, y_first);
    EXPECT_NEAR(first({open.energy})[0], first({written.energy})[0], 1e-12);
    for (const double residual : first(open.y_equations)) EXPECT_NEAR(residual, 0, 1e-13);
    for (const auto& [ours, theirs] : {std::pair(open.gradient, written.gradient), std::pair(open.rates, written.rates),
                                       std::pair(open.velocities, written.velocities)}) {
      const auto a = first(ours), b = first(theirs);
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << i;
    }
    first.set(open.velocity, first(written.velocities));
    const auto again = first(open.quasi_velocities);
    for (std::size_t a = 0; a < again.size(); ++a) EXPECT_NEAR(again[a], y_first[a], 1e-12) << a;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SkewFormOf, ::testing::ValuesIn(cases),
                         [](const auto& instance) { return instance.param.name; });

TEST(SkewForm, DifferencesOfTheBasisAreSecondOrder) {
  const System system = System::parse(cases[1].toml);
  StepRecipe recipe = begin_recipe(system);
  const SkewForm exact = skew_form(system, recipe);
  const SkewForm differenced = skew_form(system, recipe, Coordinates::adapted, BasisDerivatives::differences);
  std::mt19937 generator(5);
  testing::Numbers numbers;
  numbers.set(exact.x, testing::random_numbers(generator, exact.x.size()));
  numbers.set(exact.direction, testing::random_numbers(generator, exact.x.size()));
  for (const Definition& definition : exact.before) numbers.set(definition.symbol, 1);
  const auto expected = numbers(exact.rates);
  double last = 0;
  for (const double h : {0.1, 0.05, 0.025}) {
    numbers.set(recipe.h, h);
    const auto here = numbers(differenced.rates);
    double error = 0;
    for (std::size_t i = 0; i < here.size(); ++i) error = std::max(error, std::fabs(here[i] - expected[i]));
    if (last > 0) {
      EXPECT_NEAR(last / error, 4, 0.2);
    }
    last = error;
  }
  EXPECT_GT(last, 1e-9);
}

TEST(SkewForm, RefusesWhatHasNoEnergyToKeep) {
  const auto why = [](const std::string& toml) { return why_no_skew_form(System::parse(toml)); };
  const std::string plain = "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\n";
  EXPECT_EQ(why(plain), "");
  EXPECT_NE(why(plain + "constraints = [\"x' = 1\"]").find("affine"), std::string::npos);
  EXPECT_NE(why(plain + "constraints = [\"x'*y' = 0\"]\n[initial]\nv = [1, 0]").find("nonlinear"), std::string::npos);
  EXPECT_NE(why(plain + "constraints = [\"x' = t*y'\"]").find("time"), std::string::npos);
  EXPECT_NE(why(plain + "holonomic = [\"x = 0\"]").find("positions"), std::string::npos);
  EXPECT_NE(why("coordinates = ['x']\nlagrangian = \"x'^2/2 - t*x\"").find("time"), std::string::npos);
  EXPECT_NE(why("coordinates = ['x']\nlagrangian = \"-sqrt(1 - x'^2)\"").find("quadratic"), std::string::npos);
}

TEST(SkewForm, SaysWhyMomentaHaveNoClosedForm) {
  const auto why = [](const std::string& hamiltonian) {
    return why_no_skew_form(
        System::parse("coordinates = ['a', 'b', 'c', 'd', 'g', 's']\nhamiltonian = \"" + hamiltonian + "\"\n"));
  };
  const std::string squares = "(p(a)^2 + p(b)^2 + p(c)^2 + p(d)^2 + p(g)^2 + p(s)^2)/2",
                    all = "(p(a) + p(b) + p(c) + p(d) + p(g))^2";
  // Numbers may couple as many as they like.
  EXPECT_EQ(why(squares + " + " + all + "/3 + a^4"), "");
  EXPECT_EQ(why(squares + " + (1 + a^2)*(p(a) + p(b) + p(c) + p(d))^2"), "");
  const std::string coupled = why(squares + " + (1 + a^2)*" + all);
  EXPECT_NE(coupled.find("couples p(a), p(b), p(c), p(d) and p(g)"), std::string::npos) << coupled;
  EXPECT_EQ(coupled.find("quadratic"), std::string::npos) << coupled;
  // What couples five is constant here, what depends on the position couples none.
  EXPECT_EQ(why(squares + " + a^2*p(s)^2 + " + all), "");
  EXPECT_NE(why(squares + " + p(a)^4").find("not quadratic"), std::string::npos);
  EXPECT_NE(why(squares + " + abs(p(a)) + " + all).find("not quadratic"), std::string::npos);
}

TEST(SkewForm, NamesTheMomentaThatPositionsCouple) {
  // Six are coupled by numbers, which is no obstacle, and five by a position.
  const std::string why = why_no_skew_form(System::parse(
      "coordinates = ['a', 'b', 'c', 'd', 'f', 'u1', 'u2', 'u3', 'u4', 'u5', 'u6']\n"
      "hamiltonian = \"(p(a)^2 + p(b)^2 + p(c)^2 + p(d)^2 + p(f)^2 + p(u1)^2 + p(u2)^2 + p(u3)^2 + p(u4)^2 + p(u5)^2 + "
      "p(u6)^2)/2 + (p(u1) + p(u2) + p(u3) + p(u4) + p(u5) + p(u6))^2/3 + (1 + a^2)*(p(a) + p(b) + p(c) + p(d) + "
      "p(f))^2\"\n"));
  EXPECT_NE(why.find("couples p(a), p(b), p(c), p(d) and p(f) by factors"), std::string::npos) << why;
}

}  // namespace
}  // namespace noslip

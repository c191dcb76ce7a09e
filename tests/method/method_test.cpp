// Names of methods, and the recipe of Gauss SPARK.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/expr/derivative.hpp>
#include <noslip/method/discrete.hpp>
#include <noslip/method/method.hpp>
#include <noslip/method/spark.hpp>

namespace noslip {
namespace {

std::string message_of(const std::string& name) {
  try {
    find_method(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Names, AreFamilyAndStages) {
  EXPECT_EQ(find_method("gauss:3")->traits().name, "gauss:3");
  EXPECT_EQ(find_method("gauss:3")->traits().order, 6);
  EXPECT_EQ(find_method("gauss")->traits().stages, 2);
  EXPECT_EQ(find_method("gauss:64")->traits().order, 128);
}

TEST(Names, MistakesGetARemedy) {
  EXPECT_NE(message_of("gaus:3").find("did you mean 'gauss'?"), std::string::npos);
  EXPECT_NE(message_of("runge").find("known methods: gauss"), std::string::npos);
  for (const char* name : {"gauss:0", "gauss:-1", "gauss:65", "gauss:", "gauss:two", "gauss:2.5", "gauss:2:3",
                           "gauss:99999999999999999999"}) {
    EXPECT_NE(message_of(name).find("is not a number of stages"), std::string::npos) << name;
    EXPECT_NE(message_of(name).find("for example gauss:2"), std::string::npos) << name;
  }
}

TEST(Traits, AreEvaluatedFromTheCoefficients) {
  for (const int s : {1, 2, 3, 7, 16}) {
    SparkCoefficients coefficients = gauss_spark(s);
    EXPECT_TRUE(satisfies_lagrange_dalembert(coefficients));
    EXPECT_TRUE(is_symmetric(coefficients));
    coefficients.q.a[0][0] += quad(1e-20);
    EXPECT_FALSE(satisfies_lagrange_dalembert(coefficients));
    EXPECT_FALSE(is_symmetric(coefficients));
  }
}

TEST(Compositions, SatisfyTheOrderConditionsOfPowers) {
  // The fractions of a symmetric composition of order 2k of a symmetric method have the sum one, and their powers 3, 5,
  // ..., 2k - 1 have the sum zero. Published coefficients have 20 digits.
  for (const int order : {2, 4, 6, 8}) {
    const std::vector<quad> fractions = symmetric_composition(order).fractions;
    for (int power = 1; power < order; power += 2) {
      quad sum = power == 1 ? -1 : 0;
      for (const quad fraction : fractions) {
        quad term = 1;
        for (int i = 0; i < power; ++i) term *= fraction;
        sum += term;
      }
      EXPECT_LT(std::fabs(static_cast<double>(sum)), 1e-18) << "order " << order << ", power " << power;
    }
    for (std::size_t i = 0; i < fractions.size(); ++i) {
      EXPECT_TRUE(fractions[i] == fractions[fractions.size() - 1 - i]) << order;
    }
  }
}

TEST(Traits, MultipliersOfBothKindsOfConstraintsHaveTheLowerOrder) {
  const std::string plain = "coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\n",
                    rolls = "constraints = [\"y' = z*x'\"]\n", stays = "holonomic = [\"x^2 + z = 0\"]\n";
  const System velocities = System::parse(plain + rolls), positions = System::parse(plain + stays),
               both = System::parse(plain + rolls + stays);
  int different = 0;
  for (const MethodFamily& family : method_families()) {
    const std::vector<int> numbers = family.numbers.empty() ? std::vector<int>{0} : family.numbers;
    for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 5); ++i) {
      const std::string name = family.numbers.empty() ? family.name : family.name + ":" + std::to_string(numbers[i]);
      const std::shared_ptr<const Method> method = find_method(name);
      if (!method->why_not(both).empty()) continue;
      const MethodTraits& traits = method->traits();
      const int one = traits.multiplier_order_on(velocities), other = traits.multiplier_order_on(positions);
      EXPECT_EQ(traits.multiplier_order_on(both), std::min(one, other)) << name;
      different += one != other ? 1 : 0;
    }
  }
  EXPECT_GT(different, 0);
}

TEST(Recipe, OfPlainSumsHasNoLowParts) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + (1 + x^2)*z'^2)/2 - x^2"
    constraints = ["z' = y*x'"]
    [forces]
    x = "-x'")toml");
  for (const char* name : {"mp:4", "gauss:2", "nh-lobatto:3", "energy:2", "cm"}) {
    const auto count_low = [&](const std::string& method) {
      const StepRecipe recipe = find_method(method)->record(system);
      Graph& graph = *recipe.graph;
      std::vector<Expr> all;
      for (const Solve& solve : recipe.solves) {
        all.insert(all.end(), solve.residuals.begin(), solve.residuals.end());
        for (const Definition& definition : solve.before) all.push_back(definition.value);
        for (const Unknown& unknown : solve.unknowns) all.push_back(unknown.next_guess);
      }
      for (const StateVariable& variable : recipe.state) all.push_back(variable.next(graph));
      const std::vector<Expr> symbols = symbols_of(all);
      return std::count_if(symbols.begin(), symbols.end(),
                           [](const Expr& symbol) { return symbol.name().starts_with("low."); });
    };
    EXPECT_GT(count_low(name), 5) << name;
    EXPECT_EQ(count_low(std::string(name) + ",sums=plain"), 0) << name;
  }
}

TEST(Names, ShowSumsThatArePlain) {
  EXPECT_EQ(find_method("gauss:3,sums=plain,map=exp")->traits().name, "gauss:3,map=exp,sums=plain");
  EXPECT_EQ(find_method("mp,sums=compensated")->traits().name, "mp");
  EXPECT_NE(message_of("mp,sums=exact").find("sums are compensated (the default) or plain"), std::string::npos);
  EXPECT_NE(message_of("mp,sum=plain").find("every method has sums=compensated or plain"), std::string::npos);
  EXPECT_NE(message_of("mp,sums=plain,sums=plain").find("is given twice"), std::string::npos);
}

TEST(Recipe, HasAsManyEquationsAsUnknowns) {
  const System constant_mass = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2"
    constraints = ["z' = y*x'"])toml");
  const System mass_of_q = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + (1 + x^2)*z'^2)/2 - x^2"
    constraints = ["z' = y*x'"])toml");
  for (int s = 1; s <= 4; ++s) {
    const StepRecipe impulses = record_spark(constant_mass, gauss_spark(s));
    ASSERT_EQ(impulses.solves.size(), 1u);
    EXPECT_EQ(impulses.solves[0].unknowns.size(), static_cast<std::size_t>(3 * s + s));
    EXPECT_EQ(impulses.solves[0].residuals.size(), impulses.solves[0].unknowns.size());
    const StepRecipe increments = record_spark(mass_of_q, gauss_spark(s));
    EXPECT_EQ(increments.solves[0].unknowns.size(), static_cast<std::size_t>(3 * s + 3 + s));
    EXPECT_EQ(increments.solves[0].residuals.size(), increments.solves[0].unknowns.size());
    EXPECT_EQ(increments.state.size(), 6u);
  }
}

/// How many nodes the derivatives of a step take.
std::size_t nodes_of_derivatives(const System& system, const std::string& method) {
  const StepRecipe recipe = find_method(method)->record(system);
  const std::size_t before = recipe.graph->size();
  std::vector<Expr> unknowns;
  for (const Unknown& unknown : recipe.solves.front().unknowns) unknowns.push_back(unknown.symbol);
  jacobian(recipe.solves.front().residuals, unknowns);
  return recipe.graph->size() - before;
}

TEST(ManyStages, DerivativesGrowWithTheSquareOfTheirNumber) {
  const System sleigh = System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + a*theta'*(y'*cos(theta) - x'*sin(theta))"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [parameters]
    a = 0.3)toml");
  for (const char* family : {"gauss", "nh-lobatto"}) {
    const std::size_t few = nodes_of_derivatives(sleigh, std::string(family) + ":20");
    EXPECT_LT(nodes_of_derivatives(sleigh, std::string(family) + ":40"), 5 * few) << family;
  }
}

}  // namespace
}  // namespace noslip

// Names of methods, and the recipe of Gauss SPARK.
#include <noslip/method/method.hpp>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace noslip

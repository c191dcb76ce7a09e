// Units: what can be read, what is compared, and what is refused.
#include <cmath>

#include <noslip/model/units.hpp>

#include "help.hpp"

namespace noslip::test {
namespace {

TEST(Units, AreProductsOfSiUnits) {
  const std::pair<const char*, const char*> equal[] = {
      {"J", "kg*m^2/s^2"}, {"N*m", "J"},       {"W", "J/s"},         {"1/s", "Hz"},
      {"V*A", "W"},       {"N/m^2", "Pa"},      {"m/s/s", "m/s^2"},     {"J/(kg*K)", "m^2/s^2/K"},
      {"rad", "1"},        {"m^(1/2)*m^(1/2)", "m"}, {"kg * m", "m*kg"}, {"l", "dm^3"},      {"ohm", "V/A"}};
  for (const auto& [a, b] : equal) {
    const auto left = parse_unit(a), right = parse_unit(b);
    ASSERT_TRUE(left && right) << a;
    EXPECT_TRUE(*left == *right) << a << " " << b;
  }
  EXPECT_NEAR(parse_unit("km/h")->scale, 1 / 3.6, 1e-15);
  EXPECT_NEAR(parse_unit("deg")->scale, std::acos(-1.0) / 180, 1e-17);
  EXPECT_FALSE(*parse_unit("mm") == *parse_unit("m"));
  EXPECT_TRUE(parse_unit("mm")->has_dimension_of(*parse_unit("m")));
  for (const char* wrong : {"", "x", "m^", "m/", "*m", "m**2", "2*m", "m^x", "(m", "m)", "m^(1/0)", "m^100", "kkg", "metre"}) {
    EXPECT_FALSE(parse_unit(wrong)) << wrong;
  }
  EXPECT_FALSE(parse_unit(std::string(100000, '(')));
}

TEST(Units, AreWrittenShortly) {
  const std::pair<const char*, const char*> texts[] = {{"kg*m^2/s^2", "J"},  {"m/s^2", "m/s^2"},   {"1/s", "1/s"},
                                                       {"kg*m^2", "kg*m^2"}, {"rad", "1"},         {"mm", "0.001*m"},
                                                       {"kg/s/m", "kg/(m*s)"}, {"m^(1/2)", "m^0.5"}};
  for (const auto& [unit, text] : texts) EXPECT_EQ(to_text(*parse_unit(unit)), text);
  EXPECT_EQ(quotient_text("m", "s"), "m/s");
  EXPECT_EQ(quotient_text("m/s", "s"), "m/s/s");
  EXPECT_EQ(quotient_text("", "s"), "");
}

const std::string spring = R"toml(coordinates = ["x", "theta"]
lagrangian = "m/2*x'^2 + J/2*theta'^2 - k/2*(x - d)^2 - m*g*x*sin(theta)"
constraints = ["x' = r*theta'"]
angles = ["theta"]
[parameters]
m = 2
r = 0.5
J = "m*r^2"
k = 3
g = 9.81
lag = 0.1
[definitions]
d = "2*r"
[states]
push = "(k*x - push)/lag"
[forces]
x = "push"
[units]
x = "m"
m = "kg"
J = "kg*m^2"
k = "N/m"
g = "m/s^2"
r = "m"
lag = "s"
push = "N"
d = "m"
)toml";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Units, BelongToNamesAndVelocities) {
  const System system = System::parse(spring);
  EXPECT_EQ(system.unit("x"), "m");
  EXPECT_EQ(system.unit("x'"), "m/s");
  EXPECT_EQ(system.unit("theta"), "rad");
  EXPECT_EQ(system.unit("theta'"), "rad/s");
  EXPECT_EQ(system.unit("push"), "N");
  EXPECT_EQ(system.unit("nothing"), "");
  EXPECT_EQ(System::parse("coordinates = [\"x\"]\nlagrangian = \"x'^2\"").unit("x'"), "");
}

TEST(Units, ThatAreNotKnownAreNotCompared) {
  EXPECT_EQ(problems_of(with(spring, "k = \"N/m\"\n", "")).size(), 0U);
  EXPECT_EQ(problems_of(with(spring, "x = \"m\"\n", "")).size(), 0U);
}

TEST(Units, ThatDisagreeAreRefused) {
  const auto expect = [](const std::string& from, const std::string& to, const std::string& what) {
    const std::vector<Problem> problems = problems_of(with(spring, from, to));
    ASSERT_FALSE(problems.empty()) << to;
    EXPECT_TRUE(contains(to_text(problems.front()), what)) << to_text(problems.front());
  };
  expect("m*g*x*sin(theta)", "m*g*sin(theta)", "units do not agree: ");
  expect("sin(theta)", "sin(x)", "'x' is in m, and 'sin(x)' needs a number");
  expect("(x - d)", "(x - 1)", "is a number");
  expect("x' = r*theta'", "x' = theta'", "units do not agree");
  expect("r = \"m\"", "r = \"mm\"", "they differ by the factor");
  expect("x = \"push\"", "x = \"push*x\"", "the force on 'x' has to be in N, and 'push*x' is in J");
  expect("(k*x - push)/lag", "k*x - push", "the derivative of 'push' has to be in");
  expect("\"m*r^2\"", "\"m*r\"", "'J' has to be in kg*m^2, and 'm*r' is in kg*m");
  expect("d = \"2*r\"", "d = \"2*r^2\"", "units do not agree");
  expect("x = \"m\"", "x = \"metre\"", "'metre' is not a unit\n  x = \"metre\"");
  expect("x = \"m\"", "y = \"m\"", "units: there is no 'y'");
  expect("x = \"m\"", "t = \"h\"\nx = \"m\"", "units do not agree");
  expect("x = \"m\"", "theta = \"deg\"\nx = \"m\"", "they differ by the factor");
}

TEST(Units, OfRotationsAndGeneralSystems) {
  const System body = System::parse(R"toml(coordinates = [{ group = "SE(3)", name = "g", velocity = ["v1", "v2", "v3", "w1", "w2", "w3"] }]
lagrangian = "m/2*(v1^2 + v2^2 + v3^2) + J/2*(w1^2 + w2^2 + w3^2) - m*a*g34*g33"
[parameters]
m = 1
J = 1
a = 1
[units]
g = "m"
v1 = "m/s"
v2 = "m/s"
v3 = "m/s"
w1 = "rad/s"
w2 = "rad/s"
w3 = "rad/s"
m = "kg"
J = "kg*m^2"
a = "m/s^2")toml");
  EXPECT_EQ(body.unit("w1"), "rad/s");
  EXPECT_EQ(body.unit("g34"), "m");
  EXPECT_EQ(body.unit("g33"), "");
}

}  // namespace
}  // namespace noslip::test

// x1' where x1 is a definition: the rate of its expression along the motion.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/model/symbols.hpp>
#include <noslip/model/system.hpp>

#include "help.hpp"

namespace noslip {
namespace {

using test::contains;
using test::problem_of;

const std::string cart_head = "coordinates = [\"x\", \"theta\"]\n";

/// Does the system with `short_text`, in which definitions are put in, equal the one that is written out?
void expect_same_lagrangian(const std::string& short_text, const std::string& long_text) {
  const System with = System::parse(short_text), without = System::parse(long_text);
  for (int k = 0; k < 5; ++k) {
    const double t = 0.3 + k;
    const std::map<std::string, double> at{
        {"t", t}, {"x", 0.7 - k}, {"theta", 0.4 + 0.3 * k}, {"x'", 1.1 * k - 1}, {"theta'", 0.9 - k}, {"l", 1.5}};
    EXPECT_NEAR(test::value(with.lagrangian(), at), test::value(without.lagrangian(), at), 1e-13);
  }
}

TEST(DefinitionRates, ChainRule) {
  const std::string rest = "[parameters]\nl = 1.5\n[definitions]\n";
  expect_same_lagrangian(
      cart_head + "lagrangian = \"(x'^2 + theta'^2 + x1'^2)/2\"\n" + rest + "x1 = \"x - l*cos(theta)\"",
      cart_head + "lagrangian = \"(x'^2 + theta'^2 + (x' + l*sin(theta)*theta')^2)/2\"\n" + rest);
  expect_same_lagrangian(
      cart_head + "lagrangian = \"x'^2 + theta'^2 + dot(b)^2 + b\"\n" + rest + "b = \"a^2*sin(t)\"\na = \"x/l + t^2\"",
      cart_head +
          "lagrangian = \"x'^2 + theta'^2 + (2*a*(x'/l + 2*t)*sin(t) + a^2*cos(t))^2 + "
          "a^2*sin(t)\"\n" +
          rest + "a = \"x/l + t^2\"");
}

TEST(DefinitionRates, OfEveryFunction) {
  const std::string functions[][2] = {{"sqrt(2 + x^2)", "x*x'/sqrt(2 + x^2)"},
                                      {"abs(x)", "sign(x)*x'"},
                                      {"atan2(x, theta)", "(theta*x' - x*theta')/(x^2 + theta^2)"},
                                      {"min(x, theta)", "(x' + theta')/2 + (x' - theta')/2*sign(theta - x)"},
                                      {"exp(x)/theta", "exp(x)*x'/theta - exp(x)*theta'/theta^2"},
                                      {"sign(x)", "0"}};
  for (const auto& [function, rate] : functions) {
    expect_same_lagrangian(cart_head + "lagrangian = \"x'^2 + theta'^2 + d'\"\n[definitions]\nd = \"" + function + "\"",
                           cart_head + "lagrangian = \"x'^2 + theta'^2 + " + rate + "\"\n");
  }
}

TEST(DefinitionRates, OfFamilies) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "theta[1:n]"]
    lagrangian  = "sum(i, 0, n, X[i]'^2/2)"
    constraints = ["for i = 1:n: X[i]' = 0"]
    [parameters]
    n = 3
    [definitions]
    "V"         = "X[n]'"
    "X[i=1:n]" = "X[i-1] + sin(theta[i])"
    "X[0]"     = "x"
    [initial]
    q = { "theta[1:n]" = 0.5 }
  )toml");
  ASSERT_EQ(system.constraints().size(), 3U);
  const std::map<std::string, double> at{
      {"x'", 2}, {"theta[1]", 0.5}, {"theta[1]'", 1}, {"theta[2]", 1}, {"theta[2]'", -1}};
  EXPECT_NEAR(test::value(system.constraints()[1].k, at), 2 + std::cos(0.5) - std::cos(1), 1e-15);
  Graph graph(system.graph());
  EXPECT_EQ(system.expression(graph, "V", "text"), system.expression(graph, "X[3]'", "text"));
}

TEST(DefinitionRates, OnGroups) {
  const System system = System::parse(R"toml(
    coordinates = [{ group = "SE(2)", names = ["x", "y", "theta"], velocity = ["v1", "v2", "omega"] },
                   { group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "z"]
    lagrangian  = "(v1^2 + v2^2 + omega^2 + w1^2 + w2^2 + w3^2 + z'^2)/2"
    constraints = ["tip' = 0"]
    [definitions]
    tip    = "x + sin(theta)"
    height = "z*R32"
  )toml");
  const std::map<std::string, double> at{{"theta", 0.3}, {"v1", 2},   {"v2", -1},   {"omega", 0.7},
                                         {"z", 2},       {"z'", 3},   {"R31", 0.1}, {"R32", 0.2},
                                         {"R33", 0.5},   {"w1", 1.5}, {"w2", 4},    {"w3", -2}};
  EXPECT_NEAR(test::value(system.constraints()[0].k, at), std::cos(0.3) * 2 + std::sin(0.3) + std::cos(0.3) * 0.7,
              1e-15);
  Graph graph(system.graph());
  EXPECT_NEAR(test::value(system.expression(graph, "height'", "text"), at), 3 * 0.2 + 2 * (-0.1 * -2 + 0.5 * 1.5),
              1e-15);
}

TEST(DefinitionRates, InEveryKey) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 + 0*h'"
    constraints = ["ramp' = 0"]
    [parameters]
    a = 2
    [definitions]
    ramp  = "y - a*x - sin(t)"
    h     = "x*y"
    power = "h'^2"
    [forces]
    x = "-h'"
    [inputs]
    u = 0
    [sampled]
    every = 1
    u = "h' + power"
    [invariants]
    rate = "h'*power"
    [initial]
    v = { y = 1 }
  )toml");
  const std::map<std::string, double> at{{"x", 2}, {"y", 3}, {"x'", 5}, {"y'", 7}, {"t", 0.5}, {"a", 2}};
  EXPECT_NEAR(test::value(system.constraints()[0].k, at), 7 - 10 - std::cos(0.5), 1e-15);
  EXPECT_EQ(system.constraints()[0].kind, ConstraintKind::affine);
  EXPECT_NEAR(test::value(system.invariants()[0].second, at), 29.0 * 29 * 29, 1e-10);
  Graph graph(system.graph());
  EXPECT_EQ(test::value(system.expression(graph, "h' = dot(h)/2 + 1", "text"), at), 13.5);
}

TEST(DefinitionRates, WithAHamiltonian) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    hamiltonian = "(p(x)^2 + p(y)^2)/2"
    constraints = ["d' = 0"]
    [definitions]
    d = "x - sin(y)"
  )toml");
  EXPECT_NEAR(test::value(system.constraints()[0].k, {{"x'", 2}, {"y'", 3}}), -1, 1e-15);
}

TEST(DefinitionRates, FromExpressions) {
  Symbols s;
  const Expr x = s["x"], theta = s["theta"], tip = s["tip"], far = s["far"];
  SystemText text;
  text.coordinates = {x, theta};
  text.lagrangian = (sq(dot(x)) + sq(dot(theta)) + sq(dot(far))) / 2;
  text.definitions = {{"far", tip + theta}, {"tip", x + sin(theta)}};
  const System system = System::from(text);
  const std::map<std::string, double> at{{"x'", 2}, {"theta'", 3}};
  EXPECT_NEAR(test::value(system.lagrangian(), at), (4 + 9 + 64) / 2.0, 1e-14);
}

TEST(DefinitionRates, RefuseWhatHasNone) {
  const std::string remedy = "\n  a definition has a velocity if it contains t, positions and parameters only";
  const std::string lagrangian = "lagrangian = \"x'^2 + theta'^2\"\n";
  EXPECT_EQ(problem_of(cart_head + lagrangian + "[forces]\nx = \"2*d'\"\n[definitions]\nd = \"x*theta'\""),
            "s.toml:4:8: definition 'd' contains the velocity theta' and has no velocity\n  x = \"2*d'\"\n         ^" +
                remedy);
  EXPECT_TRUE(
      contains(problem_of(cart_head + lagrangian + "[forces]\nx = \"e1'\"\n[definitions]\nd = \"x\"\ne1 = \"d'\""),
               "4:6: definition 'e1' contains the velocity x' and has no velocity"));
  EXPECT_TRUE(contains(
      problem_of(cart_head + lagrangian + "[forces]\nx = \"dot(d)\"\n[definitions]\nd = \"x*u\"\n[inputs]\nu = 1"),
      "4:10: definition 'd' contains the input u and has no velocity"));
  EXPECT_TRUE(contains(problem_of(cart_head + "hamiltonian = \"p(x)^2 + p(theta)^2\"\n[forces]\nx = \"d'\"\n"
                                              "[definitions]\nd = \"x*p(x)\""),
                       "4:6: definition 'd' contains the momentum p(x) and has no velocity"));
  EXPECT_TRUE(contains(problem_of(cart_head + lagrangian +
                                  "constraints = [\"x' = theta'\"]\n[nonideal]\nx = \"d'\"\n"
                                  "[definitions]\nd = \"psi(1)\""),
                       "5:6: definition 'd' contains the multiplier psi(1) and has no velocity"));
  EXPECT_TRUE(contains(problem_of("coordinates = [{ group = \"SO(2)\", names = [\"a\"], velocity = [\"w\"] }]\n"
                                  "lagrangian = \"w^2 + d'\"\n[definitions]\nd = \"w\""),
                       "2:21: definition 'd' contains the body velocity w and has no velocity"));
}

TEST(DefinitionRates, RefuseWhereVelocitiesAre) {
  const std::string rest = "lagrangian = \"x'^2 + theta'^2\"\n[definitions]\nd = \"x + theta\"\n";
  EXPECT_TRUE(contains(problem_of(cart_head + "holonomic = [\"d' = 0\"]\n" + rest), "contains a velocity"));
  EXPECT_TRUE(contains(problem_of(cart_head + rest + "[parameters]\nJ = \"2*d'\""),
                       "6:8: velocity 'd'' cannot be used here: 'x'' is a velocity"));
  EXPECT_TRUE(contains(problem_of(cart_head + "hamiltonian = \"p(x)^2 + p(theta)^2 + d'\"\n[definitions]\nd = \"x\""),
                       "2:38: velocity 'd'' cannot be used here: 'x'' is a velocity"));
  EXPECT_TRUE(contains(problem_of(cart_head + "lagrangian = \"x'^2 + theta'^2 + d''\"\n[definitions]\nd = \"x\""),
                       "2:35: second derivatives are not allowed"));
  EXPECT_TRUE(contains(problem_of(cart_head + "lagrangian = \"x'^2 + theta'^2 + dd'\"\n[definitions]\nd = \"x\""),
                       "unknown symbol 'dd'"));
  EXPECT_TRUE(contains(problem_of(cart_head + "lagrangian = \"x'^2 + theta'^2\"\n[definitions]\na = \"b'\"\nb = \"a\""),
                       "definitions go in a circle: 'a' uses 'b' uses 'a'"));
  EXPECT_TRUE(
      contains(problem_of("kind = \"dae2\"\ny = [\"a\"]\nz = []\nf = [[\"d'\"]]\ng = []\n[definitions]\nd = \"a\""),
               "'d'' is a derivative: a system of kind dae2 has none"));
}

TEST(DefinitionRates, RefuseInEvents) {
  const System system = System::parse(cart_head +
                                      "lagrangian = \"x'^2 + theta'^2\"\n[definitions]\nd = \"x*theta'\"\n"
                                      "c = \"u\"\n[inputs]\nu = 1");
  Graph graph(system.graph());
  EXPECT_TRUE(contains(test::refusal([&] { (void)system.expression(graph, "x + d'", "--event"); }),
                       "definition 'd' contains the velocity theta' and has no velocity"));
  EXPECT_TRUE(contains(test::refusal([&] { (void)system.expression(graph, "c'", "--event"); }),
                       "definition 'c' contains the input u and has no velocity"));
}

}  // namespace
}  // namespace noslip

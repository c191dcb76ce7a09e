// Each rule of the simplifying constructors. The texts are read by the parser, which only calls constructors.
#include <limits>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>

#include "expr/scope.hpp"

namespace noslip::testing {
namespace {

struct Rule {
  const char* input;
  const char* result;
};

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.input << " -> " << rule.result; }

class Simplify : public ::testing::TestWithParam<Rule> {};

TEST_P(Simplify, GivesTheNormalForm) {
  Graph graph;
  // One order of creation for all rules, so that the printed order of operands is settled.
  for (const char* name : {"x", "y", "z", "m", "x'"}) graph.symbol(name);
  const Parsed parsed = parse_expression(graph, GetParam().input, open_scope(graph));
  ASSERT_TRUE(parsed.problems.empty()) << parsed.problems.front().what;
  EXPECT_EQ(to_text(parsed.expression), GetParam().result);
}

constexpr Rule constants[] = {
    {"1/2 + 1/3", "5/6"}, {"0.1 + 0.2", "0.3"}, {"2^10", "1024"}, {"(2/3)^3", "8/27"}, {"2^-2", "1/4"},
    {"1/3*3", "1"},       {"7 - 7", "0"},       {"-(-3)", "3"},   {"1/0", "1/0"},      {"x/0", "x/0"},
    {"0/0", "0/0"},       {"0^-1", "1/0"},      {"0^2", "0"},
};
INSTANTIATE_TEST_SUITE_P(Constants, Simplify, ::testing::ValuesIn(constants));

constexpr Rule neutral[] = {
    {"x + 0", "x"}, {"0 + x", "x"}, {"x - 0", "x"}, {"0 - x", "-x"}, {"x*1", "x"},     {"1*x", "x"},
    {"x*0", "0"},   {"0*x", "0"},   {"x/1", "x"},   {"0/x", "0"},    {"x*(-1)", "-x"}, {"x/(-1)", "-x"},
    {"x^0", "1"},   {"x^1", "x"},   {"1^x", "1"},   {"-(-x)", "x"},
};
INSTANTIATE_TEST_SUITE_P(NeutralElements, Simplify, ::testing::ValuesIn(neutral));

constexpr Rule sums[] = {
    {"x - x", "0"},
    {"x + x", "2*x"},
    {"2*x + 3*x", "5*x"},
    {"2*x - 3*x", "-x"},
    {"x/2 + x/2", "x"},
    {"x + (-y)", "x - y"},
    {"-x + y", "y - x"},
    {"-x - y", "-(x + y)"},
    {"x - (-y)", "x + y"},
    {"-(x - y)", "y - x"},
    {"x + (-2)*y", "x - 2*y"},
    {"x - (-2)*y", "x + 2*y"},
    {"(x + y) - y", "x"},
    {"(x + y) - x", "y"},
    {"(x - y) + y", "x"},
    {"x - (x + y)", "-y"},
    {"x - (x - y)", "y"},
    {"y - (x + y)", "-x"},
    {"(x + y) + x", "y + 2*x"},
    {"(x + 2*y) + 3*y", "x + 5*y"},
    {"(x - 2*y) - y", "x - 3*y"},
    {"x + (y - x)", "y"},
    {"(x - y) + (y - x)", "0"},
    {"2*x + 2*y", "2*(x + y)"},
    {"2*x - 2*y", "2*(x - y)"},
    {"-2*x - 2*y", "-2*(x + y)"},
    {"2*y - 2*x", "2*(y - x)"},
    {"2*x + 3*y", "2*x + 3*y"},
    {"x + 1 + 1", "x + 2"},
    {"x + 1 - 1", "x"},
    {"1 + x", "x + 1"},
    {"x - 1", "x - 1"},
    {"1 - x - 3", "-2 - x"},
    {"-(x + 1)", "-1 - x"},
    {"-(1 - x)", "x - 1"},
    {"2 - (3 - x)", "x - 1"},
    {"sin(x)^2 + cos(x)^2", "1"},
    {"cos(x)^2 + sin(x)^2", "1"},
    {"3*sin(x)^2 + 3*cos(x)^2", "3"},
    {"sin(x)^2 + cos(y)^2", "sin(x)^2 + cos(y)^2"},
    {"cosh(x)^2 - sinh(x)^2", "1"},
    {"cosh(x)^2 - sinh(y)^2", "cosh(x)^2 - sinh(y)^2"},
    {"cosh(x)^2 - sinh(-x)^2", "1"},
    {"2*cosh(2*x)^2 - 2*sinh(x)^2", "2*(cosh(2*x)^2 - sinh(x)^2)"},
    {"cosh(x)^2 + sinh(x)^2", "cosh(x)^2 + sinh(x)^2"},
    {"sin(x)^2 - cos(x)^2", "sin(x)^2 - cos(x)^2"},
    {"y + x", "x + y"},
};
INSTANTIATE_TEST_SUITE_P(Sums, Simplify, ::testing::ValuesIn(sums));

constexpr Rule products[] = {
    {"(2*x)*(3*y)", "6*x*y"},
    {"(-x)*y", "-x*y"},
    {"(-x)*(-y)", "x*y"},
    {"-(2*x)", "-2*x"},
    {"x*2", "2*x"},
    {"m/2*x'^2", "1/2*m*x'^2"},
    {"x*x", "x^2"},
    {"x*x^2", "x^3"},
    {"x^2*x^3", "x^5"},
    {"(x^2)^3", "x^6"},
    {"(2*x)^3", "8*x^3"},
    {"(-x)^2", "x^2"},
    {"(-x)^3", "-x^3"},
    {"y*x", "x*y"},
    {"x*(1/x)", "1"},
    {"x^2*(1/x)", "x"},
    {"x*(1/sqrt(x))", "sqrt(x)"},
    {"(x/y)*y", "x"},
    {"y*(x/y)", "x"},
    {"x^-1", "1/x"},
    {"x^-2", "1/x^2"},
    {"(x - y)^2 - (y - x)^2", "0"},
};
INSTANTIATE_TEST_SUITE_P(Products, Simplify, ::testing::ValuesIn(products));

constexpr Rule quotients[] = {
    {"x/x", "1"},           {"x/2", "1/2*x"},         {"x/(2*y)", "1/2*x/y"},
    {"(2*x)/(4*x)", "1/2"}, {"(x*y)/y", "x"},         {"(x*y)/x", "y"},
    {"x/(x*y)", "1/y"},     {"y/(x*y)", "1/x"},       {"x^3/x", "x^2"},
    {"x/x^3", "1/x^2"},     {"(x/y)/x", "1/y"},       {"x/(y/z)", "x*z/y"},
    {"x/(1/y)", "x*y"},     {"3/x", "3/x"},           {"(-x)/y", "-x/y"},
    {"x/(-y)", "-x/y"},     {"x/sqrt(x)", "sqrt(x)"}, {"sqrt(x)/x", "1/sqrt(x)"},
};
INSTANTIATE_TEST_SUITE_P(Quotients, Simplify, ::testing::ValuesIn(quotients));

constexpr Rule functions[] = {
    {"sin(0)", "0"},
    {"sin(-x)", "-sin(x)"},
    {"sin(-2*x)", "-sin(2*x)"},
    {"sin(pi)", "0"},
    {"sin(pi/2)", "1"},
    {"sin(3*pi/2)", "-1"},
    {"sin(-pi/2)", "-1"},
    {"sin(pi/3)", "sin(1/3*pi)"},
    {"sin(asin(x))", "x"},
    {"cos(0)", "1"},
    {"cos(-x)", "cos(x)"},
    {"cos(pi)", "-1"},
    {"cos(pi/2)", "0"},
    {"cos(2*pi)", "1"},
    {"cos(acos(x))", "x"},
    {"tan(0)", "0"},
    {"tan(-x)", "-tan(x)"},
    {"tan(pi)", "0"},
    {"tan(atan(x))", "x"},
    {"asin(0)", "0"},
    {"asin(1)", "1/2*pi"},
    {"asin(-1)", "-1/2*pi"},
    {"acos(1)", "0"},
    {"acos(0)", "1/2*pi"},
    {"acos(-1)", "pi"},
    {"atan(1)", "1/4*pi"},
    {"atan(-x)", "-atan(x)"},
    {"sinh(0)", "0"},
    {"sinh(-x)", "-sinh(x)"},
    {"cosh(0)", "1"},
    {"cosh(-x)", "cosh(x)"},
    {"tanh(0)", "0"},
    {"tanh(-x)", "-tanh(x)"},
    {"exp(0)", "1"},
    {"exp(log(x))", "x"},
    {"log(1)", "0"},
    {"log(exp(x))", "x"},
    {"log(e)", "1"},
    {"e^x", "exp(x)"},
    {"exp(x)^2", "exp(2*x)"},
    {"exp(2)", "exp(2)"},
    {"sin(1)", "sin(1)"},
    {"atan2(0, 2)", "0"},
    {"atan2(0, -2)", "pi"},
    {"atan2(3, 0)", "1/2*pi"},
    {"atan2(-3, 0)", "-1/2*pi"},
    {"atan2(0, 0)", "atan2(0, 0)"},
};
INSTANTIATE_TEST_SUITE_P(Functions, Simplify, ::testing::ValuesIn(functions));

constexpr Rule roots[] = {
    {"sqrt(4)", "2"},
    {"sqrt(4/9)", "2/3"},
    {"sqrt(0)", "0"},
    {"sqrt(2)", "sqrt(2)"},
    {"sqrt(-4)", "sqrt(-4)"},
    {"sqrt(8)", "sqrt(8)"},
    {"sqrt(9000000000000000000)", "3000000000"},
    {"sqrt(9223372036854775807)", "sqrt(9223372036854775807)"},
    {"sqrt(4*x)", "2*sqrt(x)"},
    {"sqrt(x)^2", "x"},
    {"sqrt(x)*sqrt(x)", "x"},
    {"sqrt(x)^3", "x*sqrt(x)"},
    {"sqrt(x^2)", "abs(x)"},
    {"sqrt(x^4)", "x^2"},
    {"sqrt(x^6)", "abs(x^3)"},
    {"pow(x, 1/2)", "sqrt(x)"},
    {"x^0.5", "sqrt(x)"},
    {"x^(3/2)", "x*sqrt(x)"},
    {"x^(5/2)", "x^2*sqrt(x)"},
    {"x^(-1/2)", "1/sqrt(x)"},
    {"x^(1/3)", "x^(1/3)"},
    {"pow(x, 3)", "x^3"},
    {"pow(x, y)", "x^y"},
    {"pow(x, 0)", "1"},
    {"x^3000000000", "x^3000000000"},
};
INSTANTIATE_TEST_SUITE_P(Roots, Simplify, ::testing::ValuesIn(roots));

constexpr Rule switches[] = {
    {"abs(-3)", "3"},
    {"abs(-x)", "abs(x)"},
    {"abs(-2*x)", "2*abs(x)"},
    {"abs(x^2)", "x^2"},
    {"abs(abs(x))", "abs(x)"},
    {"abs(sqrt(x))", "sqrt(x)"},
    {"abs(exp(x))", "exp(x)"},
    {"abs(x)^2", "x^2"},
    {"abs(x)^3", "abs(x)^3"},
    {"abs(x - y) - abs(y - x)", "0"},
    {"sign(-3)", "-1"},
    {"sign(0)", "0"},
    {"sign(-2*x)", "-sign(x)"},
    {"sign(exp(x))", "1"},
    {"sign(sign(x))", "sign(x)"},
    {"min(1, 2)", "1"},
    {"max(1, 2)", "2"},
    {"min(x, x)", "x"},
    {"max(x, x)", "x"},
    {"min(y, x)", "min(x, y)"},
    {"max(1, 3, 2)", "3"},
    {"less(1, 2)", "1"},
    {"less(2, 1)", "0"},
    {"less(x, x)", "0"},
    {"select(1, x, y)", "x"},
    {"select(0, x, y)", "y"},
    {"select(x, y, y)", "y"},
};
INSTANTIATE_TEST_SUITE_P(Switches, Simplify, ::testing::ValuesIn(switches));

TEST(SimplifyCalls, NumbersMixWithExpressions) {
  Graph graph;
  const Expr x = graph.symbol("x");
  EXPECT_EQ(to_text(2 * x + 1), "2*x + 1");
  EXPECT_EQ(to_text(x * 2), "2*x");
  EXPECT_EQ(to_text(1 - x), "1 - x");
  EXPECT_EQ(to_text(x - Number::rational(1, 2)), "x - 1/2");
  EXPECT_EQ(to_text(1 / x), "1/x");
  EXPECT_EQ(to_text(x / 2), "1/2*x");
  EXPECT_EQ(to_text(1 + x), "x + 1");
}

TEST(SimplifyCalls, ExponentsThatDoNotFitStayApart) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr large = powi(x, std::numeric_limits<int>::max());
  EXPECT_EQ((large * x).op(), Op::mul);
  EXPECT_EQ(powi(large, 2).op(), Op::powi);
  EXPECT_EQ(powi(powi(x, 3), -2), 1 / powi(x, 6));
}

TEST(SimplifyCalls, ConstantPowersOutOfRangeStayNodes) {
  Graph graph;
  EXPECT_EQ(powi(graph.constant(10), 100000).op(), Op::powi);
  EXPECT_EQ(powi(graph.constant(10) * graph.symbol("x"), 100000).op(), Op::powi);
}

TEST(SimplifyCalls, SumAndDotAreBalanced) {
  Graph graph;
  std::vector<Expr> a, b;
  for (int i = 0; i < 8; ++i) {
    a.push_back(graph.symbol("a" + std::to_string(i)));
    b.push_back(i == 3 ? graph.constant(0) : graph.symbol("b" + std::to_string(i)));
  }
  EXPECT_EQ(to_text(sum(graph, a)), "a0 + a1 + (a2 + a3) + (a4 + a5 + (a6 + a7))");
  EXPECT_TRUE(sum(graph, {}).is_zero());
  EXPECT_EQ(sum(graph, std::span(a).first(1)), a[0]);
  EXPECT_FALSE(depends_on(dot(graph, a, b), a[3]));
  EXPECT_TRUE(depends_on(dot(graph, a, b), a[4]));
  EXPECT_TRUE(dot(graph, {}, {}).is_zero());
}

}  // namespace
}  // namespace noslip::testing

#include <ostream>

#include <gtest/gtest.h>

#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>

#include "expr/scope.hpp"

namespace noslip::testing {
namespace {

struct Sample {
  const char* text;
  const char* latex;
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.text; }

class Latex : public ::testing::TestWithParam<Sample> {};

TEST_P(Latex, IsWhatAPaperPrints) {
  Graph graph;
  for (const char* name : {"m", "x", "y", "x'", "theta", "theta'"}) graph.symbol(name);
  Scope scope = open_scope(graph);
  scope.momentum = [&](std::string_view name) { return graph.symbol("p(" + std::string(name) + ")"); };
  scope.multiplier = [&](std::string_view name) { return graph.symbol("psi(" + std::string(name) + ")"); };
  const Parsed parsed = parse_expression(graph, GetParam().text, scope);
  ASSERT_TRUE(parsed.problems.empty()) << parsed.problems.front().what;
  EXPECT_EQ(to_latex(parsed.expression), GetParam().latex);
}

constexpr Sample samples[] = {
    {"3", "3"},
    {"-3", "-3"},
    {"1/2", "\\frac{1}{2}"},
    {"-1/3", "-\\frac{1}{3}"},
    {"9.81", "9.81"},
    {"6.02e23", "6.02 \\cdot 10^{23}"},
    {"pi", "\\pi"},
    {"e", "e"},
    {"x", "x"},
    {"x'", "\\dot{x}"},
    {"theta", "\\theta"},
    {"theta'", "\\dot{\\theta}"},
    {"Omega", "\\Omega"},
    {"x1", "x_{1}"},
    {"x12'", "\\dot{x}_{12}"},
    {"theta_l", "\\theta_{l}"},
    {"q_phi", "q_{\\phi}"},
    {"k1_a", "k_{1,a}"},
    {"m_wheel", "m_{\\mathrm{wheel}}"},
    {"speed", "\\mathrm{speed}"},
    {"mass2", "\\mathrm{mass}_{2}"},
    {"_x", "\\mathrm{\\_x}"},
    {"a_", "\\mathrm{a\\_}"},
    {"p(x)", "p_{x}"},
    {"p(theta1)", "p_{\\theta_{1}}"},
    {"psi(2)", "\\psi_{2}"},
    {"m/2*x'^2", "\\frac{1}{2} m \\dot{x}^{2}"},
    {"x + y", "x + y"},
    {"x - y", "x - y"},
    {"x - 1/2", "x - \\frac{1}{2}"},
    {"-(x + y)", "-\\left(x + y\\right)"},
    {"x - (y - m)", "x - \\left(y - m\\right)"},
    {"m*(x + y)", "m \\left(x + y\\right)"},
    {"x/y", "\\frac{x}{y}"},
    {"(x + 1)/(y + 1)", "\\frac{x + 1}{y + 1}"},
    {"3/x", "\\frac{3}{x}"},
    {"-3/x", "-\\frac{3}{x}"},
    {"-2*x", "-2 x"},
    {"2*3^x", "2 \\cdot 3^{x}"},
    {"x^2", "x^{2}"},
    {"(x + y)^2", "\\left(x + y\\right)^{2}"},
    {"(x/y)^2", "\\left(\\frac{x}{y}\\right)^{2}"},
    {"x^y", "x^{y}"},
    {"x^(1/3)", "x^{\\frac{1}{3}}"},
    {"(1/3)^x", "\\left(\\frac{1}{3}\\right)^{x}"},
    {"(-3)^x", "\\left(-3\\right)^{x}"},
    {"sin(theta)", "\\sin\\left(\\theta\\right)"},
    {"sin(theta)^2", "\\sin^{2}\\left(\\theta\\right)"},
    {"sin(theta)^x", "\\sin\\left(\\theta\\right)^{x}"},
    {"asin(x)", "\\arcsin\\left(x\\right)"},
    {"sqrt(x + 1)", "\\sqrt{x + 1}"},
    {"sqrt(x)*x", "x \\sqrt{x}"},
    {"exp(-x)", "e^{-x}"},
    {"log(x)", "\\log\\left(x\\right)"},
    {"abs(x)", "\\left|x\\right|"},
    {"sign(x)", "\\operatorname{sign}\\left(x\\right)"},
    {"atan2(y, x)", "\\operatorname{atan2}\\left(y, x\\right)"},
    {"min(x, y)", "\\min\\left(x, y\\right)"},
    {"select(less(x, y), 1, m)", "\\begin{cases} 1 & \\text{if } x < y \\\\ m & \\text{otherwise} \\end{cases}"},
    {"if(x >= y and not m < 2, 1, m)",
     "\\begin{cases} 1 & \\text{if } y \\le x \\text{ and } 2 \\le m \\\\ m & \\text{otherwise} \\end{cases}"},
    {"if((x < y or m < 2) and x < 1, 1, m)",
     "\\begin{cases} 1 & \\text{if } \\left(x < y \\text{ or } m < 2\\right) \\text{ and } x < 1 \\\\ m & "
     "\\text{otherwise} \\end{cases}"},
    {"floor(x/y)", "\\left\\lfloor \\frac{x}{y} \\right\\rfloor"},
    {"select(x, 1, m)", "\\begin{cases} 1 & \\text{if } x > 0 \\\\ m & \\text{otherwise} \\end{cases}"},
};
INSTANTIATE_TEST_SUITE_P(Samples, Latex, ::testing::ValuesIn(samples));

TEST(Text, AliasesPrintAsWhatTheyMean) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Expr sum = graph.alias(x + y);
  EXPECT_EQ(to_text(sum * 2), "2*(x + y)");
  EXPECT_EQ(to_text(x - sum), "x - (x + y)");
  EXPECT_EQ(to_text(powi(graph.alias(-x), 2)), "(-x)^2");
  EXPECT_EQ(to_latex(x * sum), "x \\left(x + y\\right)");
}

TEST(Text, FewParentheses) {
  Graph graph;
  for (const char* text :
       {"x + y - z", "x*y/z", "x - (y + z)", "x/(y*z)", "(x + y)*z", "x^y^z", "(x^y)^z", "exp(-x)", "-x^2", "2^(-x)",
        "x*(1/y)", "3/4*x", "x^(1/3)", "-1/2*x", "x' + theta'*sin(theta)", "1/3/x", "(-2)^x", "atan2(y, x + 1)"}) {
    const Parsed parsed = parse_expression(graph, text, open_scope(graph));
    EXPECT_EQ(to_text(parsed.expression), text);
  }
}

}  // namespace
}  // namespace noslip::testing

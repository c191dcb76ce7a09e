#include <gtest/gtest.h>

#include <noslip/expr/degree.hpp>
#include <noslip/expr/parse.hpp>

#include "expr/scope.hpp"

namespace noslip::testing {
namespace {

std::optional<int> degree(const char* text) {
  Graph graph;
  const Expr f = parse_expression(graph, text, open_scope(graph)).expression;
  return polynomial_degree(f, std::vector<Expr>{graph.symbol("x"), graph.symbol("y")});
}

TEST(PolynomialDegree, OfPolynomials) {
  EXPECT_EQ(degree("3"), 0);
  EXPECT_EQ(degree("sin(m)/pi"), 0);
  EXPECT_EQ(degree("x"), 1);
  EXPECT_EQ(degree("m*x*y/sqrt(k) - x + 1"), 2);
  EXPECT_EQ(degree("(x + y^2)^3*exp(-m)*x"), 7);
  EXPECT_EQ(degree("-(x^2)"), 2);
  EXPECT_EQ(degree("(x + 1)^2 - x^2"), 2) << "an upper bound";
}

TEST(PolynomialDegree, NothingForOtherFunctions) {
  for (const char* text : {"sin(x)", "m/x", "x^2 + sqrt(y)", "x^m", "abs(x)", "min(x, 1)", "select(x, 1, 2)",
                           "select(m, x, 2)", "atan2(m, y)"}) {
    EXPECT_EQ(degree(text), std::nullopt) << text;
  }
}

TEST(PolynomialDegree, AliasesAreLookedThrough) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr inner = graph.alias(powi(x, 2) + 1);
  EXPECT_EQ(polynomial_degree(powi(inner, 3), std::vector<Expr>{x}), 6);
  EXPECT_EQ(polynomial_degree(powi(inner, 3), std::vector<Expr>{inner}), 3);
  EXPECT_EQ(polynomial_degree(sin(inner), std::vector<Expr>{graph.symbol("y")}), 0);
}

TEST(PolynomialDegree, HugeExponentsSaturate) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr f = powi(powi(x + 1, 2000000000) + 1, 2000000000);
  EXPECT_EQ(polynomial_degree(f, std::vector<Expr>{x}), std::numeric_limits<int>::max());
}

TEST(PolynomialDegree, TermsBeyondADegree) {
  Graph graph;
  const auto parsed = [&](const char* text) { return parse_expression(graph, text, open_scope(graph)).expression; };
  const auto beyond = [&](Expr f) {
    return terms_beyond_degree(2, f, std::vector<Expr>{graph.symbol("x"), graph.symbol("y")});
  };
  EXPECT_TRUE(beyond(parsed("m*x*y - x^2/2 + sin(m)")).is_zero());
  EXPECT_EQ(beyond(parsed("x^2 + x*y^2 - y")), parsed("x*y^2"));
  EXPECT_EQ(beyond(parsed("x^2 - 3*(sin(x) + y)/2")), parsed("-3*sin(x)/2"));
  EXPECT_EQ(beyond(graph.alias(parsed("y^3 + x"))), parsed("y^3"));
  EXPECT_EQ(beyond(parsed("m*(sin(x) + y)")), parsed("m*(sin(x) + y)")) << "only constants are multiplied out";
}

bool smooth(const char* text) {
  Graph graph;
  const Expr f = parse_expression(graph, text, open_scope(graph)).expression;
  return is_smooth(f, std::vector<Expr>{graph.symbol("x"), graph.symbol("y")});
}

TEST(Smoothness, FunctionsWithCornersOrJumpsHaveNone) {
  for (const char* text :
       {"abs(x)", "sign(y)", "min(x, 1)", "min(m, x*y)", "max(y, k)", "less(x, 0)", "floor(x)", "if(x < 1, 1, 2)",
        "select(x, m, k)", "select(m, x, k)", "select(m, k, x)", "m + 2*sin(abs(x*y))^2"}) {
    EXPECT_FALSE(smooth(text)) << text;
  }
}

TEST(Smoothness, CornersInOtherVariablesDoNotCount) {
  for (const char* text : {"3", "x", "abs(m)*x^2", "min(m, k) + y", "x*select(m, k, sign(k))", "sqrt(x)/y",
                           "exp(x)*max(m, 0)", "atan2(x, y)"}) {
    EXPECT_TRUE(smooth(text)) << text;
  }
}

TEST(Smoothness, IsToldPerFunction) {
  Graph graph;
  const Expr x = graph.symbol("x"), inner = graph.alias(abs(x));
  const std::vector<Expr> functions = {inner * x, x * x, cos(inner)};
  EXPECT_EQ(are_smooth(functions, std::vector<Expr>{x}), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(are_smooth(functions, std::vector<Expr>{inner}), (std::vector<bool>{true, true, true}));
}

}  // namespace
}  // namespace noslip::testing

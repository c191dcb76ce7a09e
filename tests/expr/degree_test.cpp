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

}  // namespace
}  // namespace noslip::testing

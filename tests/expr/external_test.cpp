// Functions written in C++ as nodes of expressions.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/expr/degree.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>

#include "expr/scope.hpp"

namespace noslip::testing {
namespace {

ExternalFunction product(ExternalOptions options = {}) {
  return {"product", 3, [](std::span<const double> a) { return a[0] * a[1] * a[2]; }, std::move(options)};
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(External, CallsAreNodesThatExistOnce) {
  Graph graph;
  const ExternalFunction f = product(), g = product();
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Expr call = f(x, y, x + y);
  EXPECT_EQ(call, f(x, y, x + y));
  EXPECT_EQ(call, noslip::call(f, {x, y, x + y}));
  EXPECT_NE(call, g(x, y, x + y)) << "two functions that happen to have one name";
  EXPECT_EQ(arguments_of(call), (std::vector<Expr>{x, y, x + y}));
  EXPECT_TRUE(depends_on(call, y));
  EXPECT_FALSE(depends_on(call, graph.symbol("z")));
  EXPECT_EQ(call - call, graph.constant(0));
  EXPECT_EQ(symbols_of(std::span(&call, 1)), (std::vector<Expr>{x, y}));
}

TEST(External, PrintsItsNameAndItsDerivatives) {
  Graph graph;
  const Expr x = graph.symbol("x"), v = graph.symbol("x'");
  const ExternalFunction pull("pull_2", 2, [](std::span<const double> a) { return a[0]; });
  const Expr force = -2 * pull(x, v + 1);
  EXPECT_EQ(to_text(force), "-2*pull_2(x, x' + 1)");
  EXPECT_EQ(to_text(derivative(force, v)), "-2*pull_2[2](x, x' + 1)");
  EXPECT_EQ(to_text(derivative(derivative(force, v), x)), "-2*pull_2[1, 2](x, x' + 1)");
  EXPECT_EQ(to_text(powi(derivative(force, v), 2)), "4*pull_2[2](x, x' + 1)^2");
  EXPECT_EQ(to_latex(derivative(force, v)), "-2 \\partial_{2} \\operatorname{pull\\_2}\\left(x, \\dot{x} + 1\\right)");
  const Parsed parsed = parse_expression(graph, "pull_2(x, 1)", open_scope(graph));
  ASSERT_EQ(parsed.problems.size(), 1U) << "no text can call it";
  EXPECT_EQ(parsed.problems[0].what, "unknown function 'pull_2'");
}

TEST(External, HasTheDerivativesOfTheChainRule) {
  Graph graph;
  const ExternalFunction f = product();
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Expr call = f(x, y, sin(x));
  EXPECT_EQ(to_text(derivative(call, x)), "product[1](x, y, sin(x)) + cos(x)*product[3](x, y, sin(x))");
  EXPECT_EQ(derivative(derivative(call, y), x), derivative(derivative(call, x), y));
  EXPECT_EQ(derivative(call, graph.symbol("z")), graph.constant(0));
  const Expr variables[] = {x, y};
  const std::vector<Expr> both = gradient(y * call, variables);
  EXPECT_EQ(both[0], derivative(y * call, x));
  EXPECT_EQ(both[1], derivative(y * call, y));
  const Expr stage = graph.alias(x * y);
  EXPECT_EQ(to_text(derivative(f(stage, stage, y), x)), to_text((derivative(f(stage, stage, y), stage)) * y));
}

TEST(External, GoesToOtherGraphs) {
  Graph graph, other;
  const ExternalFunction f = product(), g("other", 1, [](std::span<const double> a) { return a[0]; });
  other.index_of({g, {}});
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Expr call = f(x, y, x * y);
  Substitution put(other);
  put.replace(x, other.symbol("z") + 1);
  const Expr copied = put(derivative(call, y));
  EXPECT_EQ(to_text(copied), "product[2](z + 1, y, (z + 1)*y) + (z + 1)*product[3](z + 1, y, (z + 1)*y)");
  EXPECT_TRUE(copied.a().op() == Op::call && copied.a().called().function == f);
  Graph copy(graph);
  EXPECT_TRUE(copy.extends(graph));
  const Expr again = copy.counterpart(call);
  EXPECT_EQ(to_text(derivative(again, copy.symbol("x"))), to_text(derivative(call, x)));
  EXPECT_TRUE(copy.extends(graph));
  g(copy.symbol("x"));
  EXPECT_FALSE(graph.extends(copy));
  graph.freeze();
  EXPECT_THROW(g(graph.symbol("x")), std::logic_error);
  EXPECT_EQ(f(x, y, graph.counterpart(arguments_of(call)[2])), call);
}

TEST(External, IsNoPolynomialAndSmoothUnlessItSaysSo) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Expr smooth = product()(x, x, x), edged = product({.has_corners = true})(x, x, x);
  EXPECT_EQ(polynomial_degree(smooth, std::span(&x, 1)), std::nullopt);
  EXPECT_EQ(polynomial_degree(smooth * y, std::span(&y, 1)), 1);
  EXPECT_TRUE(is_smooth(smooth, std::span(&x, 1)));
  EXPECT_FALSE(is_smooth(edged, std::span(&x, 1)));
  EXPECT_TRUE(is_smooth(edged, std::span(&y, 1)));
}

TEST(External, DerivativesAreGivenOrDifferences) {
  const auto f = [](std::span<const double> a) { return std::exp(a[0]) * std::sin(a[1]); };
  const ExternalFunction plain("f", 2, f);
  const ExternalFunction exact("f", 2, f, {.derivative = [](std::span<const double> a, std::size_t by) {
                                 return std::exp(a[0]) * (by == 0 ? std::sin(a[1]) : std::cos(a[1]));
                               }});
  EXPECT_FALSE(plain.has_derivatives());
  EXPECT_TRUE(exact.has_derivatives());
  const auto at = [](const ExternalFunction& g, std::vector<std::uint32_t> by) {
    std::vector<double> x{1.3, 0.4};
    const double value = g.evaluate<double>(by, x);
    EXPECT_EQ(x, (std::vector<double>{1.3, 0.4}));
    return value;
  };
  const double e = std::exp(1.3), s = std::sin(0.4), c = std::cos(0.4);
  EXPECT_EQ(at(plain, {}), e * s);
  EXPECT_EQ(at(exact, {1}), e * c);
  EXPECT_NEAR(at(plain, {1}), e * c, 1e-10);
  EXPECT_NE(at(plain, {1}), e * c);
  EXPECT_NEAR(at(exact, {0, 1}), e * c, 1e-10);
  EXPECT_NEAR(at(plain, {0, 1}), e * c, 1e-6);
  EXPECT_NEAR(at(plain, {1, 1}), -e * s, 1e-6);
  EXPECT_NEAR(at(exact, {1, 1, 1}), -e * c, 1e-6);
  EXPECT_NEAR(at(plain, {0, 0, 1}), e * c, 1e-4);
}

TEST(External, StepsOfDifferencesHaveTheSizeOfTheArgument) {
  const auto f = [](std::span<const double> a) { return std::sin(1e9 * a[0]); };
  const ExternalFunction coarse("f", 1, f), fine("f", 1, f, {.sizes = {1e-9}});
  std::vector<double> zero{0}, large{1e6};
  const std::uint32_t by[] = {0};
  EXPECT_NEAR(fine.evaluate<double>(by, zero), 1e9, 0.1);
  EXPECT_GT(std::abs(coarse.evaluate<double>(by, zero) - 1e9), 1e8);
  const ExternalFunction square("f", 1, [](std::span<const double> a) { return a[0] * a[0]; });
  EXPECT_NEAR(square.evaluate<double>(by, large), 2e6, 1e-4);
}

TEST(External, ExtendedPrecisionCallsTheFunctionOfDoublesUnlessThereIsABetterOne) {
  const auto f = [](std::span<const double> a) { return a[0] / 3; };
  const auto in_quad = [](std::span<const quad> a) { return a[0] / 3; };
  const ExternalFunction rounded("f", 1, f), exact("f", 1, f, {.quad_value = in_quad});
  std::vector<quad> one{1};
  std::vector<long double> long_one{1};
  const std::uint32_t by[] = {0};
  EXPECT_TRUE(rounded.evaluate<quad>({}, one) == static_cast<quad>(1.0 / 3));
  EXPECT_TRUE(exact.evaluate<quad>({}, one) == quad(1) / 3);
  EXPECT_TRUE(exact.evaluate<long double>({}, long_one) == 1.0L / 3);
  EXPECT_NEAR(static_cast<double>(1e18 * (exact.evaluate<quad>(by, one) - quad(1) / 3)), 0, 1e-2);
}

TEST(External, MistakesAreRefused) {
  Graph graph, other;
  const auto f = [](std::span<const double> a) { return a[0]; };
  EXPECT_NE(refusal([&] { ExternalFunction("sin", 1, f); }).find("'sin' is a function"), std::string::npos);
  EXPECT_NE(refusal([&] { ExternalFunction("f", 0, f); }).find("has 0 arguments"), std::string::npos);
  EXPECT_NE(refusal([&] { ExternalFunction("f", 65, f); }).find("1 to 64 are possible"), std::string::npos);
  EXPECT_NE(refusal([&] { ExternalFunction("f", 1, {}); }).find("there is no function 'f'"), std::string::npos);
  EXPECT_NE(refusal([&] { ExternalFunction("f", 2, f, {.sizes = {1}}); }).find("not 2 positive"), std::string::npos);
  EXPECT_NE(refusal([&] { ExternalFunction("f", 1, f, {.sizes = {0}}); }).find("not 1 positive"), std::string::npos);
  const ExternalFunction two("two", 2, f);
  const Expr x = graph.symbol("x");
  EXPECT_NE(refusal([&] { two(x); }).find("'two' is called with 1 argument\n  it takes 2"), std::string::npos);
  EXPECT_NE(refusal([&] { two(x, other.symbol("y")); }).find("belong to two graphs"), std::string::npos);
}

}  // namespace
}  // namespace noslip::testing

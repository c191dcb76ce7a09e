#include <cmath>
#include <ostream>
#include <quadmath.h>

#include <gtest/gtest.h>

#include <noslip/expr/derivative.hpp>
#include <noslip/expr/difference.hpp>
#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>

#include "expr/difference_help.hpp"
#include "expr/scope.hpp"

namespace noslip::testing {
namespace {

constexpr double unit = 0x1p-53;
constexpr double widths[] = {1, -0.75, 0.2, 1e-2, 1e-4, 1e-8, -1e-10, 1e-12, 1e-100, 0};

struct Rule {
  const char* function;  // of x and y
  double low, high;      // where x and y start, and end for the width one
  double floor = 0;      // errors are relative to |difference| + floor*|slopes|
};

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.function; }

class DifferenceRule : public ::testing::TestWithParam<Rule> {
 protected:
  double between(Random& random) const { return GetParam().low + (GetParam().high - GetParam().low) * uniform(random); }
  /// Start and end in the range for all widths; some slopes are zero.
  Values values(Random& random, double width) const {
    Values result;
    for (const std::string name : {"x", "y"}) {
      const double start = between(random);
      result[name] = start;
      result[Moving::slope_name(name)] = below(random, 12) == 0 ? 0 : (between(random) - start) / (width < 0 ? -1 : 1);
    }
    result["w"] = width;
    return result;
  }
  static double size(const Values& values) {
    return std::abs(static_cast<double>(values.at("x_s"))) + std::abs(static_cast<double>(values.at("y_s")));
  }
};

TEST_P(DifferenceRule, IsAccurateForEveryWidth) {
  Graph graph;
  const Expr f = parse_expression(graph, GetParam().function, open_scope(graph)).expression;
  const Moving moving(graph, f, {"x", "y"});
  Random random(31);
  for (const double width : widths) {
    Expr fixed = moving.result;
    if (width != 0) {
      std::vector<Move> moves;
      for (const char* name : {"x", "y"}) {
        moves.push_back({graph.symbol(name), graph.symbol(name), graph.symbol(Moving::slope_name(name))});
      }
      fixed = divided_difference(f, moves, graph.constant(Number::real(static_cast<quad>(width))));
    }
    for (int i = 0; i < 60; ++i) {
      const Values at = values(random, width);
      const auto expected = moving.difference(at);
      const double tolerance = 12 * unit * (static_cast<double>(fabsq(expected.value)) + GetParam().floor * size(at));
      for (const Expr& result : {moving.result, fixed}) {
        const double value = evaluate_double(result, at);
        ASSERT_LE(std::abs(static_cast<double>(static_cast<quad>(value) - expected.value)), tolerance)
            << "width " << width << ", x = " << static_cast<double>(at.at("x")) << " + w*"
            << static_cast<double>(at.at("x_s")) << ", y = " << static_cast<double>(at.at("y")) << " + w*"
            << static_cast<double>(at.at("y_s")) << ": " << value << ", not " << static_cast<double>(expected.value);
      }
    }
  }
}

TEST_P(DifferenceRule, HasAccurateDerivatives) {
  Graph graph;
  const Expr f = parse_expression(graph, GetParam().function, open_scope(graph)).expression;
  const Moving moving(graph, f, {"x", "y"});
  Random random(32);
  for (const Entry& entry : jacobian({&moving.result, 1}, moving.parameters)) {
    const std::string by = moving.parameters[static_cast<std::size_t>(entry.column)].name();
    for (const double width : widths) {
      for (int i = 0; i < 20; ++i) {
        const Values at = values(random, width);
        const auto expected = moving.derivative(at, by);
        const double value = evaluate_double(entry.value, at);
        ASSERT_TRUE(std::isfinite(value)) << "by " << by << ", width " << width;
        if (!expected.tame) continue;
        const double size_of = static_cast<double>(fabsq(expected.value)) + 1 + size(at) * size(at);
        ASSERT_LE(std::abs(static_cast<double>(static_cast<quad>(value) - expected.value)), 1e-13 * size_of)
            << "by " << by << ", width " << width << ", x = " << static_cast<double>(at.at("x")) << " + w*"
            << static_cast<double>(at.at("x_s")) << ", y = " << static_cast<double>(at.at("y")) << " + w*"
            << static_cast<double>(at.at("y_s")) << ": " << value << ", not " << static_cast<double>(expected.value);
      }
    }
  }
}

constexpr Rule rules[] = {
    {"x", -2, 2},
    {"3*x - y", -2, 2, 2},
    {"x*y", -2, 2, 2},
    {"x^2*sin(2)/5", -2, 2, 2},
    {"x^3", -2, 2, 6},
    {"x^6", -1.5, 1.5, 20},
    {"x^11", 0.5, 1.5},
    {"x^-3", 0.5, 2},
    {"1/x", -3, -0.5},
    {"x/y", 0.5, 2, 4},
    {"(x + 2)/3", 0.5, 2},
    {"x/(1 + x^2)", -2, 2, 1},
    {"sqrt(x)", 0.01, 4},
    {"sqrt(x^2 + y^2)", 0.1, 2, 1},
    {"x^(3/2)", 0.1, 4},
    {"abs(x)", -2, 2, 1},
    {"sin(x)", -3, 3, 2},
    {"sin(x)", -0.5, 0.5},
    {"cos(x)", -3, 3, 2},
    {"cos(x)", 1, 2},
    {"tan(x)", -1.2, 1.2, 1},
    {"asin(x)", -0.9, 0.9},
    {"acos(x)", -0.9, 0.9},
    {"atan(x)", -4, 4, 0.1},
    {"sinh(x)", -3, 3, 2},
    {"cosh(x)", -3, 3, 2},
    {"tanh(x)", -2, 2},
    {"tanh(x)", 8, 16, 1e-6},
    {"exp(x)", -3, 3},
    {"exp(-x^2)", -3, 3, 1},
    {"log(x)", 0.01, 3},
    {"log(x)", 1, 1.1},
    {"atan2(x, y)", 0.2, 2, 5},
    {"atan2(-x, -y)", 0.2, 2, 5},
    {"x^0.3", 0.1, 3},
    {"x^y", 0.2, 2, 4},
    {"2^x", -2, 2},
    {"min(x, y)", -2, 2, 1},
    {"max(x, 2*y)", -2, 2, 2},
    {"select(x, x^2, x)", 0.1, 2},
    {"select(x, x^2, x)", -2, -0.1},
    {"-cos(x) + sin(2*x)/5", -3, 3, 3},
    {"log(1 + exp(x))", -3, 3, 1},
};
INSTANTIATE_TEST_SUITE_P(Rules, DifferenceRule, ::testing::ValuesIn(rules));

/// One variable x, from start to start + width*slope.
class Line {
 public:
  explicit Line(const char* text) : function_(parse_expression(graph_, text, open_scope(graph_)).expression) {
    const Move move{graph_.symbol("x"), graph_.symbol("x"), graph_.symbol("x_s")};
    result_ = divided_difference(function_, {&move, 1}, graph_.symbol("w"));
  }
  double operator()(double start, double slope, double width) {
    const Values at{{"x", start}, {"x_s", slope}, {"w", width}, {"n", 4}};
    for (const Entry& entry :
         jacobian({&result_, 1}, std::vector<Expr>{graph_.symbol("x"), graph_.symbol("x_s"), graph_.symbol("w")})) {
      EXPECT_TRUE(std::isfinite(evaluate_double(entry.value, at))) << to_text(function_);
    }
    return evaluate_double(result_, at);
  }

 private:
  Graph graph_;
  Expr function_, result_;
};

TEST(Difference, OnTheEdgeItIsTheBranchOfTheDerivative) {
  EXPECT_EQ(Line("abs(x)")(0, 3, 0), 0);
  EXPECT_EQ(Line("abs(x)")(0, 3, 1e-20), 3);
  EXPECT_EQ(Line("abs(x)")(0, -3, 1e-20), 3);
  EXPECT_EQ(Line("abs(x)")(-2, 1, 3), -1.0 / 3);
  EXPECT_EQ(Line("min(x, 5*x)")(0, 1, 0), 5);
  EXPECT_EQ(Line("max(x, 5*x)")(0, 1, 0), 1);
  EXPECT_EQ(Line("min(x, 5*x)")(0, 1, 1e-30), 1);
  EXPECT_EQ(Line("select(x, 2*x, 3*x)")(0, 1, 0), 3);
  EXPECT_EQ(Line("sign(x)")(0, 1, 0), 0);
}

TEST(Difference, AcrossAJumpItIsTheQuotient) {
  EXPECT_EQ(Line("sign(x)")(-1, 1, 4), 0.5);
  EXPECT_EQ(Line("floor(x)")(-1, 1, 4), 1);
  EXPECT_EQ(Line("floor(x)")(0.25, 1, 0.5), 0);
  EXPECT_EQ(Line("mod(x, 3)")(1, 1, 4), -0.5 + 0.75);
  EXPECT_EQ(Line("if(x < 0, sqrt(x), 2*x)")(1, 1, 0.5), 2);
  EXPECT_EQ(Line("clamp(x, -1, 1)")(-3, 1, 6), 1.0 / 3);
  EXPECT_EQ(Line("less(x, 1)")(0, 1, 0.5), 0);
  EXPECT_EQ(Line("less(x, 1)")(0, 1, 2), -0.5);
  EXPECT_EQ(Line("select(x, x + 10, x)")(-1, 1, 2), 6);
  EXPECT_EQ(Line("select(x, 10, 20)")(1, -1, 2), 5 * 1.0);
  const double turn = 2 * std::atan(0.5);  // the short way, from one side of the cut to the other
  EXPECT_NEAR(Line("atan2(x, -2)")(1, -1, 2), (turn - 2 * std::acos(-1.0)) / 2, 1e-15);
  EXPECT_NEAR(Line("atan2(x, -2)")(-1, 1, 2), (2 * std::acos(-1.0) - turn) / 2, 1e-15);
}

TEST(Difference, AbsoluteValuesAndExtremesCrossTheirEdgeWithoutCancellation) {
  const double tiny = 1e-40;
  EXPECT_EQ(Line("abs(x)")(-tiny, 4, tiny), 2);
  EXPECT_EQ(Line("max(x + 1, 1)")(0, 4, tiny), 4) << "it starts on the edge";
  EXPECT_EQ(Line("min(3, abs(x) + 1)")(tiny, 4, tiny), 4);
}

TEST(Difference, FarEndsDoNotOverflow) {
  EXPECT_EQ(Line("exp(-x^2)")(0, 50, 1), -1);
  EXPECT_EQ(Line("exp(-x^2)")(40, -40, 1), 1);
  EXPECT_EQ(Line("tanh(x)")(-1000, 2000, 1), 2);
  EXPECT_NEAR(Line("tanh(x)")(900, 1, 1), 0, 1e-300);
  EXPECT_EQ(Line("1/(x + 1)")(-2, 2, 1), 2) << "a pole between the ends";
  EXPECT_EQ(Line("(x + 2)/x")(-1, 2, 1), 4);
  EXPECT_NEAR(Line("log(x)")(1e-100, 1, 1e100), 200 * std::log(10.0) * 1e-100, 1e-112);
}

TEST(Difference, PowersWithAnIntegerForExponentTakeAnyBase) {
  EXPECT_NEAR(Line("x^n")(-2, 1, 0), -32, 1e-13);
  EXPECT_NEAR(Line("x^n")(-2, 1, 1e-50), -32, 1e-13);
  EXPECT_NEAR(Line("x^n")(-2, 1, 3), -5, 1e-14);
  EXPECT_EQ(Line("x^n")(0, 1, 2), 8);
}

TEST(Difference, RootsAndPowersStartAtZero) {
  Graph graph;
  const Expr x = graph.symbol("x"), s = graph.symbol("s"), w = graph.symbol("w");
  const Move move{x, x, s};
  const Values at{{"x", 0}, {"s", 4}, {"w", 4}}, still{{"x", 0}, {"s", 4}, {"w", 0}};
  EXPECT_EQ(evaluate_double(divided_difference(sqrt(x), {&move, 1}, w), at), 1);
  const Expr power = pow(x, graph.constant(Number::rational(5, 4)));
  EXPECT_EQ(evaluate_double(divided_difference(power, {&move, 1}, w), at), 8);
  EXPECT_EQ(evaluate_double(divided_difference(power, {&move, 1}, w), still), 0);
}

TEST(Difference, OfWidthOneIsAsShortAsByHand) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), one = graph.constant(1);
  const Move move{x, x, y - x};
  const auto text = [&](Expr f) { return to_text(divided_difference(f, {&move, 1}, one)); };
  EXPECT_EQ(text(x), "y - x");
  EXPECT_EQ(text(powi(x, 2)), "2*(y - x)*(x + 1/2*(y - x))");
  EXPECT_EQ(text(sqrt(x)), "(y - x)/(sqrt(x) + sqrt(y))");
  EXPECT_EQ(text(sin(x)), "2*cos(x + 1/2*(y - x))*sin(1/2*(y - x))");
  EXPECT_EQ(text(graph.symbol("z")), "0");
}

TEST(Difference, SymbolsMayComeFromAnotherGraphAndBecomeExpressions) {
  Graph source, target;
  const Expr x = source.symbol("x"), m = source.symbol("m");
  const Expr f = m * powi(x, 2);
  const Expr a = target.symbol("a"), w = target.symbol("w");
  const Move move{x, 3 * a, target.symbol("s")};
  const Expr result = divided_difference(f, {&move, 1}, w);
  EXPECT_EQ(result.graph, &target);
  EXPECT_EQ(evaluate_double(result, {{"a", 2}, {"s", 5}, {"w", 4}, {"m", 7}}), 7 * 5 * (12 + 20));
  const Move rest{x, a, target.constant(0)};
  EXPECT_TRUE(divided_difference(f, {&rest, 1}, w).is_zero());
}

TEST(Difference, ConstantWidthZeroIsTheDerivative) {
  Graph graph;
  const Expr x = graph.symbol("x"), s = graph.symbol("s");
  const Move move{x, x, s};
  const Expr f = sin(powi(x, 2)) * exp(x) / log(x) + atan(x);
  const Expr zero = divided_difference(f, {&move, 1}, graph.constant(0));
  const Values at{{"x", 1.75}, {"s", 0.5}};
  EXPECT_NEAR(evaluate_double(zero, at), evaluate_double(derivative(f, x), at) / 2, 1e-14);
}

TEST(Difference, AliasesStayForTheValues) {
  Graph graph;
  const Expr x = graph.symbol("x"), s = graph.symbol("s"), w = graph.symbol("w");
  const Expr inner = graph.alias(sin(x));
  const Move move{x, x, s};
  const Expr result = divided_difference(powi(inner, 2), {&move, 1}, w);
  EXPECT_TRUE(depends_on(result, inner));
  const Values at{{"x", 0.5}, {"s", 2}, {"w", 0.25}};
  EXPECT_NEAR(evaluate_double(result, at), (std::pow(std::sin(1.0), 2) - std::pow(std::sin(0.5), 2)) / 0.25, 1e-15);
}

TEST(Difference, DeepGraphsDoNotOverflowTheStack) {
  Graph graph;
  const Expr x = graph.symbol("x");
  Expr f = x;
  for (int i = 0; i < 20000; ++i) f = sqrt(f + i);
  const Move move{x, x, graph.symbol("s")};
  EXPECT_FALSE(divided_difference(f, {&move, 1}, graph.symbol("w")).is_zero());
}

}  // namespace
}  // namespace noslip::testing

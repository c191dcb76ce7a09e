// Tables: values, derivatives and slopes against the same polynomials and splines computed otherwise; what is refused.
#include <cmath>
#include <quadmath.h>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/expr/degree.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/expr/graph.hpp>
#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>
#include <noslip/expr/switches.hpp>
#include <noslip/expr/table.hpp>

namespace noslip {
namespace {

using Points = std::vector<double>;

constexpr TableOptions cubic{.kind = Table::Kind::cubic};

TEST(Table, LinesBetweenPoints) {
  const Table table("f", Points{0, 1, 3}, Points{1, 3, -1}, {});
  EXPECT_EQ(table.value(0.0), 1);
  EXPECT_EQ(table.value(0.25), 1.5);
  EXPECT_EQ(table.value(1.0), 3);
  EXPECT_EQ(table.value(2.0), 1);
  EXPECT_EQ(table.value(3.0), -1);
  EXPECT_EQ(table.value(0.5, 1), 2);
  EXPECT_EQ(table.value(1.0, 1), -2) << "to the right";
  EXPECT_EQ(table.value(3.0, 1), -2) << "the last point belongs to the interval before it";
  for (const double outside : {-0.5, -1e300, 3.5, 1e300}) {
    EXPECT_EQ(table.value(outside), outside < 0 ? 1 : -1);
    EXPECT_EQ(table.value(outside, 1), 0);
  }
  EXPECT_TRUE(std::isnan(table.value(std::nan(""))));
}

TEST(Table, WithoutValuesOutside) {
  const Table table("f", Points{0, 1}, Points{1, 3}, {.outside = Table::Outside::error});
  EXPECT_EQ(table.value(0.0), 1);
  EXPECT_EQ(table.value(1.0), 3);
  for (const double outside : {-1e-300, std::nextafter(1.0, 2)}) {
    EXPECT_TRUE(std::isnan(table.value(outside)));
    EXPECT_TRUE(std::isnan(table.value(outside, 1)));
  }
}

quad polynomial(quad x) { return ((2 * x - 3) * x + quad(0.5)) * x - 7; }

TEST(Table, TheSplineOfACubicPolynomialIsThisPolynomial) {
  for (const std::size_t count : {4U, 5U, 17U, 1000U}) {
    std::vector<quad> x, y;
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back(quad(i) / 7 + quad(i % 3) / 50);
      y.push_back(polynomial(x.back()));
    }
    const Table table("f", x, y, cubic);
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const quad at = (x[i] + 2 * x[i + 1]) / 3, size = 1 + fabsq(polynomial(at));
      ASSERT_LT(static_cast<double>(fabsq(table.value(at) - polynomial(at)) / size), 1e-28) << count << " " << i;
      ASSERT_LT(static_cast<double>(fabsq(table.value(at, 1) - ((6 * at - 6) * at + quad(0.5))) / size), 1e-26);
      ASSERT_LT(static_cast<double>(fabsq(table.value(at, 2) - (12 * at - 6)) / size), 1e-24);
    }
  }
}

TEST(Table, FewPointsGiveALineAndAParabola) {
  const Table line("f", Points{0, 2}, Points{1, 5}, cubic), parabola("f", Points{-1, 0, 2}, Points{1, 0, 4}, cubic);
  EXPECT_EQ(line.value(0.5), 2);
  for (const double x : {-0.5, 0.25, 1.0, 1.75}) EXPECT_NEAR(parabola.value(x), x * x, 1e-15);
}

TEST(Table, TheSplineHasTwoContinuousDerivativesAndFourthOrder) {
  double before = 0;
  for (const int count : {21, 41, 81}) {
    Points x, y;
    for (int i = 0; i < count; ++i) {
      x.push_back(2.0 * i / (count - 1));
      y.push_back(std::sin(3 * x.back()));
    }
    const Table table("f", x, y, cubic);
    double error = 0;
    for (int i = 0; i < 1000; ++i) error = std::max(error, std::fabs(table.value(i * 0.002) - std::sin(i * 0.006)));
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 4, 0.4);
    }
    before = error;
    for (std::size_t i = 1; i + 1 < x.size(); ++i) {
      for (const int derivative : {0, 1, 2}) {
        const quad at = quad(x[i]), step = 1e-12;
        EXPECT_LT(static_cast<double>(fabsq(table.value(at - step, derivative) - table.value(at, derivative))), 1e-9);
      }
    }
  }
}

TEST(Table, ManyPointsAreFoundAtOnce) {
  std::vector<double> x, y;
  for (int i = 0; i < 100'000; ++i) {
    x.push_back(0.5 * i);
    y.push_back(i % 7);
  }
  const Table table("f", x, y, cubic);
  for (int i = 0; i < 100'000; i += 333) {
    EXPECT_EQ(table.value(0.5 * i), i % 7);
    EXPECT_EQ(table.interval(0.5 * i), std::min(i + 1, 99'999));
  }
}

TEST(Table, IsAnExpressionWithDerivatives) {
  Graph graph;
  const Table table("steer", Points{0, 1, 2, 3}, Points{0, 1, 0, 2}, cubic);
  const Expr x = graph.symbol("x"), f = table(x * x);
  EXPECT_EQ(to_text(f), "steer(x^2)");
  EXPECT_EQ(to_text(derivative(f, x)), "2*x*steer'(x^2)");
  EXPECT_EQ(to_text(derivative(derivative(derivative(table(x), x), x), x)), "steer'''(x)");
  EXPECT_TRUE(derivative(look_up(table, x, 3), x).is_zero());
  const Table line("line", Points{0, 1}, Points{0, 1}, {});
  EXPECT_TRUE(derivative(derivative(line(x), x), x).is_zero());
  EXPECT_EQ(to_latex(f), "\\operatorname{steer}\\left(x^{2}\\right)");
  Graph other;
  Substitution copy(other);
  EXPECT_EQ(to_text(copy(derivative(f, x))), "2*x*steer'(x^2)");
  EXPECT_FALSE(are_smooth(std::vector<Expr>{line(x)}, std::vector<Expr>{x}).front());
  const Table strict("strict", Points{0, 1, 2, 3}, Points{0, 1, 0, 2}, {Table::Kind::cubic, Table::Outside::error});
  EXPECT_TRUE(are_smooth(std::vector<Expr>{strict(x)}, std::vector<Expr>{x}).front());
}

TEST(Table, IsCalledWithOneArgument) {
  Graph graph;
  const Table table("steer", Points{0, 1}, Points{0, 1}, {});
  Scope scope;
  scope.symbol = [&](std::string_view name) { return name == "x" ? std::optional(graph.symbol("x")) : std::nullopt; };
  scope.table = [&](std::string_view name) { return name == "steer" ? std::optional(table) : std::nullopt; };
  EXPECT_EQ(parse_expression(graph, "2*steer(x + 1)", scope).expression, 2 * table(graph.symbol("x") + 1));
  const auto problem = [&](const char* text) {
    const ParseProblem found = parse_expression(graph, text, scope).problems.at(0);
    return found.what + " / " + found.remedy;
  };
  EXPECT_EQ(problem("steer(x, 1)"), "the table 'steer' has one argument, not 2 / write steer(t), or another argument");
  EXPECT_EQ(problem("steer + 1"),
            "the table 'steer' needs its argument in parentheses / write steer(t), or another argument");
}

std::string refusal(const Points& x, const Points& y, const std::string& name = "f") {
  try {
    const Table table(name, x, y, cubic);
  } catch (const InputError& error) {
    return error.problems().front().what + " / " + error.problems().front().remedy;
  }
  return "accepted";
}

TEST(Table, WhatIsRefused) {
  EXPECT_EQ(refusal({}, {}), "table 'f' has 0 points / give at least two points");
  EXPECT_EQ(refusal({1}, {1}), "table 'f' has 1 point / give at least two points");
  EXPECT_EQ(refusal({1, 2}, {1}), "table 'f' has 2 arguments and 1 values / give one value per argument");
  EXPECT_EQ(refusal({0, 2, 1}, {0, 0, 0}),
            "points 2 and 3 of table 'f' are out of order: 1 after 2 / sort them by argument");
  EXPECT_EQ(refusal({0, 1, 1}, {0, 0, 0}),
            "points 2 and 3 of table 'f' have the same argument: 1 after 1 / a table has one value at each argument; "
            "write a jump as if(t < 1, a, b)");
  EXPECT_EQ(refusal({0, 1}, {0, std::nan("")}), "point 2 of table 'f' is not finite: [1, nan] / give numbers");
  EXPECT_EQ(refusal({0, INFINITY}, {0, 0}), "point 2 of table 'f' is not finite: [inf, 0] / give numbers");
  EXPECT_EQ(refusal({0, 1e-300}, {0, 1e300}),
            "between the points 1 and 2 of table 'f' the slope is beyond the largest number / give points that are "
            "further apart");
  EXPECT_EQ(refusal({0, 1}, {0, 1}, "1x"),
            "a table cannot have this name: the name '1x' starts with a digit / choose another name");
}

TEST(Switches, WhatChangesAndHowMuchIsLost) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), m = graph.symbol("m");
  const Table line("line", Points{0, 1}, Points{0, 1}, {});
  const std::vector<Expr> functions{select(less(x, m), abs(y), floor(x)) + max(m, graph.constant(1)) + line(y)};
  const std::vector<Switch> found = switches_of(functions, std::vector<Expr>{x, y});
  ASSERT_EQ(found.size(), 4U);
  std::vector<std::string> texts;
  for (const Switch& one : found) texts.push_back(to_text(one.quantity) + " " + std::to_string(one.smoothness));
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (std::vector<std::string>{"m - x -1", "x -1", "y 0", "y 0"}));
}

}  // namespace
}  // namespace noslip

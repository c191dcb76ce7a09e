// What of a solve is done before any number is known.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <noslip/exec/function.hpp>

#include "run/reduction.hpp"

namespace noslip {
namespace {

/// Reduces with all unknowns as candidates of explicit equations; everything is evaluated at x = 0.3, 0.6, ...
struct Reduced {
  Reduced(Graph& graph, std::vector<Expr> symbols, const std::vector<Expr>& residuals,
          const std::vector<Expr>& explicit_ones)
      : unknowns(std::move(symbols)) {
    for (std::size_t i = 0; i < unknowns.size(); ++i) at.push_back(0.3 * static_cast<double>(i + 1));
    reduction = reduce(graph, unknowns, residuals, {}, {}, explicit_ones,
                       [&](std::span<const Expr> expressions) { return numbers(expressions); });
  }
  std::vector<double> numbers(std::span<const Expr> expressions) const {
    const Function<double> function({unknowns}, {{expressions.begin(), expressions.end()}});
    const Evaluation<double> there = function({at});
    return {there.output(0).begin(), there.output(0).end()};
  }
  /// Symbols in residuals and values that are not kept.
  std::vector<std::string> forgotten() const {
    std::vector<Expr> all = reduction.residuals;
    all.insert(all.end(), reduction.values.begin(), reduction.values.end());
    std::vector<std::string> names;
    for (const Expr& symbol : symbols_of(all)) {
      bool is_kept = false;
      for (const std::size_t i : reduction.kept) is_kept = is_kept || unknowns[i] == symbol;
      if (!is_kept) names.push_back(symbol.name());
    }
    return names;
  }

  std::vector<Expr> unknowns;
  std::vector<double> at;
  Reduction reduction;
};

// The derivative of the second row by x vanishes, since two names of it cancel, but the row still reads x.
TEST(Reduction, UnknownsAreReadWhereDerivativesVanish) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  const Expr difference = graph.alias(x + sin(z)) - graph.alias(x);
  const Reduced reduced(graph, {x, y, z}, {x - sin(z), y - cos(difference), z - y * x * z}, {x, y});
  EXPECT_EQ(reduced.reduction.kept, (std::vector<std::size_t>{2}));
  EXPECT_TRUE(reduced.forgotten().empty());
  const double at = 0.9;
  EXPECT_NEAR(reduced.numbers({&reduced.reduction.values[1], 1}).front(), std::cos(std::sin(at)), 1e-15);
}

// Values contain unknowns that rows behind them give, and rows contain unknowns that rows before them give.
TEST(Reduction, ExplicitUnknownsMayDependOnEachOther) {
  Graph graph;
  constexpr std::size_t n = 6;
  std::vector<Expr> x, residuals;
  for (std::size_t i = 0; i < n; ++i) x.push_back(graph.symbol("x" + std::to_string(i)));
  const Expr last = x.back();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    // 0 <- 1, 1 <- last, 2 <- 1, 3 <- 4, 4 <- last
    const Expr other = i == 0 ? x[1] : i == 2 ? x[1] : i == 3 ? x[4] : last;
    residuals.push_back(x[i] - sin(other + Number(static_cast<long long>(i))));
  }
  residuals.push_back(last - cos(x[0] + x[2] * x[3]) / Number(4));
  const Reduced reduced(graph, x, residuals, {x.begin(), x.end() - 1});
  EXPECT_EQ(reduced.reduction.kept, (std::vector<std::size_t>{n - 1}));
  EXPECT_TRUE(reduced.forgotten().empty());
  const double at = reduced.at.back();
  const double x1 = std::sin(at + 1), x4 = std::sin(at + 4);
  const std::vector<double> expected = {std::sin(x1), x1, std::sin(x1 + 2), std::sin(x4 + 3), x4};
  const std::vector<double> values = reduced.numbers(reduced.reduction.values);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-15) << i;
}

// Two rows give each other's unknowns: the first is taken, and the second is left to the iteration.
TEST(Reduction, OfACycleOneUnknownIsKept) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Reduced reduced(graph, {x, y}, {x - sin(y) / Number(2), y - cos(x) / Number(2)}, {x, y});
  EXPECT_EQ(reduced.reduction.kept, (std::vector<std::size_t>{1}));
  EXPECT_TRUE(reduced.forgotten().empty());
}

}  // namespace
}  // namespace noslip

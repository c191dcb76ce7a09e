// Differences of random expressions: as many digits as their derivatives have, for every width.
#include <cmath>
#include <quadmath.h>

#include <gtest/gtest.h>

#include <noslip/expr/derivative.hpp>
#include <noslip/expr/print.hpp>

#include "expr/difference_help.hpp"

namespace noslip::testing {
namespace {

const std::vector<std::string> names{"x", "y"};

/// Values, slopes and a width; 1 in 8 slopes is zero.
Values random_motion(Random& random, quad width) {
  Values values = random_values(random, names);
  for (const std::string& name : names) {
    const double slope = below(random, 8) == 0 ? 0 : 2 * uniform(random) - 1;
    values[Moving::slope_name(name)] = slope;
  }
  for (auto& [name, value] : values) value = static_cast<quad>(static_cast<double>(value));
  values["w"] = width;
  return values;
}

/// How far double precision is off for a function and its derivatives near these values: the error to be expected of a
/// difference, whatever the formula.
class Yardstick {
 public:
  Yardstick(Graph& graph, Expr f) : f_(f) {
    for (const std::string& name : names) gradient_.push_back(derivative(f, graph.symbol(name)));
  }

  double operator()(const Values& values) const {
    const double width = static_cast<double>(values.at("w"));
    double result = 0;
    for (const quad part : {0, 1, 2}) {
      Values at = values;
      for (const std::string& name : names) at[name] += part / 2 * width * values.at(Moving::slope_name(name));
      for (std::size_t i = 0; i < names.size(); ++i) {
        const double slope = std::abs(static_cast<double>(values.at(Moving::slope_name(names[i]))));
        result = std::max(result, slope * (error(gradient_[i], at) + rounding));
      }
      if (std::abs(width) > 0.01) result = std::max(result, error(f_, at) / std::abs(width));
    }
    return result;
  }

 private:
  static constexpr double rounding = 0x1p-53;

  /// Values that are rounded differently: errors of a single evaluation may happen to be small.
  static double error(Expr e, const Values& at) {
    const quad exact = evaluate(e, at).value;
    double result = 0;
    for (const auto& [by_x, by_y] : {std::pair(0, 0), {1, 1}, {-1, 1}, {1, -1}}) {
      Values nudged = at;
      nudged["x"] *= 1 + by_x * rounding;
      nudged["y"] *= 1 + by_y * rounding;
      const double value = evaluate_double(e, nudged);
      result = std::max(result, static_cast<double>(fabsq(static_cast<quad>(value) - exact)));
    }
    return result + rounding * std::abs(static_cast<double>(exact));
  }

  Expr f_;
  std::vector<Expr> gradient_;
};

TEST(RandomDifferences, AgreeWithQuadruplePrecisionForEveryWidth) {
  Random random(41);
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    Graph graph;
    const Expr f = build(graph, random_tree(random, 2 + below(random, 14), {.names = names}));
    const Moving moving(graph, f, names);
    const Yardstick yardstick(graph, f);
    for (const double width : {1.0, 0.1, 1e-3, 1e-6, 1e-12, 1e-100, 0.0}) {
      const Values at = random_motion(random, width);
      const auto expected = moving.difference(at);
      if (!expected.tame || fabsq(expected.value) > 1e5) continue;
      const double value = evaluate_double(moving.result, at);
      ASSERT_TRUE(std::isfinite(value)) << to_text(f) << ", width " << width;
      const double off = std::abs(static_cast<double>(static_cast<quad>(value) - expected.value));
      ASSERT_LE(off, 10 * yardstick(at)) << to_text(f) << "\n  width " << width << ": " << value << ", not "
                                         << static_cast<double>(expected.value);
      ++compared;
    }
  }
  EXPECT_GT(compared, 8000);
}

TEST(RandomDifferences, HaveTheDerivativesOfTheDifference) {
  Random random(42);
  int compared = 0;
  for (int i = 0; i < 600; ++i) {
    Graph graph;
    const Expr f = build(graph, random_tree(random, 2 + below(random, 10), {.names = names}));
    const Moving moving(graph, f, names);
    for (const double width : {1.0, 1e-2, 1e-9, 1e-100, 0.0}) {
      const Values at = random_motion(random, width);
      for (const Entry& entry : jacobian({&moving.result, 1}, moving.parameters)) {
        const std::string by = moving.parameters[static_cast<std::size_t>(entry.column)].name();
        const auto expected = moving.derivative(at, by);
        if (!expected.tame || fabsq(expected.value) > 1e4) continue;
        const quad exact = evaluate(entry.value, at).value;
        ASSERT_TRUE(fabsq(exact - expected.value) <= 1e-12 * (1 + fabsq(expected.value)))
            << to_text(f) << " by " << by << ", width " << width << ": " << to_text(exact) << ", not "
            << to_text(expected.value);
        ASSERT_TRUE(std::isfinite(evaluate_double(entry.value, at))) << to_text(f) << " by " << by;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 3000);
}

TEST(RandomDifferences, OfBothDirectionsAreTheSame) {
  Random random(43);
  int compared = 0;
  for (int i = 0; i < 1000; ++i) {
    Graph graph;
    const Expr f = build(graph, random_tree(random, 2 + below(random, 14), {.names = names}));
    const Moving moving(graph, f, names);
    Values there = random_motion(random, 0.5), back = there;
    for (const std::string& name : names) {
      back[name] += there["w"] * there[Moving::slope_name(name)];
      back[Moving::slope_name(name)] *= -1;
    }
    if (!moving.difference(there).tame) continue;
    const quad forward = evaluate(moving.result, there).value, backward = evaluate(moving.result, back).value;
    if (fabsq(forward) > 1e5) continue;
    ASSERT_TRUE(fabsq(forward + backward) <= 1e-26 * (1 + fabsq(forward))) << to_text(f);
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace noslip::testing

// Thousands of random expressions: simplification keeps the value, text and copies reproduce the node, derivatives
// agree with differences.
#include <array>
#include <quadmath.h>

#include <gtest/gtest.h>

#include <noslip/expr/derivative.hpp>
#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>

#include "expr/random_tree.hpp"
#include "expr/scope.hpp"

namespace noslip::testing {
namespace {

const std::vector<std::string> names = TreeOptions{}.names;

bool agree(quad a, quad b, double tolerance) {
  const quad scale = std::max<quad>({1, fabsq(a), fabsq(b)});
  return fabsq(a - b) <= tolerance * scale;
}

TEST(RandomExpressions, SimplificationKeepsTheValue) {
  Random random(11);
  int compared = 0;
  for (int i = 0; i < 20000; ++i) {
    const Tree tree = random_tree(random, 2 + below(random, 24));
    const Values values = random_values(random, names);
    const Value plain = evaluate(tree, values);
    if (!plain.tame) continue;
    Graph graph;
    const Value simplified = evaluate(build(graph, tree), values);
    ASSERT_TRUE(agree(plain.value, simplified.value, 1e-18))
        << text(tree) << "\n  is " << to_text(plain.value) << ", simplified " << to_text(simplified.value) << "\n  "
        << to_text(build(graph, tree));
    ++compared;
  }
  EXPECT_GT(compared, 5000);
}

TEST(RandomExpressions, TextParsesBackToTheSameNode) {
  Random random(12);
  for (int i = 0; i < 20000; ++i) {
    Graph graph;
    const Tree tree = random_tree(random, 1 + below(random, 30));
    const Expr expression = build(graph, tree);
    const std::string printed = to_text(expression);
    const Parsed parsed = parse_expression(graph, printed, open_scope(graph));
    ASSERT_TRUE(parsed.problems.empty()) << printed << ": " << parsed.problems.front().what;
    ASSERT_EQ(parsed.expression, expression) << text(tree) << "\n" << printed << "\n" << to_text(parsed.expression);
    const Parsed original = parse_expression(graph, text(tree), open_scope(graph));
    ASSERT_TRUE(original.problems.empty()) << text(tree) << ": " << original.problems.front().what;
    ASSERT_EQ(original.expression, expression) << text(tree) << "\n" << printed;
  }
}

TEST(RandomExpressions, DerivativesParseBackToTheSameNode) {
  Random random(13);
  for (int i = 0; i < 4000; ++i) {
    Graph graph;
    const Expr expression = build(graph, random_tree(random, 1 + below(random, 16)));
    const Expr slope = derivative(expression, graph.symbol("x"));
    const Parsed parsed = parse_expression(graph, to_text(slope), open_scope(graph));
    ASSERT_TRUE(parsed.problems.empty()) << to_text(slope) << ": " << parsed.problems.front().what;
    ASSERT_EQ(parsed.expression, slope) << to_text(slope) << "\n" << to_text(parsed.expression);
  }
}

TEST(RandomExpressions, CopiesReproduceTheNode) {
  Random random(14);
  for (int i = 0; i < 5000; ++i) {
    Graph graph;
    const Expr expression = build(graph, random_tree(random, 1 + below(random, 30)));
    Substitution identity(graph);
    ASSERT_EQ(identity(expression), expression) << to_text(expression);
    Graph other;
    Substitution there(other), back(graph);
    ASSERT_EQ(back(there(expression)), expression) << to_text(expression);
  }
}

TEST(RandomExpressions, LatexHasBalancedBraces) {
  Random random(15);
  for (int i = 0; i < 3000; ++i) {
    Graph graph;
    const std::string latex = to_latex(build(graph, random_tree(random, 1 + below(random, 30))));
    int depth = 0;
    for (const char c : latex) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      ASSERT_GE(depth, 0) << latex;
    }
    ASSERT_EQ(depth, 0) << latex;
  }
}

struct Difference {
  quad value = 0;
  bool trusted = false;  // tame, and two step sizes agree
};

/// Central differences of fourth order.
Difference difference(Expr f, const std::string& name, const Values& values) {
  const quad h = 1e-7;
  const auto slope = [&](quad step, bool& tame) {
    Values forward = values, backward = values;
    forward[name] += step;
    backward[name] -= step;
    const Value a = evaluate(f, forward), b = evaluate(f, backward);
    tame = tame && a.tame && b.tame;
    return (a.value - b.value) / (2 * step);
  };
  bool tame = true;
  const quad wide = slope(2 * h, tame), narrow = slope(h, tame);
  const quad value = (4 * narrow - wide) / 3;
  return {value, tame && finiteq(value) && agree(wide, narrow, 1e-6)};
}

TEST(RandomExpressions, FirstAndSecondDerivativesAgreeWithDifferences) {
  Random random(16);
  int first = 0, second = 0;
  for (int i = 0; i < 6000; ++i) {
    Graph graph;
    const Tree tree = random_tree(random, 2 + below(random, 14));
    const Values values = random_values(random, names);
    const Expr f = build(graph, tree);
    const std::string &by = names[i % 4], &then = names[(i / 4) % 4];
    const Difference expected = difference(f, by, values);
    if (!expected.trusted) continue;
    const Expr slope = derivative(f, graph.symbol(by));
    const quad value = evaluate(slope, values).value;
    ASSERT_TRUE(agree(value, expected.value, 1e-14))
        << "d/d" << by << " " << to_text(f) << " = " << to_text(slope) << "\n  is " << to_text(value) << ", not "
        << to_text(expected.value);
    ++first;
    const Difference curvature = difference(slope, then, values);
    if (!curvature.trusted) continue;
    const Expr twice = derivative(slope, graph.symbol(then));
    const quad value_twice = evaluate(twice, values).value;
    ASSERT_TRUE(agree(value_twice, curvature.value, 1e-14))
        << "d/d" << then << " " << to_text(slope) << " = " << to_text(twice) << "\n  is " << to_text(value_twice)
        << ", not " << to_text(curvature.value);
    ++second;
  }
  EXPECT_GT(first, 2500);
  EXPECT_GT(second, 2000);
}

TEST(RandomExpressions, GradientJacobianAndHessianAgree) {
  Random random(17);
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    Graph graph;
    const Tree tree = random_tree(random, 2 + below(random, 20));
    const Values values = random_values(random, names);
    const Expr f = build(graph, tree);
    if (!evaluate(f, values).tame) continue;
    std::vector<Expr> variables;
    for (const std::string& name : names) variables.push_back(graph.symbol(name));
    const std::vector<Expr> backward = gradient(f, variables);
    std::array<quad, 4> forward{};
    for (const Entry& entry : jacobian({&f, 1}, variables)) forward[entry.column] = evaluate(entry.value, values).value;
    std::array<std::array<quad, 4>, 4> second{};
    for (const Entry& entry : hessian(f, variables))
      second[entry.row][entry.column] = evaluate(entry.value, values).value;
    for (int j = 0; j < 4; ++j) {
      const quad value = evaluate(backward[j], values).value;
      if (!finiteq(value) || fabsq(value) > 1e6) continue;
      ASSERT_TRUE(agree(forward[j], value, 1e-18)) << to_text(f) << " by " << names[j] << "\n" << to_text(backward[j]);
      for (int k = 0; k < 4; ++k) {
        const quad expected = evaluate(derivative(backward[k], variables[j]), values).value;
        if (!finiteq(expected) || fabsq(expected) > 1e8) continue;
        ASSERT_TRUE(agree(second[j][k], expected, 1e-14)) << to_text(f) << " by " << names[j] << ", " << names[k];
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 10000);
}

}  // namespace
}  // namespace noslip::testing

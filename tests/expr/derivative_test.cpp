#include <ostream>
#include <quadmath.h>

#include <gtest/gtest.h>

#include <noslip/expr/derivative.hpp>
#include <noslip/expr/directions.hpp>
#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>

#include "expr/random_tree.hpp"
#include "expr/scope.hpp"

namespace noslip::testing {
namespace {

struct Rule {
  const char* function;
  const char* by_x;
};

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.function << " -> " << rule.by_x; }

class DerivativeRule : public ::testing::TestWithParam<Rule> {};

TEST_P(DerivativeRule, ByX) {
  Graph graph;
  for (const char* name : {"x", "y"}) graph.symbol(name);
  const Parsed parsed = parse_expression(graph, GetParam().function, open_scope(graph));
  EXPECT_EQ(to_text(derivative(parsed.expression, graph.symbol("x"))), GetParam().by_x);
  EXPECT_EQ(to_text(gradient(parsed.expression, std::vector<Expr>{graph.symbol("x")})[0]), GetParam().by_x);
}

constexpr Rule rules[] = {
    {"x", "1"},
    {"y", "0"},
    {"3", "0"},
    {"x + y", "1"},
    {"y - x", "-1"},
    {"x*y", "y"},
    {"x/y", "1/y"},
    {"1/x", "-(1/x)^2"},
    {"x^2", "2*x"},
    {"x^5", "5*x^4"},
    {"x^y", "y*x^(y - 1)"},
    {"x^(1/3)", "1/3*x^(-2/3)"},
    {"2^x", "2^x*log(2)"},
    {"sqrt(x)", "1/2/sqrt(x)"},
    {"abs(x)", "sign(x)"},
    {"sign(x)", "0"},
    {"sin(x)", "cos(x)"},
    {"cos(x)", "-sin(x)"},
    {"tan(x)", "tan(x)^2 + 1"},
    {"asin(x)", "1/sqrt(1 - x^2)"},
    {"acos(x)", "-1/sqrt(1 - x^2)"},
    {"atan(x)", "1/(x^2 + 1)"},
    {"sinh(x)", "cosh(x)"},
    {"cosh(x)", "sinh(x)"},
    {"tanh(x)", "1 - tanh(x)^2"},
    {"exp(x)", "exp(x)"},
    {"log(x)", "1/x"},
    {"atan2(x, y)", "y/(x^2 + y^2)"},
    {"atan2(y, x)", "-y/(y^2 + x^2)"},
    {"floor(x)", "0"},
    {"mod(x, y)", "1"},
    {"mod(y, x)", "-floor(y/x)"},
    {"step(x)", "0"},
    {"clamp(x, y, 3)", "if(3 < max(x, y), 0, if(x < y, 0, 1))"},
    {"if(y < 1 and x > 0, x^2, x)", "if(y < 1 and 0 < x, 2*x, 1)"},
    {"if(not (y <= x), sqrt(x), 0)", "if(x < y, 1/2/sqrt(x), 0)"},
    {"min(x, y)", "if(x < y, 1, 0)"},
    {"max(x, y)", "if(x < y, 0, 1)"},
    {"less(x, y)", "0"},
    {"select(x, y, 1)", "0"},
    {"select(y, x^2, 1)", "if(y > 0, 2*x, 0)"},
    {"sin(x)^2 + cos(x)^2", "0"},
};
INSTANTIATE_TEST_SUITE_P(Rules, DerivativeRule, ::testing::ValuesIn(rules));

TEST(Derivative, KineticEnergyGivesMassTimesVelocity) {
  Graph graph;
  const Expr m = graph.symbol("m"), v = graph.symbol("x'");
  const Expr energy = parse_expression(graph, "m/2*x'^2", open_scope(graph)).expression;
  EXPECT_EQ(derivative(energy, v), m * v);
  EXPECT_EQ(derivative(derivative(energy, v), v), m);
  EXPECT_TRUE(derivative(derivative(derivative(energy, v), v), v).is_zero());
}

TEST(Derivative, MassMatrixOfTheSleighIsWhatAPaperPrints) {
  Graph graph;
  for (const char* name : {"m", "a", "J", "theta"}) graph.symbol(name);
  const Scope scope = open_scope(graph);
  const Expr lagrangian =
      parse_expression(graph,
                       "m/2*(x'^2 + y'^2) + (J + m*a^2)/2*theta'^2 + m*a*theta'*(y'*cos(theta) - x'*sin(theta)) "
                       "- m*g*(y + a*sin(theta))",
                       scope)
          .expression;
  const std::vector<Expr> v{graph.symbol("x'"), graph.symbol("y'"), graph.symbol("theta'")};
  const auto mass = hessian(lagrangian, v);
  ASSERT_EQ(mass.size(), 7u);  // x'y' and y'x' are zero
  const auto entry = [&](int row, int column) {
    for (const Entry& e : mass) {
      if (e.row == row && e.column == column) return to_text(e.value);
    }
    return std::string("0");
  };
  EXPECT_EQ(entry(0, 0), "m");
  EXPECT_EQ(entry(0, 1), "0");
  EXPECT_EQ(entry(1, 1), "m");
  EXPECT_EQ(entry(2, 2), "J + m*a^2");
  EXPECT_EQ(entry(0, 2), "-m*a*sin(theta)");
  EXPECT_EQ(entry(2, 0), entry(0, 2));
  EXPECT_EQ(entry(1, 2), "m*a*cos(theta)");
}

TEST(Jacobian, IsSparseAndOrderedByRowThenColumn) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  const std::vector<Expr> functions{x * z, graph.constant(3), y, z + sin(x)};
  const std::vector<Expr> variables{z, y, x};
  const auto entries = jacobian(functions, variables);
  std::vector<std::string> text;
  for (const Entry& e : entries) {
    text.push_back(std::to_string(e.row) + "," + std::to_string(e.column) + ": " + to_text(e.value));
  }
  EXPECT_EQ(text, (std::vector<std::string>{"0,0: x", "0,2: z", "2,1: 1", "3,0: 1", "3,2: cos(x)"}));
  EXPECT_TRUE(jacobian({}, variables).empty());
  EXPECT_TRUE(jacobian(functions, {}).empty());
}

TEST(Jacobian, CancellingEntriesAreLeftOut) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Expr named = graph.alias(x + y);
  const std::vector<Expr> functions{named - x};
  const auto entries = jacobian(functions, std::vector<Expr>{x, y});
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].column, 1);
}

TEST(Jacobian, RepeatedVariablesAndFunctionsGetTheirOwnEntries) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const std::vector<Expr> functions{2 * x, 2 * x}, variables{x, x};
  EXPECT_EQ(jacobian(functions, variables).size(), 4u);
}

TEST(Jacobian, AliasesAreDifferentiatedOnce) {
  Graph graph;
  const Expr x = graph.symbol("x"), h = graph.symbol("h"), k = graph.symbol("k");
  const Expr stage = graph.alias(x + h * k);
  const std::vector<Expr> functions{sin(stage)};
  const auto entries = jacobian(functions, std::vector<Expr>{x, k});
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].value, cos(stage)) << "the alias stays, its meaning is not expanded";
  EXPECT_EQ(entries[1].value, cos(stage) * h);
}

TEST(Jacobian, AliasesOfAliases) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Expr inner = graph.alias(x * y);
  const Expr outer = graph.alias(inner * inner + x);
  const std::vector<Expr> functions{outer * inner, outer};
  const auto entries = jacobian(functions, std::vector<Expr>{x, y});
  ASSERT_EQ(entries.size(), 4u);
  const Values at{{"x", 2}, {"y", 3}};
  // f = (x^2 y^2 + x) x y
  EXPECT_TRUE(evaluate(entries[0].value, at).value == 3 * 4 * 27 + 2 * 2 * 3);
  EXPECT_TRUE(evaluate(entries[1].value, at).value == 8 * 3 * 9 + 4);
  EXPECT_TRUE(evaluate(entries[2].value, at).value == 2 * 2 * 9 + 1);
  EXPECT_TRUE(evaluate(entries[3].value, at).value == 2 * 4 * 3);
}

TEST(Jacobian, AnAliasMayBeAVariable) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr stage = graph.alias(sin(x));
  const Expr f = stage * stage * x;
  EXPECT_EQ(derivative(f, stage), 2 * stage * x);
  const auto entries = jacobian(std::vector<Expr>{f, stage}, std::vector<Expr>{stage, x});
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[1].value, stage * stage) << "x moves, the variable stage does not follow";
  EXPECT_TRUE(entries[2].value.is_one());
  EXPECT_EQ(gradient(f, std::vector<Expr>{stage, x})[1], stage * stage);
}

TEST(Jacobian, ConstantsAsVariablesGiveZero) {
  Graph graph;
  const Expr x = graph.symbol("x"), stage = graph.alias(graph.constant(2));
  EXPECT_TRUE(derivative(2 * x, stage).is_zero());
  EXPECT_TRUE(gradient(2 * x, std::vector<Expr>{stage})[0].is_zero());
}

TEST(Jacobian, RandomAliasesDoNotChangeTheValue) {
  Random random(21);
  const std::vector<std::string> names{"x", "y", "u", "w"};
  TreeOptions outer_options{.names = {"u", "w", "x"}}, inner_options{.names = {"x", "y"}};
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    Graph graph;
    const Expr outer = build(graph, random_tree(random, 10, outer_options));
    const Expr first = build(graph, random_tree(random, 6, inner_options));
    const Expr second = build(graph, random_tree(random, 6, {.names = {"x", "y", "u"}}));
    const auto compose = [&](bool aliases) {
      const auto name = [&](Expr e) { return aliases ? graph.alias(e) : e; };
      const Expr u = name(first);
      Substitution inner(graph);
      inner.replace(graph.symbol("u"), u);
      const Expr w = name(inner(second));
      Substitution all(graph);
      all.replace(graph.symbol("u"), u);
      all.replace(graph.symbol("w"), w);
      return all(outer);
    };
    const Expr plain = compose(false), named = compose(true);
    const Values values = random_values(random, names);
    if (!evaluate(plain, values).tame || !evaluate(named, values).tame) continue;
    const std::vector<Expr> variables{graph.symbol("x"), graph.symbol("y")};
    const auto backward = gradient(named, variables);
    for (std::size_t j = 0; j < 2; ++j) {
      const quad expected = evaluate(derivative(plain, variables[j]), values).value;
      if (!finiteq(expected) || fabsq(expected) > 1e6) continue;
      const quad forward_value = evaluate(derivative(named, variables[j]), values).value;
      const quad backward_value = evaluate(backward[j], values).value;
      const quad tolerance = 1e-18 * (1 + fabsq(expected));
      ASSERT_TRUE(fabsq(forward_value - expected) <= tolerance) << to_text(named);
      ASSERT_TRUE(fabsq(backward_value - expected) <= tolerance) << to_text(named);
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(Derivative, TheBranchThatIsNotTakenDoesNotSpoilTheResult) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Values at{{"x", 0}, {"y", -1}};  // the slope of sqrt(x) is infinite here
  const Expr is_above = less(x, graph.constant(-1)), log_x = log(x);
  for (const Expr f : {y * min(sqrt(x), y), y * max(-sqrt(x), -y), y * select(y, sqrt(x), x),
                       y * select(is_above, log_x / x, x), floor(y) * select(1 - is_above, x, powi(log_x, 2)),
                       select(less(y, x), y, log_x) * clamp(x, y, min(sqrt(x), y + 3))}) {
    const std::vector<Expr> variables{x, y};
    for (const Expr& slope : gradient(f, variables)) EXPECT_TRUE(finiteq(evaluate(slope, at).value)) << to_text(slope);
    for (const Expr& v : variables) EXPECT_TRUE(finiteq(evaluate(derivative(f, v), at).value)) << to_text(f);
  }
}

TEST(Derivative, DeepGraphsDoNotOverflowTheStack) {
  Graph graph;
  const Expr x = graph.symbol("x");
  Expr f = x;
  for (int i = 0; i < 100000; ++i) f = sin(f + i);
  EXPECT_FALSE(derivative(f, x).is_zero());
  EXPECT_FALSE(gradient(f, std::vector<Expr>{x})[0].is_zero());
}

TEST(Derivative, GradientSizeDoesNotGrowWithTheNumberOfVariables) {
  Graph graph;
  std::vector<Expr> x;
  for (int i = 0; i < 400; ++i) x.push_back(graph.symbol("x" + std::to_string(i)));
  Expr f = x[0];
  for (int i = 1; i < 400; ++i) f = sin(f * x[i]);
  const std::size_t before = graph.size();
  (void)gradient(f, x);
  EXPECT_LT(graph.size() - before, 5 * before);
}

TEST(Gradients, RowsHoldWhatIsNotZero) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z"), one = graph.constant(1);
  Gradients slopes(graph, std::vector{z, x, one, y, x});
  const SparseRow row = slopes(x * sin(y));
  EXPECT_EQ(row.size(), 5u);
  EXPECT_EQ(std::vector(row.places().begin(), row.places().end()), (std::vector<std::size_t>{1, 3, 4}));
  EXPECT_EQ(row[1], sin(y));
  EXPECT_EQ(row[3], x * cos(y));
  EXPECT_EQ(row[4], sin(y));
  EXPECT_EQ(slopes(max(x, z))[0], derivative(max(x, z), z)) << "after others, and forwards";
  EXPECT_TRUE(slopes(one).places().empty());
}

TEST(SparseMatrix, TransposedProductsAreThoseWithAllZeros) {
  Graph graph;
  constexpr std::size_t rows = 11, columns = 3;
  SparseMatrix sparse;
  ExprMatrix full;
  std::vector<Expr> v;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<Expr> row(columns, graph.constant(0));
    for (std::size_t j = 0; j < columns; ++j) {
      if ((i * 5 + j * 3) % 4 < 2 && j > 0) row[j] = graph.symbol("a" + std::to_string(i) + "_" + std::to_string(j));
    }
    v.push_back(graph.symbol("v" + std::to_string(i)));
    sparse.emplace_back(row);
    full.push_back(row);
  }
  std::vector<Expr> expected;
  for (std::size_t j = 0; j < columns; ++j) {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < rows; ++i) terms.push_back(v[i] * full[i][j]);
    expected.push_back(sum(graph, terms));
  }
  EXPECT_EQ(transposed_times(sparse, v), expected);
}

TEST(Jacobian, BandedSystemCostsItsBandOnly) {
  Graph graph;
  std::vector<Expr> x, f;
  for (int i = 0; i < 2000; ++i) x.push_back(graph.symbol("x" + std::to_string(i)));
  for (int i = 1; i + 1 < 2000; ++i) f.push_back(sin(x[i - 1] * x[i]) - exp(x[i + 1]));
  const std::size_t before = graph.size();
  EXPECT_EQ(jacobian(f, x).size(), 3u * f.size());
  EXPECT_LT(graph.size() - before, 10 * f.size()) << "pairs that do not depend make no nodes";
}

/// Functions with names for what they share: layers, each value made of all in the layer before.
std::vector<Expr> layers(Graph& graph, const std::vector<Expr>& x, int count) {
  std::vector<Expr> values = x;
  for (int k = 0; k < count; ++k) {
    const Expr all = graph.alias(sum(graph, values));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = graph.alias(values[i] * cos(all) + x[i] / (2 + all * all));
    }
  }
  return values;
}

TEST(Directions, AreSumsOfTheJacobian) {
  for (const bool has_corners : {false, true}) {
    Graph graph;
    std::vector<Expr> x, along, weights;
    for (int i = 0; i < 4; ++i) {
      x.push_back(graph.symbol("x" + std::to_string(i)));
      along.push_back(i == 2 ? graph.constant(0) : graph.symbol("d" + std::to_string(i)));
      weights.push_back(i == 1 ? graph.constant(0) : graph.symbol("w" + std::to_string(i)));
    }
    weights[3] = weights[3] * x[0];  // a weight is a constant whatever it contains
    std::vector<Expr> f = layers(graph, x, 3);
    f[0] = f[2] * f[3];  // a function that others are part of
    f[1] = graph.constant(7);
    if (has_corners) f[2] = max(f[2], f[3]);
    std::vector<Expr> forwards(4, graph.constant(0)), backwards(4, graph.constant(0));
    for (const Entry& entry : jacobian(f, x)) {
      forwards[entry.row] = forwards[entry.row] + entry.value * along[entry.column];
      backwards[entry.column] = backwards[entry.column] + entry.value * weights[entry.row];
    }
    const std::vector<Expr> moved = derivatives_along(along, f, x), pulled = weighted_gradient(graph, weights, f, x);
    Values values;
    double value = 0.3;
    for (const char* name : {"x0", "x1", "x2", "x3", "d0", "d1", "d3", "w0", "w2", "w3"}) values[name] = value += 0.17;
    for (int i = 0; i < 4; ++i) {
      const auto number = [&](Expr each) { return static_cast<double>(evaluate(each, values).value); };
      EXPECT_NEAR(number(moved[i]), number(forwards[i]), 1e-14) << i;
      EXPECT_NEAR(number(pulled[i]), number(backwards[i]), 1e-14) << i;
    }
  }
}

TEST(Directions, GrowAsTheFunctionsDoAlsoWhereTheyAreDifferentiatedAgain) {
  const auto sizes = [](int count) {
    Graph graph;
    std::vector<Expr> x, d;
    for (int i = 0; i < 4; ++i) {
      x.push_back(graph.symbol("x" + std::to_string(i)));
      d.push_back(graph.symbol("d" + std::to_string(i)));
    }
    const std::vector<Expr> f = layers(graph, x, count);
    const std::size_t first = graph.size();
    const std::vector<Expr> moved = derivatives_along(d, f, x), pulled = weighted_gradient(graph, d, f, x);
    const std::size_t second = graph.size();
    jacobian(moved, x);
    jacobian(pulled, x);
    return std::vector<std::size_t>{second - first, graph.size() - second};
  };
  const auto some = sizes(10), many = sizes(40);
  EXPECT_LT(many[0], 5 * some[0]);
  EXPECT_LT(many[1], 5 * some[1]);
}

}  // namespace
}  // namespace noslip::testing

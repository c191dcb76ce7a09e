// Parts that expressions share, as definitions: everything is still there, the texts stay short, no name is taken.
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>
#include <noslip/expr/shared.hpp>

namespace noslip::testing {
namespace {

/// Each part appears several times in the next one: the text doubles with every one of them.
Expr chain(Expr x, int length, const ExternalFunction& function) {
  Graph& graph = *x.graph;
  Expr e = sin(x);
  for (int i = 0; i < length; ++i) {
    switch (i % 8) {
      case 0: e = e * cos(e) + x; break;
      case 1: e = x / (e + 2) + 3 / e; break;
      case 2: e = powi(sin(e), 2) + powi(e, 3); break;
      case 3: e = graph.alias(e) * exp(graph.alias(e)); break;
      case 4: e = select(less(e, x), e, -e); break;
      case 5: e = max(e, x) - atan2(e, x); break;
      case 6: e = sqrt(1 + powi(e, 2)) - pow(e, x); break;
      default: e = call(function, {e, x}) + call(function, {x, e}); break;
    }
  }
  return e;
}

ExternalFunction pull() {
  return ExternalFunction("pull", 2, [](std::span<const double> a) { return a[0] + a[1]; });
}

TEST(SharedParts, TextsGrowWithTheNumberOfNodes) {
  for (const int length : {20, 200, 2000}) {
    Graph graph;
    const Expr x = graph.symbol("x");
    const std::vector<Expr> roots{chain(x, length, pull()), x + 1};
    const SharedParts shared(roots, 1000);
    std::size_t all = to_text(shared(roots[0])).size() + to_text(shared(roots[1])).size();
    std::size_t latex = to_latex(shared(roots[0])).size();
    for (const SharedParts::Definition& definition : shared.definitions()) {
      all += to_text(definition.value).size();
      latex += to_latex(definition.value).size();
    }
    EXPECT_LT(all, 60 * graph.size()) << length;
    EXPECT_LT(latex, 200 * graph.size()) << length;
    EXPECT_FALSE(shared.definitions().empty());
  }
}

TEST(SharedParts, WithTheDefinitionsPutInTheExpressionIsTheSame) {
  Graph graph;
  const Expr x = graph.symbol("x");
  Expr e = sin(x);
  for (int i = 0; i < 12; ++i) e = e * cos(e + i) + x / (e + 2);
  const SharedParts shared({{e}}, 1000);
  ASSERT_GT(shared.definitions().size(), 5U);
  std::map<std::string, Expr, std::less<>> meanings{{"x", x}};
  Scope scope;
  scope.symbol = [&](std::string_view name) { return std::optional(meanings.find(name)->second); };
  const auto parsed = [&](Expr written) {
    const Parsed result = parse_expression(graph, to_text(written), scope);
    EXPECT_TRUE(result.problems.empty());
    return result.expression;
  };
  for (const SharedParts::Definition& definition : shared.definitions()) {
    meanings[definition.name] = parsed(definition.value);
  }
  EXPECT_EQ(parsed(shared(e)), e);
}

TEST(SharedParts, ShortExpressionsStayAsTheyAre) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr e = chain(x, 4, pull());
  const SharedParts shared({{e}}, 10'000);
  EXPECT_EQ(shared(e), e);
  EXPECT_TRUE(shared.definitions().empty());
}

TEST(SharedParts, NamesDifferFromAllOthers) {
  for (const auto& [symbol, taken, first] : {std::tuple{"s1", "", "ss1"}, std::tuple{"s_12", "", "ss1"},
                                             std::tuple{"s3'", "", "ss1"}, std::tuple{"s2[4]", "ss7", "sss1"},
                                             std::tuple{"sx1", "s", "s1"}}) {
    Graph graph;
    const Expr x = graph.symbol("x");
    graph.symbol(symbol);
    const std::vector<std::string> others{taken};
    const SharedParts shared({{chain(x, 30, pull())}}, 1000, others);
    ASSERT_FALSE(shared.definitions().empty());
    EXPECT_EQ(shared.definitions().front().name, first) << symbol;
  }
}

}  // namespace
}  // namespace noslip::testing

// Whatever bytes come in: no crash, no hang, and either an expression or a problem whose offset is in the text.
#include <array>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>

#include "expr/random_tree.hpp"
#include "expr/scope.hpp"
#include "support/figures.hpp"

namespace noslip::testing {
namespace {

long long tried = 0;  // texts of the test under way

class ParseFuzz : public ::testing::Test {
  void TearDown() override { test::figure("expressions", std::exchange(tried, 0)); }
};

void expect_sound(const std::string& text) {
  ++tried;
  Graph graph;
  for (const bool relation : {false, true}) {
    const Scope scope = sleigh_scope(graph);
    const Parsed parsed = relation ? parse_relation(graph, text, scope) : parse_expression(graph, text, scope);
    std::size_t last = 0;
    for (const ParseProblem& problem : parsed.problems) {
      ASSERT_FALSE(problem.what.empty()) << text;
      ASSERT_LE(problem.offset, text.size()) << text;
      ASSERT_GE(problem.offset, last) << text;
      last = problem.offset;
    }
    if (!parsed.problems.empty()) continue;
    const Parsed again = parse_expression(graph, to_text(parsed.expression), scope);
    ASSERT_TRUE(again.problems.empty()) << text << " -> " << to_text(parsed.expression);
    ASSERT_EQ(again.expression, parsed.expression) << text << " -> " << to_text(parsed.expression);
  }
}

TEST_F(ParseFuzz, RandomBytes) {
  Random random(31);
  for (int i = 0; i < 20000; ++i) {
    std::string text(static_cast<std::size_t>(below(random, 40)), ' ');
    for (char& c : text) c = static_cast<char>(random() & 0xFF);
    expect_sound(text);
  }
}

TEST_F(ParseFuzz, RandomTokens) {
  constexpr auto tokens = std::to_array<const char*>({"x",
                                                      "y",
                                                      "theta",
                                                      "m",
                                                      "'",
                                                      "''",
                                                      "+",
                                                      "-",
                                                      "*",
                                                      "/",
                                                      "^",
                                                      "(",
                                                      ")",
                                                      ",",
                                                      "=",
                                                      "[",
                                                      "]",
                                                      "q[",
                                                      "sum(i, 0, 2,",
                                                      "sum(",
                                                      "i",
                                                      "sin(",
                                                      "atan2(",
                                                      "min(",
                                                      "dot(",
                                                      "p(",
                                                      "psi(",
                                                      "select(",
                                                      "if(",
                                                      "not ",
                                                      " and ",
                                                      " or ",
                                                      "<",
                                                      ">=",
                                                      "floor(",
                                                      "mod(",
                                                      "clamp(",
                                                      "less(",
                                                      "1",
                                                      "0",
                                                      "2.5",
                                                      "1e",
                                                      "1e400",
                                                      "1e4000",
                                                      ".",
                                                      "pi",
                                                      "e",
                                                      " ",
                                                      "**",
                                                      "==",
                                                      "foo",
                                                      "foo(",
                                                      "sqrt(",
                                                      "log(",
                                                      "pow(",
                                                      "9223372036854775807",
                                                      "-9223372036854775808",
                                                      "θ",
                                                      "1/3",
                                                      "99999999999"});
  Random random(32);
  for (int i = 0; i < 60000; ++i) {
    std::string text;
    const int length = below(random, 12);
    for (int j = 0; j < length; ++j)
      text += tokens[static_cast<std::size_t>(below(random, static_cast<int>(tokens.size())))];
    expect_sound(text);
  }
}

TEST_F(ParseFuzz, MutatedExpressions) {
  Random random(33);
  const TreeOptions options{.names = {"x", "y", "theta", "m", "x'", "theta'"}};
  for (int i = 0; i < 15000; ++i) {
    Graph graph;
    std::string text = to_text(build(graph, random_tree(random, 2 + below(random, 20), options)));
    const int mutations = 1 + below(random, 3);
    for (int j = 0; j < mutations; ++j) {
      const auto at = static_cast<std::size_t>(below(random, static_cast<int>(text.size()) + 1));
      const auto length = static_cast<std::size_t>(below(random, 4));
      switch (below(random, 4)) {
        case 0: text.insert(at, 1, static_cast<char>(32 + below(random, 95))); break;
        case 1: text.erase(at, length); break;
        case 2:
          text.insert(at,
                      text.substr(static_cast<std::size_t>(below(random, static_cast<int>(text.size()) + 1)), length));
          break;
        default:
          if (at < text.size()) text[at] = static_cast<char>(32 + below(random, 95));
      }
    }
    expect_sound(text);
  }
}

}  // namespace
}  // namespace noslip::testing

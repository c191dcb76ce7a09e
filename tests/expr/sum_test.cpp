// Arrays and sums in the texts of expressions.
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>

#include "expr/scope.hpp"

namespace noslip {
namespace {

/// Beside what a sleigh has: arrays q[0] ... q[10] of coordinates and c[-1] ... c[1], sizes n = 3 and half = 1/2.
Scope array_scope(Graph& graph) {
  Scope scope = testing::sleigh_scope(graph);
  const auto sleigh = scope;
  const auto array = [](std::string_view name) -> std::optional<std::pair<std::int64_t, std::int64_t>> {
    if (name == "q") return std::pair<std::int64_t, std::int64_t>(0, 10);
    if (name == "c") return std::pair<std::int64_t, std::int64_t>(-1, 1);
    return std::nullopt;
  };
  const auto is_element = [array](std::string_view name) {
    const auto element = element_of(name);
    const auto range = element ? array(element->array) : std::nullopt;
    return range && element->index >= range->first && element->index <= range->second;
  };
  scope.array = array;
  scope.symbol = [&graph, sleigh, is_element](NameAt name) {
    return is_element(name) || name.text == "n" || name.text == "half" ? std::optional(graph.symbol(name))
                                                                       : sleigh.symbol(name);
  };
  scope.velocity = [&graph, sleigh, is_element](NameAt name) {
    return is_element(name) && name.text.starts_with('q') ? std::optional(graph.symbol(std::string(name) + "'"))
                                                          : sleigh.velocity(name);
  };
  scope.size = [](std::string_view name) -> std::optional<Number> {
    if (name == "n") return Number(3);
    if (name == "half") return Number::rational(1, 2);
    return std::nullopt;
  };
  for (const char* name : {"q", "c", "n", "half"}) scope.names.emplace_back(name);
  return scope;
}

/// Knows every entry of an array, and nothing else.
Scope elements_only(Graph& graph) {
  Scope scope;
  scope.symbol = [&](NameAt name) { return element_of(name) ? std::optional(graph.symbol(name)) : std::nullopt; };
  return scope;
}

struct Same {
  const char* text;
  const char* as;
};
void PrintTo(const Same& same, std::ostream* out) { *out << same.text; }

class ArraysAndSums : public ::testing::TestWithParam<Same> {};

TEST_P(ArraysAndSums, AreTheSameAsWrittenOut) {
  Graph graph;
  const Scope scope = array_scope(graph);
  const Parsed a = parse_relation(graph, GetParam().text, scope), b = parse_relation(graph, GetParam().as, scope);
  for (const Parsed* each : {&a, &b}) {
    ASSERT_TRUE(each->problems.empty()) << each->problems[0].what;
  }
  EXPECT_EQ(a.expression, b.expression) << to_text(a.expression) << " is not " << to_text(b.expression);
}

constexpr Same same[] = {
    {"q[ 2 ]", "q[2]"},
    {"q[2]'", "dot(q[2])"},
    {"q[1 + 2*(4 - 1)]", "q[7]"},
    {"q[n]", "q[3]"},
    {"q[n*n - n/3]", "q[8]"},
    {"c[-1] + c[0-1]", "2*c[-1]"},
    {"q[half*4]", "q[2]"},
    {"sum(i, 0, 3, q[i])", "(q[0] + q[1]) + (q[2] + q[3])"},
    {"sum(i, 0, n, q[i])", "(q[0] + q[1]) + (q[2] + q[3])"},
    {"sum(i, 1, 4, i)", "10"},
    {"sum(i, 0, 1, (q[i+1] - q[i])^2)", "(q[1] - q[0])^2 + (q[2] - q[1])^2"},
    {"sum(i, 1, 2, i*q[i])", "q[1] + 2*q[2]"},
    {"sum(i, 1, 2, x^i/i)", "x + x^2/2"},
    {"sum(i, 3, 2, nonsense(i, j[i]))", "0"},
    {"sum(i, 3, 3, q[i]')", "q[3]'"},
    {"sum(i, 0, 1, sum(j, i, 1, q[i]*q[j]))", "(q[0]^2 + q[0]*q[1]) + q[1]^2"},
    {"2*sum(i, 0, 1, q[i])^2", "2*(q[0] + q[1])^2"},
    {"sum(i, 0, 1, q[i]) + sum(i, 2, 3, q[i])", "(q[0] + q[1]) + (q[2] + q[3])"},
    {"x = sum(i, 0, 1, q[i])", "x = q[0] + q[1]"},
    {"sum(i, -1, 1, c[i]*i)", "-c[-1] + c[1]"},
};
INSTANTIATE_TEST_SUITE_P(Texts, ArraysAndSums, ::testing::ValuesIn(same));

TEST(Sum, MomentaAndMultipliersHaveIndices) {
  Graph graph;
  Scope scope = array_scope(graph);
  scope.momentum = [&](std::string_view name) { return std::optional(graph.symbol("p(" + std::string(name) + ")")); };
  scope.multiplier = [&](std::string_view number) {
    return std::optional(graph.symbol("psi(" + std::string(number) + ")"));
  };
  const Parsed parsed = parse_expression(graph, "sum(i, 1, 2, p(q[i-1])*psi(i) + psi(n))", scope);
  ASSERT_TRUE(parsed.problems.empty()) << parsed.problems[0].what;
  EXPECT_EQ(parsed.expression,
            parse_expression(graph, "(p(q[0])*psi(1) + psi(3)) + (p(q[1])*psi(2) + psi(3))", scope).expression);
}

TEST(Sum, AValueMayStillBeCalledSum) {
  Graph graph;
  const Scope scope = testing::open_scope(graph);
  EXPECT_EQ(to_text(parse_expression(graph, "2*sum + x", scope).expression), "2*sum + x");
  const Parsed forgotten = parse_expression(graph, "sum(x + 1)", scope);
  ASSERT_EQ(forgotten.problems.size(), 1U);
  EXPECT_EQ(forgotten.problems[0].remedy, "to multiply, write sum*(...)");
}

TEST(Sum, AnIndexOfTheScopeHasItsValue) {
  Graph graph;
  Scope scope = array_scope(graph);
  scope.indices = {{"i", 4}};
  EXPECT_EQ(parse_expression(graph, "i*q[i+1]", scope).expression, parse_expression(graph, "4*q[5]", scope).expression);
  const Parsed beyond = parse_expression(graph, "q[i+7]", scope);
  ASSERT_EQ(beyond.problems.size(), 1U);
  EXPECT_EQ(beyond.problems[0].what, "there is no q[11] (i = 4)");
}

struct Mistake {
  const char* text;
  std::size_t offset;
  const char* what;
  const char* remedy;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.text; }

class SumMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(SumMistake, IsExplained) {
  const Mistake& expected = GetParam();
  Graph graph;
  const Parsed parsed = parse_relation(graph, expected.text, array_scope(graph));
  ASSERT_EQ(parsed.problems.size(), 1U);
  EXPECT_EQ(parsed.problems[0].what, expected.what);
  EXPECT_EQ(parsed.problems[0].remedy, expected.remedy);
  EXPECT_EQ(parsed.problems[0].offset, expected.offset);
}

constexpr const char* known_numbers =
    "whole numbers, indices, and parameters whose default is a whole number may be used here";
constexpr const char* parts_of_a_sum = "a sum has the name of an index, its first and last value, and an expression";

constexpr Mistake mistakes[] = {
    {"x + q[11]", 4, "there is no q[11]", "the indices of q are 0 to 10"},
    {"q[-1]", 0, "there is no q[-1]", "the indices of q are 0 to 10"},
    {"sum(i, 0, 10, q[i+1] + q[i+2])", 23, "there is no q[11] (i = 9)", "the indices of q are 0 to 10"},
    {"sum(i, 0, 20, q[i])", 14, "there is no q[11] (i = 11)", "the indices of q are 0 to 10"},
    {"sum(i, 0, 5, sum(j, 0, 6, q[i+j]))", 26, "there is no q[11] (i = 5, j = 6)", "the indices of q are 0 to 10"},
    {"x + q", 4, "'q' is an array", "write one of its entries, q[0] to q[10]"},
    {"q'", 0, "'q' is an array", "write one of its entries, q[0] to q[10]"},
    {"c[0]'", 0, "'c[0]' is not a coordinate and has no velocity",
     "only coordinates, and definitions in t and positions, may be followed by '"},
    {"x[1]", 0, "'x' is not an array", "write x"},
    {"sum(i, 0, 1, i[0])", 13, "'i' is not an array", "write i"},
    {"qq[1]", 0, "unknown array 'qq'", "did you mean 'q'?"},
    {"sum(i, 0, 1, foo[i])", 13, "unknown array 'foo'", ""},
    {"sum(i, 0, 1, tehta)", 13, "unknown symbol 'tehta'", "did you mean 'theta'?"},
    {"sum(i, 0, 1, i')", 13, "'i' is not a coordinate and has no velocity",
     "only coordinates, and definitions in t and positions, may be followed by '"},
    {"q[1/2]", 2, "the index is 1/2, not a whole number", ""},
    {"q[half]", 2, "the index is 1/2, not a whole number", ""},
    {"q[x]", 2, "'x' is not a whole number that is known here", known_numbers},
    {"q[k]", 2, "'k' is not a whole number that is known here", known_numbers},
    {"q[1/(n - 3)]", 4, "the index is divided by zero", ""},
    {"q[1e12]", 2, "the index is 1000000000000, which is too large", ""},
    {"q[", 2, "the index is missing", "write a whole number, for example 0, n or i + 1"},
    {"q[]", 2, "the index is missing", "write a whole number, for example 0, n or i + 1"},
    {"q[1", 1, "this '[' is never closed", "add ']'"},
    {"q[(1]", 2, "this '(' is never closed", "add ')'"},
    {"q[2^2]", 3, "'^' in an index", "only + - * / and parentheses may be used"},
    {"q[0:3]", 3, "character ':' is not allowed",
     "ranges are for names; to add up entries of an array, write sum(i, 0, 9, q[i])"},
    {"sin[x]", 3, "'[' is not part of the grammar", "only ( and ) group"},
    {"x]", 1, "']' is not part of the grammar", "only ( and ) group"},
    {"2[1]", 1, "'[' is not part of the grammar", "only ( and ) group"},
    {"sum(q[0])", 4, parts_of_a_sum, "write sum(i, 0, 9, q[i])"},
    {"sum(3, 0, 9, x)", 4, parts_of_a_sum, "write sum(i, 0, 9, q[i])"},
    {"sum(i, 0, 9)", 11, parts_of_a_sum, "write sum(i, 0, 9, q[i])"},
    {"sum(i, 0, 9, x, y)", 14, parts_of_a_sum, "write sum(i, 0, 9, q[i])"},
    {"sum(i, 1, 0, x, y)", 14, parts_of_a_sum, "write sum(i, 0, 9, q[i])"},
    {"sum(i, 0, 9, x", 3, "this '(' is never closed", "add ')'"},
    {"sum(i, 1, 0, x", 3, "this '(' is never closed", "add ')'"},
    {"sum(i, 0", 3, "this '(' is never closed", "add ')'"},
    {"sum(x, 0, 9, x)", 4, "the index 'x' has a name that means something else here",
     "choose another name for the index"},
    {"sum(q, 0, 9, x)", 4, "the index 'q' has a name that means something else here",
     "choose another name for the index"},
    {"sum(i, 0, 1, sum(i, 0, 1, x))", 17, "the index 'i' has a name that means something else here",
     "choose another name for the index"},
    {"sum(e, 0, 9, x)", 4, "'e' is a constant", "choose another name for the index"},
    {"sum(sin, 0, 9, x)", 4, "'sin' is a function", "choose another name for the index"},
    {"sum(i, 0, x, x)", 10, "'x' is not a whole number that is known here", known_numbers},
    {"sum(i, half, 3, x)", 7, "the first index is 1/2, not a whole number", ""},
    {"sum(i, 0, 100000, x)", 10, "a sum of 100001 terms is too long", "at most 100000 are accepted"},
    {"sum(i, 1, 2000, sum(j, 1, 2000, x))", 20, "the sums have more than 1000000 terms", ""},
};
INSTANTIATE_TEST_SUITE_P(Mistakes, SumMistake, ::testing::ValuesIn(mistakes));

TEST(Sum, AllProblemsOfATermAreReportedOnce) {
  Graph graph;
  const Parsed parsed = parse_expression(graph, "sum(i, 0, 9, foo + q[i+9] + bar) + tehta", array_scope(graph));
  ASSERT_EQ(parsed.problems.size(), 3U);
  EXPECT_EQ(parsed.problems[0].what, "unknown symbol 'foo'");
  EXPECT_EQ(parsed.problems[1].what, "unknown symbol 'bar'");
  EXPECT_EQ(parsed.problems[2].what, "unknown symbol 'tehta'");
}

TEST(Sum, LongOnesAreShallow) {
  Graph graph;
  const Parsed parsed = parse_expression(graph, "sum(i, 1, 100000, q[i]*q[i+1])", elements_only(graph));
  ASSERT_TRUE(parsed.problems.empty());
  int depth = 0;
  for (Expr e = parsed.expression; e.op() == Op::add; e = e.b()) ++depth;
  EXPECT_EQ(depth, 17);
}

TEST(Sum, NamesOfElements) {
  EXPECT_EQ(element_of("q[12]")->array, "q");
  EXPECT_EQ(element_of("q[12]")->index, 12);
  EXPECT_EQ(element_of("q[-1]")->index, -1);
  for (const char* wrong :
       {"q", "q[]", "q[01]", "q[-0]", "q[+1]", "q[1]'", "q[1", "q1]", "q[i]", "q[99999999999999999999]"}) {
    EXPECT_FALSE(element_of(wrong)) << wrong;
  }
  EXPECT_EQ(why_not_a_name_or_element("q[1]"), "");
  EXPECT_EQ(why_not_a_name_or_element("sin[1]"), "'sin' is a function");
  EXPECT_NE(why_not_a_name("q[1]"), "");
}

/// A random expression in q[...], the indices and numbers; `values` of the indices are put in where they are given.
class RandomTerm {
 public:
  explicit RandomTerm(unsigned seed) : random_(seed) {}

  /// With names of indices, and the same with their values.
  struct Texts {
    std::string named, expanded;
  };
  Texts make(const Indices& indices, int depth) {
    switch (pick(depth > 0 ? 6 : 3)) {
      case 0: return both(std::to_string(1 + pick(9)));
      case 1: {
        const auto& [name, value] = indices[static_cast<std::size_t>(pick(static_cast<int>(indices.size())))];
        return {name, std::to_string(value)};
      }
      case 2: {
        const auto& [name, value] = indices[static_cast<std::size_t>(pick(static_cast<int>(indices.size())))];
        const int factor = 1 + pick(2), shift = pick(3);
        return {fmt::format("q[{}*{} + {}]", factor, name, shift), fmt::format("q[{}]", factor * value + shift)};
      }
      case 3: return joined(indices, depth, " + ");
      case 4: return joined(indices, depth, "*");
      default: {
        const Texts inner = make(indices, depth - 1);
        return {"sin(" + inner.named + ")", "sin(" + inner.expanded + ")"};
      }
    }
  }
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

 private:
  static Texts both(const std::string& text) { return {text, text}; }
  Texts joined(const Indices& indices, int depth, const std::string& by) {
    const Texts a = make(indices, depth - 1), b = make(indices, depth - 1);
    return {"(" + a.named + by + b.named + ")", "(" + a.expanded + by + b.expanded + ")"};
  }
  std::mt19937 random_;
};

/// a, b, c, d as a sum that is halved again and again.
std::string balanced(std::span<const std::string> terms) {
  if (terms.size() == 1) return "(" + terms.front() + ")";
  const std::size_t half = terms.size() / 2;
  return "(" + balanced(terms.first(half)) + " + " + balanced(terms.subspan(half)) + ")";
}

TEST(Sum, RandomOnesAreTheSameAsWrittenOut) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomTerm shape(seed);
    const int first = shape.pick(4), count = 1 + shape.pick(5), inner_count = 1 + shape.pick(3);
    const unsigned term_seed = seed + 1000;
    std::string text;
    std::vector<std::string> terms;
    for (int i = first; i < first + count; ++i) {
      std::vector<std::string> inner;
      for (int j = i; j < i + inner_count; ++j) {
        const auto term = RandomTerm(term_seed).make({{"i", i}, {"j", j}}, 4);
        inner.push_back(term.expanded);
        text =
            fmt::format("sum(i, {}, {}, sum(j, i, i + {}, {}))", first, first + count - 1, inner_count - 1, term.named);
      }
      terms.push_back(balanced(inner));
    }
    Graph graph;
    const Scope scope = testing::open_scope(graph);
    const Parsed written_out = parse_expression(graph, balanced(terms), scope);
    const Parsed sum = parse_expression(graph, text, elements_only(graph));
    ASSERT_TRUE(sum.problems.empty()) << text << ": " << sum.problems[0].what;
    EXPECT_EQ(sum.expression, written_out.expression) << text;
  }
}

}  // namespace
}  // namespace noslip

// Inverses of matrices of expressions, as numbers against the matrix itself.
#include <cmath>
#include <random>

#include "model/help.hpp"
#include "model/symbolic_inverse.hpp"

namespace noslip::test {
namespace {

/// A symmetric matrix from its lower triangle: symbols a, b, c, ..., numbers, zeros.
ExprMatrix matrix(Graph& graph, const std::vector<std::vector<std::string>>& lower) {
  const std::size_t n = lower.size();
  ExprMatrix result(n, std::vector<Expr>(n, graph.constant(0)));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const std::string& text = lower[i][j];
      result[i][j] = result[j][i] =
          std::isalpha(text[0]) ? graph.symbol(text) : graph.constant(Number::parse(text).value());
    }
  }
  return result;
}

void expect_inverse(const std::vector<std::vector<std::string>>& lower,
                    const std::map<std::string, double>& fixed = {}) {
  Graph graph;
  const ExprMatrix a = matrix(graph, lower);
  const auto inverse = symbolic_inverse(graph, a);
  ASSERT_TRUE(inverse.has_value());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(0.5, 2);
  std::map<std::string, double> values = fixed;
  for (char letter = 'a'; letter <= 'z'; ++letter) values.try_emplace(std::string(1, letter), number(random));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      double sum = i == j ? -1 : 0;
      for (std::size_t k = 0; k < a.size(); ++k) sum += value(a[i][k], values) * value((*inverse)[k][j], values);
      EXPECT_NEAR(sum, 0, 1e-12) << i << ", " << j;
      EXPECT_EQ((*inverse)[i][j], (*inverse)[j][i]);
    }
  }
}

TEST(SymbolicInverse, SmallBlocks) {
  expect_inverse({{"a"}});
  expect_inverse({{"a"}, {"b", "9"}});
  expect_inverse({{"a"}, {"b", "7"}, {"1", "d", "8"}});
  expect_inverse({{"a"}, {"0", "b"}, {"c", "0", "9"}});
  expect_inverse({{"0"}, {"a", "0"}});
  expect_inverse({{"0"}, {"a", "0"}, {"b", "c", "0"}});
  // Regular where an entry of the diagonal is zero by chance.
  expect_inverse({{"a"}, {"1", "0"}}, {{"a", 0}});
  expect_inverse({{"a"}, {"1", "b"}, {"c", "0", "2"}}, {{"a", 0}, {"b", 0}});
}

TEST(SymbolicInverse, LargeBlocks) {
  expect_inverse({{"9"}, {"a", "b"}, {"c", "d", "8"}, {"1", "2", "f", "7"}});
  expect_inverse({{"9"}, {"a", "g"}, {"c", "d", "8"}, {"1", "2", "f", "7"}, {"h", "0", "0", "1", "i"}});
  // Nothing on the diagonal: pairs of rows are pivots.
  expect_inverse({{"0"}, {"a", "0"}, {"b", "2", "0"}, {"c", "d", "f", "0"}});
  expect_inverse({{"0"},
                  {"a", "0"},
                  {"0", "1", "0"},
                  {"0", "0", "d", "0"},
                  {"0", "0", "0", "c", "0"},
                  {"0", "0", "0", "0", "b", "0"}});
}

TEST(SymbolicInverse, SingularOnes) {
  Graph graph;
  const auto inverse_of = [&](const std::vector<std::vector<std::string>>& lower) {
    return symbolic_inverse(graph, matrix(graph, lower));
  };
  EXPECT_FALSE(inverse_of({{"0"}}));
  EXPECT_FALSE(inverse_of({{"a"}, {"a", "a"}}));
  EXPECT_FALSE(inverse_of({{"1"}, {"2", "4"}}));
  EXPECT_FALSE(inverse_of({{"1"}, {"1", "1"}, {"1", "1", "1"}, {"1", "1", "1", "1"}}));
  EXPECT_FALSE(inverse_of({{"0"}, {"a", "0"}, {"b", "0", "0"}, {"c", "0", "0", "0"}}));
}

TEST(SymbolicInverse, Blocks) {
  Graph graph;
  const auto blocks = coupled_blocks(
      matrix(graph, {{"1"}, {"0", "a"}, {"b", "0", "0"}, {"0", "0", "0", "1"}, {"0", "0", "c", "0", "0"}}));
  EXPECT_EQ(blocks, (std::vector<std::vector<std::size_t>>{{0, 2, 4}, {1}, {3}}));
}

}  // namespace
}  // namespace noslip::test

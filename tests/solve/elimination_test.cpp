// Recorded elimination against dense LU with pivoting.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <noslip/exec/kernel.hpp>
#include <noslip/solve/dense.hpp>
#include <noslip/solve/elimination.hpp>

namespace noslip {
namespace {

struct RandomMatrix {
  Graph graph;
  std::vector<Expr> symbols;
  std::vector<Entry> entries;
  std::vector<double> values;
};

void fill(RandomMatrix& matrix, int n, double density, std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      // A permuted strong diagonal keeps the matrix regular; some entries are constants.
      const bool strong = (i + 3) % n == j;
      if (!strong && value(random) > 2 * density - 1) continue;
      const double x = strong ? 3 + value(random) : value(random);
      if ((i + j) % 5 == 0) {
        matrix.entries.push_back({i, j, matrix.graph.constant(Number::real(x))});
      } else {
        matrix.symbols.push_back(matrix.graph.symbol("a" + std::to_string(matrix.symbols.size())));
        matrix.entries.push_back({i, j, matrix.symbols.back()});
      }
      matrix.values.push_back(x);
    }
  }
}

TEST(Elimination, AgreesWithDensePivotedSolve) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(-1, 1);
  for (int round = 0; round < 60; ++round) {
    const int n = 1 + round % 17;
    RandomMatrix matrix;
    fill(matrix, n, 0.3, random);
    const EliminationOrder order = choose_order(n, matrix.entries, matrix.values);
    ASSERT_TRUE(order.regular());
    std::vector<Expr> right;
    std::vector<Tape::Input> inputs;
    std::vector<double> workspace;
    for (std::size_t e = 0; e < matrix.entries.size(); ++e) {
      if (matrix.entries[e].value.is_constant()) continue;
      inputs.push_back({matrix.entries[e].value, static_cast<std::uint32_t>(workspace.size())});
      workspace.push_back(matrix.values[e]);
    }
    std::vector<double> expected;
    for (int i = 0; i < n; ++i) {
      right.push_back(matrix.graph.symbol("b" + std::to_string(i)));
      inputs.push_back({right.back(), static_cast<std::uint32_t>(workspace.size())});
      workspace.push_back(value(random));
      expected.push_back(workspace.back());
    }
    const Factors factors = factorise(matrix.graph, matrix.entries, order);
    const std::vector<Expr> x = solve(matrix.graph, factors, right);
    std::vector<Tape::Output> outputs;
    const std::size_t first = workspace.size();
    for (int i = 0; i < n; ++i) outputs.push_back({x[i], static_cast<std::uint32_t>(first + i)});
    workspace.resize(first + n);
    const Kernel<double> kernel(Tape(inputs, outputs), Backend::automatic);
    std::vector<double> scratch(kernel.scratch_size());
    kernel(workspace.data(), scratch.data());

    DenseSolver<double> dense(n);
    for (std::size_t e = 0; e < matrix.entries.size(); ++e) {
      dense.entry(matrix.entries[e].row, matrix.entries[e].column) = matrix.values[e];
    }
    dense.factorise();
    dense.solve(expected);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(workspace[first + i], expected[i], 1e-12) << "size " << n;
  }
}

template <class T>
void expect_signs() {
  const auto sign = [](std::initializer_list<std::initializer_list<double>> rows) {
    DenseSolver<T> dense(static_cast<int>(rows.size()));
    int i = 0;
    for (const auto& row : rows) {
      int j = 0;
      for (const double value : row) dense.entry(i, j++) = T(value);
      ++i;
    }
    dense.factorise();
    return dense.sign();
  };
  EXPECT_EQ(sign({{2, 1, 0}, {1, 3, 1}, {0, 1, 4}}), 1);
  EXPECT_EQ(sign({{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}), -1);    // one exchange
  EXPECT_EQ(sign({{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}), 1);     // two
  EXPECT_EQ(sign({{-1, 0, 0}, {0, 0, 5}, {0, -2, 0}}), -1);  // det = -10
  EXPECT_EQ(sign({{0, 0}, {1, 1}}), 0);
}

TEST(Elimination, SignOfTheDeterminant) {
  expect_signs<double>();
  expect_signs<long double>();
  expect_signs<quad>();
}

TEST(Elimination, SingularMatrixHasNoOrder) {
  Graph graph;
  const Expr a = graph.symbol("a");
  const std::vector<Entry> entries = {{0, 0, a}, {0, 1, a}, {1, 0, a}, {1, 1, a}};
  EXPECT_FALSE(choose_order(2, entries, std::vector<double>{1, 1, 1, 1}).regular());
}

TEST(Elimination, AvoidsPivotsThatAreSmallNow) {
  Graph graph;
  const Expr a = graph.symbol("a"), b = graph.symbol("b");
  const std::vector<Entry> entries = {{0, 0, a}, {0, 1, b}, {1, 0, b}, {1, 1, a}};
  const EliminationOrder order = choose_order(2, entries, std::vector<double>{1e-9, 1, 1, 1e-9});
  ASSERT_TRUE(order.regular());
  EXPECT_NE(order.rows[0], order.columns[0]);
}

TEST(Elimination, ACheapPivotThatIsTinyIsNotTaken) {
  // Row and column of the tiny entry are the shortest: it would be the first by the number of operations.
  Graph graph;
  const double matrix[4][4] = {{1e-9, 1, 0, 0}, {2, 1, -1, 3}, {0, 2, 5, 1}, {0, -1, 1, 4}};
  std::vector<Entry> entries;
  std::vector<double> values;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      if (matrix[i][j] == 0) continue;
      entries.push_back({i, j, graph.symbol("a" + std::to_string(4 * i + j))});
      values.push_back(matrix[i][j]);
    }
  }
  const EliminationOrder order = choose_order(4, entries, values);
  ASSERT_TRUE(order.regular());
  EXPECT_FALSE(order.rows[0] == 0 && order.columns[0] == 0);
  for (const double pivot : order.pivots) {
    EXPECT_GT(std::fabs(pivot), 1e-3);
    EXPECT_LT(std::fabs(pivot), 1e3);
  }
}

TEST(Elimination, SizesOfPivotsHaveNoSign) {
  Graph graph;
  const Expr a = graph.symbol("a"), b = graph.symbol("b"), c = graph.symbol("c"), d = graph.symbol("d");
  const std::vector<Entry> entries = {{0, 0, a}, {0, 1, b}, {1, 0, c}, {1, 1, d}};
  // The large ones are negative: none of the others may come first.
  const EliminationOrder order = choose_order(2, entries, std::vector<double>{1e-9, -3, -2, 1e-9});
  ASSERT_TRUE(order.regular());
  EXPECT_NE(order.rows[0], order.columns[0]);
}

template <class T>
class Dense : public testing::Test {};
using Scalars = testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(Dense, Scalars);

TYPED_TEST(Dense, SolvesHilbertLikeSystems) {
  constexpr int n = 6;
  DenseSolver<TypeParam> solver(n);
  std::vector<TypeParam> x(n, TypeParam(0));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      solver.entry(i, j) = TypeParam(1) / TypeParam(i + j + 1);
      x[i] += solver.entry(i, j) * TypeParam(j + 1);
    }
  }
  solver.factorise();
  solver.solve(x);
  const double allowed = sizeof(TypeParam) == 8 ? 1e-8 : std::is_same_v<TypeParam, quad> ? 1e-25 : 1e-11;
  for (int i = 0; i < n; ++i) EXPECT_LT(std::fabs(static_cast<double>(x[i] - TypeParam(i + 1))), allowed);
}

TYPED_TEST(Dense, PivotsWithTheLargestWhateverItsSign) {
  // A tiny positive entry first, large ones only with a minus: a pivot that is chosen by value loses all digits.
  constexpr int n = 4;
  const double tiny = 1e-40;
  for (const double sign : {1.0, -1.0}) {
    DenseSolver<TypeParam> solver(n);
    std::vector<TypeParam> x(n, TypeParam(0));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        solver.entry(i, j) = TypeParam(sign) * (i == j ? TypeParam(tiny) : TypeParam(-1 - (i + 2 * j) % 5));
        x[i] += solver.entry(i, j) * TypeParam(j + 1);
      }
    }
    solver.factorise();
    solver.solve(x);
    const double allowed = 1e3 * static_cast<double>(epsilon<TypeParam>());
    for (int i = 0; i < n; ++i) EXPECT_LT(std::fabs(static_cast<double>(x[i] - TypeParam(i + 1))), allowed) << i;
  }
}

// Row 2 is a constraint on unknowns 0 and 1 that does not depend on 0 at these numbers. Unknown 0 is coupled to others,
// so that it would be cheaper to take the constraint first.
TEST(EliminationOrder, OfGroupsWaitsForWhatIsCoupledAtTheStart) {
  std::vector<PivotPlace> places;
  std::vector<double> values;
  const auto put = [&](int row, int column, double value) {
    places.push_back({row, column, false});
    values.push_back(value);
  };
  for (const int i : {0, 1, 3, 4}) put(i, i, 4);
  put(0, 2, 0);
  put(2, 0, 0);
  put(1, 2, 1);
  put(2, 1, 1);
  for (const int i : {0, 3, 4}) {
    for (const int j : {0, 3, 4}) {
      if (i != j) put(i, j, 1);
    }
  }
  const std::vector<int> groups = {0, 0, 1, 0, 0};
  const auto place_of = [](const EliminationOrder& order, int row) {
    return std::find(order.rows.begin(), order.rows.end(), row) - order.rows.begin();
  };
  const EliminationOrder order = choose_order(5, places, values, {.row_groups = groups, .column_groups = groups});
  ASSERT_TRUE(order.regular());
  EXPECT_GT(place_of(order, 2), place_of(order, 0));
  EXPECT_GT(place_of(order, 2), place_of(order, 1));
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(groups[order.rows[k]], groups[order.columns[k]]);
  const EliminationOrder in_turn =
      choose_order(5, places, values, {.row_groups = groups, .column_groups = groups, .groups_in_turn = true});
  ASSERT_TRUE(in_turn.regular());
  EXPECT_EQ(in_turn.rows.back(), 2);
  EXPECT_FALSE(choose_order(5, places, values, {.most_operations = order.operations / 2}).regular());
}

}  // namespace
}  // namespace noslip

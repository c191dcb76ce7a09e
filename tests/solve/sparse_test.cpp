// Sparse elimination against dense LU with pivoting.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <noslip/solve/linear.hpp>

namespace noslip {
namespace {

using Places = std::vector<std::pair<int, int>>;

/// A band with a permuted strong diagonal and a few entries far away.
Places random_places(int n, std::mt19937& random) {
  Places places;
  std::uniform_int_distribution<int> any(0, n - 1);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int distance = std::abs((i + 5) % n - j);
      if (distance <= 1 || any(random) == 0) places.emplace_back(i, j);
    }
  }
  return places;
}

template <class T>
std::vector<T> random_entries(const Places& places, int n, std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<T> entries;
  for (const auto& [i, j] : places) entries.push_back(T((i + 5) % n == j ? 4 + value(random) : value(random)));
  return entries;
}

template <class T>
std::vector<T> product(const Places& places, const std::vector<T>& entries, const std::vector<T>& x, bool transposed) {
  std::vector<T> b(x.size(), T(0));
  for (std::size_t e = 0; e < places.size(); ++e) {
    const auto [i, j] = places[e];
    transposed ? b[j] += entries[e] * x[i] : b[i] += entries[e] * x[j];
  }
  return b;
}

template <class T>
class Sparse : public ::testing::Test {};
using Scalars = ::testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(Sparse, Scalars);

TYPED_TEST(Sparse, SolvesMatricesOfOnePattern) {
  using T = TypeParam;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(-1, 1);
  for (const int n : {1, 2, 7, 40, 150}) {
    const Places places = random_places(n, random);
    SparseSolver<T> sparse(n, places);
    DenseSolver<T> dense(n);
    for (int round = 0; round < 4; ++round) {
      const std::vector<T> entries = random_entries<T>(places, n, random);
      std::copy(entries.begin(), entries.end(), sparse.entries().begin());
      sparse.factorise();
      dense.clear();
      for (std::size_t e = 0; e < places.size(); ++e) dense.entry(places[e].first, places[e].second) = entries[e];
      dense.factorise();
      EXPECT_EQ(sparse.sign(), dense.sign());
      std::vector<T> expected;
      for (int i = 0; i < n; ++i) expected.push_back(T(value(random)));
      for (const bool transposed : {false, true}) {
        const std::vector<T> b = product(places, entries, expected, transposed);
        std::vector<T> x = b;
        transposed ? sparse.solve_transposed(x) : sparse.solve(x);
        const std::vector<T> back = product(places, entries, x, transposed);
        const double units = transposed ? 1e5 : 100;  // transposed, for estimates, it is not refined
        for (int i = 0; i < n; ++i) {
          EXPECT_LE(static_cast<double>(size_of(back[i] - b[i]) / epsilon<T>()), units) << n << " " << i;
        }
      }
    }
  }
}

TEST(SparseSolver, ChoosesAnotherOrderWherePivotsVanish) {
  const Places places = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  SparseSolver<double> sparse(2, places);
  const auto solved = [&](std::vector<double> entries) {
    std::copy(entries.begin(), entries.end(), sparse.entries().begin());
    sparse.factorise();
    std::vector<double> x = {1, 2};
    sparse.solve(x);
    return x;
  };
  EXPECT_EQ(solved({2, 0, 0, 4}), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(solved({0, 2, 4, 0}), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(sparse.sign(), -1);
  EXPECT_NEAR(solved({1e-9, 1, 1, 1})[0], 1, 1e-8);
  EXPECT_FALSE(std::isfinite(solved({1, 2, 2, 4})[0]));
  EXPECT_EQ(sparse.sign(), 0);
  EXPECT_EQ(solved({2, 0, 0, 4}), (std::vector<double>{0.5, 0.5}));
}

TEST(SparseSolver, IsKeptAsNumbers) {
  std::mt19937 random(5);
  const int n = 90;
  const Places places = random_places(n, random);
  SparseSolver<double> one(n, places), two(n, places);
  const std::vector<double> first = random_entries<double>(places, n, random);
  std::copy(first.begin(), first.end(), one.entries().begin());
  one.factorise();
  const std::vector<double> second = random_entries<double>(places, n, random);  // in the order of the first
  std::copy(second.begin(), second.end(), one.entries().begin());
  one.factorise();
  std::vector<double> numbers(one.number_count()), x(n, 1.0), y = x;
  one.copy_numbers(numbers);
  two.set_numbers(numbers);
  one.solve(x);
  two.solve(y);
  EXPECT_EQ(x, y);
}

TEST(LinearSolver, EstimatesTheSizeOfTheInverse) {
  std::mt19937 random(9);
  const int n = 120;
  const Places places = random_places(n, random);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> entries = random_entries<double>(places, n, random);
    for (std::size_t e = 0; e < places.size(); ++e) entries[e] *= std::pow(10, places[e].first % 7);
    LinearSolver<double> linear(n, places);
    ASSERT_TRUE(linear.is_sparse());
    std::copy(entries.begin(), entries.end(), linear.entries().begin());
    linear.factorise();
    DenseSolver<double> dense(n);
    dense.clear();
    for (std::size_t e = 0; e < places.size(); ++e) dense.entry(places[e].first, places[e].second) = entries[e];
    dense.factorise();
    std::vector<double> a(n), b(n);
    const double exact = size_of_inverse<double>(dense, a, b), estimate = linear.inverse_size(a, b);
    EXPECT_GE(estimate, exact);
    EXPECT_LE(estimate, 3.001 * exact);
  }
}

}  // namespace
}  // namespace noslip

// Dense LU: the same bits whatever vectors the processor has, and as accurate as pivoting makes it.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <noslip/solve/dense.hpp>

#include "solve/blocked_lu.hpp"

namespace noslip {
namespace {

using Matrix = std::vector<std::vector<double>>;  // by rows

enum class Kind { full, scaled, with_zeros };

Matrix random_matrix(int n, Kind kind, std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1);
  Matrix matrix(n, std::vector<double>(n));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double& entry = matrix[i][j] = value(random);
      if (kind == Kind::scaled) entry *= std::ldexp(1.0, 3 * (i % 11) - 2 * (j % 13));
      if (kind == Kind::with_zeros && i != (j + 3) % n && value(random) < 0.5) entry = 0;
    }
  }
  return matrix;
}

std::vector<double> random_numbers(int n, std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> numbers(n);
  for (double& number : numbers) number = value(random);
  return numbers;
}

template <class Solver>
void factorise(Solver& solver, const Matrix& matrix) {
  solver.clear();
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j)
      solver.entry(static_cast<int>(i), static_cast<int>(j)) = matrix[i][j];
  }
  solver.factorise();
}

std::vector<Isa> instruction_sets() {
  std::vector<Isa> sets = {Isa::baseline};
  if (native_isa() != Isa::baseline) sets.push_back(Isa::avx2);
  if (native_isa() == Isa::avx512) sets.push_back(Isa::avx512);
  return sets;
}

TEST(BlockedLu, GivesTheSameBitsWithEveryInstructionSet) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> any_size(1, 90);
  for (int round = 0; round < 60; ++round) {
    const int n = any_size(random);
    const Matrix matrix = random_matrix(n, static_cast<Kind>(round % 3), random);
    const std::vector<double> b = random_numbers(n, random);
    std::vector<double> first, first_numbers;
    for (const Isa isa : instruction_sets()) {
      BlockedLu lu(n, isa);
      factorise(lu, matrix);
      std::vector<double> x = b, numbers(lu.number_count());
      lu.solve(x);
      lu.copy_numbers(numbers);
      if (first.empty()) {
        first = x;
        first_numbers = numbers;
      }
      EXPECT_EQ(x, first) << n << " " << static_cast<int>(isa);
      EXPECT_EQ(numbers, first_numbers) << n << " " << static_cast<int>(isa);
    }
  }
}

TEST(DenseSolver, LeavesResidualsOfRoundingErrors) {
  std::mt19937 random(2);
  for (const int n : {1, 2, 7, 16, 17, 24, 25, 50, 75}) {
    for (const Kind kind : {Kind::full, Kind::scaled, Kind::with_zeros}) {
      const Matrix matrix = random_matrix(n, kind, random);
      const std::vector<double> b = random_numbers(n, random);
      DenseSolver<double> solver(n);
      factorise(solver, matrix);
      std::vector<double> x = b;
      solver.solve(x);
      double most = 0, largest = 0;
      for (int i = 0; i < n; ++i) {
        quad left = b[i], sum = 0;
        for (int j = 0; j < n; ++j) {
          left -= quad(matrix[i][j]) * x[j];
          sum += size_of(quad(matrix[i][j]) * x[j]);
        }
        most = std::max(most, static_cast<double>(size_of(left)));
        largest = std::max(largest, static_cast<double>(sum));
      }
      EXPECT_LE(most, 1e-14 * largest) << n << " " << static_cast<int>(kind);
    }
  }
}

TEST(DenseSolver, AgreesWithQuadruplePrecision) {
  std::mt19937 random(3);
  for (const int n : {16, 17, 40, 64, 75}) {
    Matrix matrix = random_matrix(n, Kind::full, random);
    for (int i = 0; i < n; ++i) matrix[i][(i + 5) % n] += 3 * std::sqrt(n);  // well-conditioned, not in order
    const std::vector<double> b = random_numbers(n, random);
    DenseSolver<double> solver(n);
    DenseSolver<quad> exact(n);
    factorise(solver, matrix);
    factorise(exact, matrix);
    std::vector<double> x = b;
    std::vector<quad> y(b.begin(), b.end());
    solver.solve(x);
    exact.solve(y);
    EXPECT_EQ(solver.sign(), exact.sign()) << n;
    for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], static_cast<double>(y[i]), 1e-15) << n << " " << i;
  }
}

TEST(DenseSolver, IsKeptAsNumbers) {
  std::mt19937 random(4);
  for (const int n : {5, 40}) {
    DenseSolver<double> one(n), two(n);
    factorise(one, random_matrix(n, Kind::full, random));
    std::vector<double> numbers(one.number_count()), x = random_numbers(n, random), y = x;
    one.copy_numbers(numbers);
    two.set_numbers(numbers);
    one.solve(x);
    two.solve(y);
    EXPECT_EQ(x, y);
    EXPECT_EQ(one.sign(), two.sign());
  }
}

TEST(DenseSolver, DoesNotHideSingularMatrices) {
  std::mt19937 random(5);
  for (const int n : {6, 30}) {
    for (const double bad : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
      Matrix matrix = random_matrix(n, Kind::full, random);
      for (int i = 0; i < n; ++i) matrix[i][n / 2] = bad;
      DenseSolver<double> solver(n);
      factorise(solver, matrix);
      std::vector<double> x(n, 1.0);
      solver.solve(x);
      EXPECT_EQ(solver.sign(), 0);
      bool is_finite = true;
      for (const double value : x) is_finite = is_finite && std::isfinite(value);
      EXPECT_FALSE(is_finite);
      factorise(solver, random_matrix(n, Kind::full, random));
      EXPECT_NE(solver.sign(), 0);
    }
  }
}

}  // namespace
}  // namespace noslip

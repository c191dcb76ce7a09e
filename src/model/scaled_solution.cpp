#include "model/scaled_solution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include <noslip/core/scalar.hpp>
#include <noslip/solve/dense.hpp>
#include <noslip/solve/linear.hpp>

#include "model/sparse_conditioning.hpp"

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Refinement with residuals in extended precision: the report shows 1/20 as 0.05, not as 0.049999999999999996.
template <class Solve>
VectorXd refined(const MatrixXd& matrix, const VectorXd& right, Solve solve) {
  VectorXd x = solve(right);
  for (int pass = 0; pass < 2; ++pass) {
    VectorXd residual(right.size());
    for (Index i = 0; i < right.size(); ++i) {
      long double r = right[i];
      for (Index j = 0; j < right.size(); ++j) r -= static_cast<long double>(matrix(i, j)) * x[j];
      residual[i] = static_cast<double>(r);
    }
    x += solve(residual);
  }
  return x;
}

/// LU with pivoting in quadruple precision of rows * matrix * columns.
template <class Entry, class Right>
VectorXd solve_in_quad(Index n, const VectorXd& rows, const VectorXd& columns, const Entry& entry, const Right& right) {
  DenseSolver<quad> dense(static_cast<int>(n));
  std::vector<quad> x(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      dense.entry(static_cast<int>(i), static_cast<int>(j)) = quad(rows[i]) * entry(i, j) * quad(columns[j]);
    }
    x[static_cast<std::size_t>(i)] = quad(rows[i]) * right(i);
  }
  dense.factorise();
  dense.solve(x);
  VectorXd result(n);
  for (Index i = 0; i < n; ++i) result[i] = static_cast<double>(x[static_cast<std::size_t>(i)] * quad(columns[i]));
  return result;
}

/// In double as long as that loses few digits.
VectorXd solve_equilibrated(const MatrixXd& matrix, const VectorXd& right, const VectorXd& rows,
                            const VectorXd& columns) {
  const Eigen::PartialPivLU<MatrixXd> lu(rows.asDiagonal() * matrix * columns.asDiagonal());
  if (!(lu.rcond() * most_condition_in_double > 1)) {
    return solve_in_quad(
        matrix.rows(), rows, columns, [&](Index i, Index j) { return quad(matrix(i, j)); },
        [&](Index i) { return quad(right[i]); });
  }
  return refined(matrix, right, [&](const VectorXd& b) -> VectorXd {
    return columns.asDiagonal() * lu.solve(rows.asDiagonal() * b).eval();
  });
}

/// Factors for the unknowns (and the rows) of [M -K^T; K 0].
VectorXd saddle_scaling(const MatrixXd& mass, const MatrixXd& K) {
  const Index n = mass.rows(), m = K.rows();
  const VectorXd scale = symmetric_scaling(mass);
  VectorXd all(n + m);
  all.head(n) = scale;
  for (Index i = 0; i < m; ++i) {
    const double norm = (scale.asDiagonal() * K.row(i).transpose()).stableNorm();
    all[n + i] = norm > 0 ? 1 / norm : 1;
  }
  return all;
}

}  // namespace

TwoScalings::TwoScalings(const MatrixXd& matrix)
    : rows(VectorXd::Ones(matrix.rows())), columns(VectorXd::Ones(matrix.cols())) {
  for (int pass = 0; pass < 40; ++pass) {
    const MatrixXd now = (rows.asDiagonal() * matrix * columns.asDiagonal()).cwiseAbs();
    bool is_done = true;
    const auto improve = [&](double largest, double& factor) {
      if (!(largest > 0)) return;
      is_done = is_done && std::abs(largest - 1) < 0.1;
      factor /= std::sqrt(largest);
    };
    for (Index i = 0; i < now.rows(); ++i) improve(now.row(i).maxCoeff(), rows[i]);
    for (Index j = 0; j < now.cols(); ++j) improve(now.col(j).maxCoeff(), columns[j]);
    if (is_done) break;
  }
}

bool is_analysed_dense(Index rows, Index entries) {
  constexpr Index largest_dense = 200;
  return rows <= largest_dense || is_solved_dense(static_cast<std::size_t>(rows), static_cast<std::size_t>(entries));
}

VectorXd solve_scaled(const MatrixXd& matrix, const VectorXd& right) {
  if (matrix.rows() == 0) return right;
  const TwoScalings units(matrix);
  return solve_equilibrated(matrix, right, units.rows, units.columns);
}

SaddleSolution solve_saddle(const MatrixXd& mass, const MatrixXd& K, const VectorXd& g, const VectorXd& gamma) {
  const Index n = mass.rows();
  const Index m = K.rows();
  const VectorXd all = saddle_scaling(mass, K);
  MatrixXd matrix = MatrixXd::Zero(n + m, n + m);
  matrix.topLeftCorner(n, n) = mass;
  matrix.topRightCorner(n, m) = -K.transpose();
  matrix.bottomLeftCorner(m, n) = K;
  VectorXd right(n + m);
  right << g, gamma;
  const VectorXd x = solve_equilibrated(matrix, right, all, all);
  return {x.head(n), x.tail(m)};
}

namespace {

/// A large matrix, brought to size one by factors of its rows and columns, and a right-hand side.
struct SparseSystem {
  std::vector<std::pair<int, int>> places;
  std::vector<double> entries;  ///< as they are given
  VectorXd scale, right;

  void add(Index row, Index column, double value) {
    places.emplace_back(static_cast<int>(row), static_cast<int>(column));
    entries.push_back(value);
  }
  double scaled(std::size_t e) const { return scale[places[e].first] * entries[e] * scale[places[e].second]; }

  template <class T>
  LinearSolver<T> factors() const {
    LinearSolver<T> result(static_cast<int>(right.size()), places);
    for (std::size_t e = 0; e < places.size(); ++e) {
      result.entries()[e] = T(scale[places[e].first]) * T(entries[e]) * T(scale[places[e].second]);
    }
    result.factorise();
    return result;
  }

  double size() const {
    VectorXd sums = VectorXd::Zero(right.size());
    for (std::size_t e = 0; e < places.size(); ++e) sums[places[e].first] += std::abs(scaled(e));
    return sums.maxCoeff();
  }

  VectorXd residual(const VectorXd& x) const {
    std::vector<quad> left(right.begin(), right.end());
    for (std::size_t e = 0; e < places.size(); ++e) left[places[e].first] -= quad(entries[e]) * x[places[e].second];
    VectorXd result(right.size());
    for (std::size_t i = 0; i < left.size(); ++i) result[i] = static_cast<double>(left[i]);
    return result;
  }

  VectorXd solve_in_quad() const {
    const LinearSolver<quad> solver = factors<quad>();
    std::vector<quad> x(static_cast<std::size_t>(right.size()));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = quad(scale[i]) * quad(right[i]);
    solver.solve(x);
    VectorXd result(right.size());
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = static_cast<double>(quad(scale[i]) * x[i]);
    return result;
  }

  /// Factors in double and residuals in quadruple precision give a solution to rounding as long as each pass gains
  /// several digits.
  VectorXd solution() const {
    constexpr double most_condition_of_factors = 1e9;
    constexpr int most_passes = 8;
    const LinearSolver<double> solver = factors<double>();
    std::vector<double> a(static_cast<std::size_t>(right.size())), b = a;
    if (!(size() * solver.inverse_size(a, b) < most_condition_of_factors)) return solve_in_quad();
    VectorXd x = VectorXd::Zero(right.size());
    for (int pass = 0; pass < most_passes; ++pass) {
      VectorXd step = scale.cwiseProduct(residual(x));
      solver.solve({step.data(), a.size()});
      x += scale.cwiseProduct(step);
      const VectorXd scaled_x = x.cwiseQuotient(scale);
      if (step.cwiseAbs().maxCoeff() <= std::numeric_limits<double>::epsilon() * scaled_x.cwiseAbs().maxCoeff()) break;
    }
    return x;
  }
};

}  // namespace

SaddleSolution solve_saddle(const SparseRows& mass, const SparseRows& K, const VectorXd& g, const VectorXd& gamma) {
  const Index n = mass.rows(), m = K.rows();
  if (is_analysed_dense(n + m, mass.nonZeros() + 2 * K.nonZeros())) {
    return solve_saddle(MatrixXd(mass), MatrixXd(K), g, gamma);
  }
  SparseSystem system;
  system.scale.resize(n + m);
  system.scale.head(n) = symmetric_scaling(mass);
  system.right.resize(n + m);
  system.right << g, gamma;
  for (Index i = 0; i < n; ++i) {
    for (SparseRows::InnerIterator entry(mass, i); entry; ++entry) system.add(i, entry.col(), entry.value());
  }
  for (Index i = 0; i < m; ++i) {
    double largest = 0, sum = 0;
    for (SparseRows::InnerIterator entry(K, i); entry; ++entry) {
      system.add(n + i, entry.col(), entry.value());
      system.add(entry.col(), n + i, -entry.value());
      largest = std::max(largest, std::abs(system.scale[entry.col()] * entry.value()));
    }
    for (SparseRows::InnerIterator entry(K, i); entry && largest > 0; ++entry) {
      const double part = system.scale[entry.col()] * entry.value() / largest;
      sum += part * part;
    }
    system.scale[n + i] = largest > 0 ? 1 / (largest * std::sqrt(sum)) : 1;
  }
  const VectorXd x = system.solution();
  return {x.head(n), x.tail(m)};
}

}  // namespace noslip

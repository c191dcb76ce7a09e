// Row by row: T. A. Davis, Algorithm 849, ACM Trans. Math. Softw. 31 (2005) 587, describes the elimination tree and the
// order of the work.
#include "model/sparse_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/OrderingMethods>

namespace noslip {

SparseCholesky::SparseCholesky(const SparseRows& matrix) {
  const auto n = static_cast<std::size_t>(matrix.rows());
  position_.resize(n);
  row_at_.resize(n);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  if (n > 0) Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(matrix), order);
  for (std::size_t k = 0; k < n; ++k) {
    row_at_[k] = order.indices()[static_cast<Eigen::Index>(k)];
    position_[row_at_[k]] = static_cast<int>(k);
  }

  diagonal_.assign(n, 0);
  parent_.assign(n, -1);
  first_entry_.assign(1, 0);
  std::vector<int> seen(n, -1), count(n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const int here = static_cast<int>(k);
    seen[k] = here;
    for (SparseRows::InnerIterator entry(matrix, row_at_[k]); entry; ++entry) {
      int i = position_[entry.col()];
      if (i == here) diagonal_[k] = entry.value();
      if (i >= here) continue;
      entry_column_.push_back(i);
      entry_.push_back(entry.value());
      for (; seen[i] != here; i = parent_[i]) {
        if (parent_[i] < 0) parent_[i] = here;
        ++count[i];
        seen[i] = here;
      }
    }
    first_entry_.push_back(static_cast<int>(entry_.size()));
  }
  first_.assign(1, 0);
  for (const int entries : count) first_.push_back(first_.back() + entries);
  rows_.resize(static_cast<std::size_t>(first_.back()));
  values_.resize(rows_.size());
  pivots_.resize(n);
  is_left_out_.assign(n, false);
}

bool SparseCholesky::is_complete() const {
  return std::find(is_left_out_.begin(), is_left_out_.end(), true) == is_left_out_.end();
}

void SparseCholesky::factorise(double least, const std::vector<bool>& without) {
  const std::size_t n = size();
  std::vector<double> row(n, 0);
  std::vector<int> filled(n, 0), seen(n, -1), pattern;
  for (std::size_t k = 0; k < n; ++k) {
    const int here = static_cast<int>(k);
    pattern.clear();
    seen[k] = here;
    for (int e = first_entry_[k]; e < first_entry_[k + 1]; ++e) {
      int i = entry_column_[e];
      row[i] = entry_[e];
      for (; seen[i] != here; i = parent_[i]) {
        pattern.push_back(i);
        seen[i] = here;
      }
    }
    std::sort(pattern.begin(), pattern.end());
    double pivot = diagonal_[k];
    for (const int i : pattern) {
      const double y = row[i], factor = y / pivots_[i];
      row[i] = 0;
      const int end = first_[i] + filled[i];
      for (int e = first_[i]; e < end; ++e) row[rows_[e]] -= values_[e] * y;
      pivot -= factor * y;
      rows_[end] = here;
      values_[end] = factor;
      ++filled[i];
    }
    const int original = row_at_[k];
    is_left_out_[original] = (!without.empty() && without[original]) || !(pivot > least);
    pivots_[k] = pivot;
    if (!is_left_out_[original]) continue;
    pivots_[k] = std::numeric_limits<double>::infinity();
    for (const int i : pattern) values_[first_[i] + filled[i] - 1] = 0;
  }
}

Eigen::VectorXd SparseCholesky::solve(const Eigen::VectorXd& b) const {
  const std::size_t n = size();
  std::vector<double> x(n);
  for (std::size_t k = 0; k < n; ++k) x[k] = is_left_out(row_at_[k]) ? 0 : b[row_at_[k]];
  for (std::size_t k = 0; k < n; ++k) {
    for (int e = first_[k]; e < first_[k + 1]; ++e) x[rows_[e]] -= values_[e] * x[k];
  }
  for (std::size_t k = n; k-- > 0;) {
    x[k] /= pivots_[k];
    for (int e = first_[k]; e < first_[k + 1]; ++e) x[k] -= values_[e] * x[rows_[e]];
  }
  Eigen::VectorXd result(static_cast<Eigen::Index>(n));
  for (std::size_t k = 0; k < n; ++k) result[row_at_[k]] = is_left_out(row_at_[k]) ? 0 : x[k];
  return result;
}

double SparseCholesky::trace_of_inverse() const {
  const std::size_t n = size();
  std::vector<double> inverse(values_.size()), diagonal(n), sum(n), factor(n, 0);
  std::vector<int> owner(n, -1);
  double trace = 0;
  for (std::size_t j = n; j-- > 0;) {
    for (int e = first_[j]; e < first_[j + 1]; ++e) {
      const int i = rows_[e];
      owner[i] = static_cast<int>(j);
      factor[i] = values_[e];
      sum[i] = 0;
    }
    for (int e = first_[j]; e < first_[j + 1]; ++e) {
      const int k = rows_[e];
      sum[k] += factor[k] * diagonal[k];
      for (int other = first_[k]; other < first_[k + 1]; ++other) {
        const int i = rows_[other];
        if (owner[i] != static_cast<int>(j)) continue;
        sum[i] += factor[k] * inverse[other];
        sum[k] += factor[i] * inverse[other];
      }
    }
    diagonal[j] = 1 / pivots_[j];
    for (int e = first_[j]; e < first_[j + 1]; ++e) {
      const int i = rows_[e];
      inverse[e] = -sum[i];
      diagonal[j] += factor[i] * sum[i];
    }
    trace += diagonal[j];
  }
  return trace;
}

SparseRows SparseCholesky::in_metric(const SparseRows& K) const {
  const std::size_t n = size();
  SparseRows result(K.rows(), K.cols());
  std::vector<double> x(n, 0);
  std::vector<Eigen::Index> seen(n, -1);
  std::vector<int> pattern;
  for (Eigen::Index r = 0; r < K.rows(); ++r) {
    pattern.clear();
    for (SparseRows::InnerIterator entry(K, r); entry; ++entry) {
      int i = position_[entry.col()];
      x[i] = entry.value();
      for (; i >= 0 && seen[i] != r; i = parent_[i]) {
        pattern.push_back(i);
        seen[i] = r;
      }
    }
    std::sort(pattern.begin(), pattern.end());
    result.startVec(r);
    for (const int k : pattern) {
      for (int e = first_[k]; e < first_[k + 1]; ++e) x[rows_[e]] -= values_[e] * x[k];
      if (x[k] != 0) result.insertBack(r, k) = x[k] / std::sqrt(pivots_[k]);
      x[k] = 0;
    }
  }
  result.finalize();
  return result;
}

}  // namespace noslip

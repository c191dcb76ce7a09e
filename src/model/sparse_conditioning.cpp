#include "model/sparse_conditioning.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <noslip/core/stopping.hpp>
#include <noslip/solve/linear.hpp>

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// So few rows are analysed as a full matrix.
constexpr Index few_rows = 64;
/// Of rows of unit length: Cholesky's factors have the squares of distances, to about eight digits. Below this distance
/// they are measured otherwise.
constexpr double doubtful_distance = 1e-6;

/// Numbers between -1 and 1 in which no structure is; the same every time.
class Scattered {
 public:
  double operator()() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(static_cast<std::int64_t>(state_)) / 9.3e18;
  }

 private:
  std::uint64_t state_ = 42;
};

VectorXd scattered(Index n) {
  Scattered numbers;
  VectorXd result(n);
  for (double& value : result) value = numbers();
  return result;
}

void make_unit_rows(SparseRows& rows) {
  for (Index i = 0; i < rows.rows(); ++i) {
    double largest = 0, sum = 0;
    for (SparseRows::InnerIterator entry(rows, i); entry; ++entry) largest = std::max(largest, std::abs(entry.value()));
    if (largest == 0) continue;
    for (SparseRows::InnerIterator entry(rows, i); entry; ++entry) {
      entry.valueRef() /= largest;
      sum += entry.value() * entry.value();
    }
    for (SparseRows::InnerIterator entry(rows, i); entry; ++entry) entry.valueRef() /= std::sqrt(sum);
  }
}

VectorXd largest_of_rows(const SparseRows& matrix) {
  VectorXd result = VectorXd::Zero(matrix.rows());
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (SparseRows::InnerIterator entry(matrix, i); entry; ++entry) {
      result[i] = std::max(result[i], std::abs(entry.value()));
    }
  }
  return result;
}

/// Largest sum of sizes in a row of a symmetric matrix and of its inverse, multiplied: W. W. Hager's estimate (1984).
double symmetric_condition(const SparseRows& matrix, const std::function<VectorXd(const VectorXd&)>& solve) {
  const Index n = matrix.rows();
  double size = 0, found = 0;
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (SparseRows::InnerIterator entry(matrix, i); entry; ++entry) sum += std::abs(entry.value());
    size = std::max(size, sum);
  }
  VectorXd x = VectorXd::Constant(n, 1 / static_cast<double>(n));
  for (int round = 0; round < 5; ++round) {
    const VectorXd y = solve(x);
    const double sum = y.cwiseAbs().sum();
    if (!(sum > found)) break;
    found = sum;
    const VectorXd z = solve(y.unaryExpr([](double value) { return value < 0 ? -1.0 : 1.0; }));
    Index largest = 0;
    if (z.cwiseAbs().maxCoeff(&largest) <= z.dot(x)) break;
    x = VectorXd::Unit(n, largest);
  }
  return size * found;
}

/// Eigenvectors of a large symmetric matrix whose eigenvalues are the smallest in size, by inverse iteration of a block
/// that grows until it contains one that is not below the tolerance.
struct SmallestEigenvalues {
  SmallestEigenvalues(const SparseRows& matrix, double tolerance) {
    const Index n = matrix.rows();
    find_most(matrix);
    LinearSolver<double> factors = shifted_factors(matrix, 0.1 * tolerance * most);
    for (Index count = std::min<Index>(4, n);; count = std::min(2 * count, n)) {
      iterate(matrix, factors, count);
      below = (values.cwiseAbs().array() <= tolerance * most).count();
      if (below < count || count == n) return;
    }
  }

  double most = 0;   ///< size of the largest one
  Index below = 0;   ///< how many are at most tolerance * most
  VectorXd values;   ///< the smallest first
  MatrixXd vectors;  ///< their columns

 private:
  void find_most(const SparseRows& matrix) {
    VectorXd x = scattered(matrix.rows()).normalized();
    for (int i = 0; i < 40; ++i) {
      const VectorXd y = matrix * x;
      most = y.norm();
      if (!(most > 0)) break;
      x = y / most;
    }
  }

  /// Of matrix + shift: a singular matrix has factors, too.
  static LinearSolver<double> shifted_factors(const SparseRows& matrix, double shift) {
    SparseRows identity(matrix.rows(), matrix.rows());
    identity.setIdentity();
    const SparseRows shifted = matrix + shift * identity;
    std::vector<std::pair<int, int>> places;
    std::vector<double> values;
    for (Index i = 0; i < shifted.rows(); ++i) {
      for (SparseRows::InnerIterator entry(shifted, i); entry; ++entry) {
        places.emplace_back(static_cast<int>(i), static_cast<int>(entry.col()));
        values.push_back(entry.value());
      }
    }
    LinearSolver<double> result(static_cast<int>(matrix.rows()), std::move(places));
    std::copy(values.begin(), values.end(), result.entries().begin());
    result.factorise();
    return result;
  }

  void iterate(const SparseRows& matrix, const LinearSolver<double>& factors, Index count) {
    const Index n = matrix.rows();
    Scattered numbers;
    MatrixXd block(n, count);
    for (Index k = 0; k < count; ++k) {
      for (Index i = 0; i < n; ++i) block(i, k) = numbers();
    }
    const auto make_orthonormal = [&] {
      const Eigen::HouseholderQR<MatrixXd> qr(block);
      block = qr.householderQ() * MatrixXd::Identity(n, count);
    };
    make_orthonormal();
    double before = 0;
    constexpr int most_rounds = 30;
    for (int round = 0; round < most_rounds; ++round) {
      end_if_stopped();
      for (Index k = 0; k < count; ++k) {
        factors.solve({block.col(k).data(), static_cast<std::size_t>(n)});
        const double norm = block.col(k).stableNorm();
        if (!(norm > 0) || !std::isfinite(norm)) block.col(k) = scattered(n);
        block.col(k).normalize();
      }
      make_orthonormal();
      const MatrixXd image = matrix * block, projected = block.transpose() * image;
      const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(projected);
      std::vector<Index> order(static_cast<std::size_t>(count));
      for (Index k = 0; k < count; ++k) order[k] = k;
      std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        return std::abs(eigen.eigenvalues()[a]) < std::abs(eigen.eigenvalues()[b]);
      });
      values.resize(count);
      vectors.resize(n, count);
      for (Index k = 0; k < count; ++k) {
        values[k] = eigen.eigenvalues()[order[k]];
        vectors.col(k) = block * eigen.eigenvectors().col(order[k]);
      }
      const double now = values.cwiseAbs().sum();
      if (round > 1 && std::abs(now - before) <= 1e-3 * now + 1e-16 * most) break;
      before = now;
    }
  }
};

/// A combination of rows: numbers of rows and factors.
using Combination = std::map<Index, double>;

constexpr double negligible_share = 1e-8;

double largest_of(const Combination& combination) {
  double largest = 0;
  for (const auto& [row, factor] : combination) largest = std::max(largest, std::abs(factor));
  return largest;
}

Combination combination_of(const VectorXd& factors) {
  Combination result;
  const double least = 0.1 * negligible_share * factors.cwiseAbs().maxCoeff();
  for (Index i = 0; i < factors.size(); ++i) {
    if (std::abs(factors[i]) > least) result[i] = factors[i];
  }
  return result;
}

/// Combinations that vanish, each as "a later row is made of earlier ones".
std::vector<Dependence> in_order_of_rows(std::vector<Combination> open) {
  std::vector<Dependence> result;
  std::map<Index, std::vector<std::size_t>, std::greater<>> owners;  // combinations that may have a row
  for (std::size_t k = 0; k < open.size(); ++k) {
    for (const auto& [row, factor] : open[k]) owners[row].push_back(k);
  }
  std::vector<bool> is_used(open.size(), false);
  while (!owners.empty()) {
    const Index row = owners.begin()->first;
    std::vector<std::size_t> candidates = std::move(owners.begin()->second);
    owners.erase(owners.begin());
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::erase_if(candidates, [&](std::size_t k) { return is_used[k] || !open[k].contains(row); });
    if (candidates.empty()) continue;
    const std::size_t best = *std::max_element(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
      return std::abs(open[a].at(row)) < std::abs(open[b].at(row));
    });
    const Combination& chosen = open[best];
    const double least = negligible_share * largest_of(chosen), own = chosen.at(row);
    if (std::abs(own) <= least) continue;
    is_used[best] = true;
    Dependence dependence{row, {}};
    for (const auto& [other, factor] : chosen) {
      if (other < row && std::abs(factor) > least) dependence.on.push_back(other);
    }
    result.push_back(std::move(dependence));
    for (const std::size_t k : candidates) {
      if (k == best) continue;
      const double share = open[k].at(row) / own;
      for (const auto& [other, factor] : chosen) {
        if (other < row && open[k].try_emplace(other, 0).second) owners[other].push_back(k);
        open[k][other] -= share * factor;
      }
      open[k].erase(row);
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

/// Rows of unit length (or zero), split into some that are independent beyond doubt and the others, which are measured
/// by their distance from the first ones.
class RowSpan {
 public:
  explicit RowSpan(const SparseRows& rows)
      : rows_(rows), columns_(rows.transpose()), factors_(SparseRows(rows * columns_)) {
    constexpr double least = doubtful_distance * doubtful_distance;
    std::vector<bool> without(static_cast<std::size_t>(rows.rows()), false);
    for (;;) {
      end_if_stopped();
      factors_.factorise(least, without);
      trace_ = factors_.trace_of_inverse();
      if (!(trace_ > 1 / least)) break;
      // Rows that are far from the span of those before, but together nearly dependent.
      Index largest = 0;
      weakest_factors().cwiseAbs().maxCoeff(&largest);
      if (without[largest]) break;
      without[largest] = true;
    }
    for (Index i = 0; i < rows.rows(); ++i) {
      if (factors_.is_left_out(i)) measure(i);
    }
  }

  ProductAnalysis analysis() const {
    ProductAnalysis result;
    const auto m = static_cast<int>(rows_.rows());
    result.rank = result.rank_of_rows = m - static_cast<int>(dependent_.size());
    if (!dependent_.empty()) {
      result.condition = std::numeric_limits<double>::infinity();
      result.dependences = in_order_of_rows(dependent_);
      return result;
    }
    double trace = trace_;
    for (const Near& near : near_) trace += size_of_square(near.combination) / (near.distance * near.distance);
    result.condition = std::max(1.0, trace / m);
    if (result.condition > noticeable_condition) result.weakest = in_order_of_rows({weakest()});
    return result;
  }

 private:
  /// A combination of rows of which only a short vector is left.
  struct Near {
    Combination combination;
    Eigen::SparseVector<double> direction;
    double distance;
  };

  static double size_of_square(const Combination& combination) {
    double sum = 0;
    for (const auto& [row, factor] : combination) sum += factor * factor;
    return sum;
  }

  /// Factors of the rows whose combination is the shortest.
  VectorXd weakest_factors() const {
    VectorXd y = scattered(rows_.rows());
    for (int i = 0; i < 8; ++i) y = factors_.solve(y).normalized();
    return y;
  }

  Combination weakest() const {
    const Near* shortest = nullptr;
    const auto size = [](const Near& near) { return near.distance / std::sqrt(size_of_square(near.combination)); };
    for (const Near& near : near_) {
      if (shortest == nullptr || size(near) < size(*shortest)) shortest = &near;
    }
    return shortest != nullptr ? shortest->combination : combination_of(weakest_factors());
  }

  void measure(Index row) {
    end_if_stopped();
    VectorXd left = rows_.row(row).transpose(), factors = VectorXd::Zero(rows_.rows());
    const VectorXd whole = left;
    for (int pass = 0; pass < 4; ++pass) {
      factors += factors_.solve(rows_ * left);
      left = whole - columns_ * factors;
    }
    VectorXd all = -factors;
    all[row] = 1;
    Combination combination = combination_of(all);
    for (int pass = 0; pass < 2; ++pass) {
      for (const Near& near : near_) {
        const double part = near.direction.dot(left);
        if (part == 0) continue;
        left -= part * near.direction;
        for (const auto& [other, factor] : near.combination) combination[other] -= part / near.distance * factor;
      }
    }
    const double distance = left.norm();
    if (distance <= dependence_tolerance) {
      dependent_.push_back(std::move(combination));
    } else {
      left /= distance;
      near_.push_back({std::move(combination), left.sparseView(1, 1e-15), distance});
    }
  }

  const SparseRows& rows_;
  SparseRows columns_;  // transposed
  SparseCholesky factors_;
  double trace_ = 0;  // of the inverse of what the factors have
  std::vector<Near> near_;
  std::vector<Combination> dependent_;
};

}  // namespace

VectorXd symmetric_scaling(const SparseRows& mass) {
  const VectorXd diagonal = mass.diagonal();
  if (mass.rows() > 0 && (diagonal.array() > 0).all()) {
    const VectorXd by_diagonal = diagonal.cwiseSqrt().cwiseInverse();
    const SparseRows correlations = by_diagonal.asDiagonal() * mass * by_diagonal.asDiagonal();
    if (largest_of_rows(correlations).maxCoeff() < 1.01) return by_diagonal;
  }
  VectorXd scale = VectorXd::Ones(mass.rows());
  for (int pass = 0; pass < 40; ++pass) {
    bool is_done = true;
    const VectorXd largest = largest_of_rows(scale.asDiagonal() * mass * scale.asDiagonal());
    for (Index i = 0; i < mass.rows(); ++i) {
      if (!(largest[i] > 0)) continue;
      is_done = is_done && std::abs(largest[i] - 1) < 0.1;
      scale[i] /= std::sqrt(largest[i]);
    }
    if (is_done) break;
  }
  return scale;
}

SparseMassAnalysis::SparseMassAnalysis(const SparseRows& mass)
    : scale(symmetric_scaling(mass)),
      scaled(scale.asDiagonal() * mass * scale.asDiagonal()),
      cholesky(scaled) {
  rank = size = static_cast<int>(mass.rows());
  if (size == 0) return;
  cholesky.factorise(0);
  is_positive = cholesky.is_complete();
  if (is_positive) {
    condition = std::max(1.0, symmetric_condition(scaled, [&](const VectorXd& b) { return cholesky.solve(b); }));
    if (condition < noticeable_condition) return;
  }
  const double tolerance = 16 * std::numeric_limits<double>::epsilon() * size;
  const VectorXd rows = largest_of_rows(scaled);
  const auto zero_rows = (rows.array() == 0).count();
  if (zero_rows > 0) {  // these are named, whatever the others are
    rank = size - static_cast<int>(zero_rows);
    condition = std::numeric_limits<double>::infinity();
    return;
  }
  const SmallestEigenvalues smallest(scaled, tolerance);
  rank = size - static_cast<int>(smallest.below);
  condition = rank < size ? std::numeric_limits<double>::infinity() : smallest.most / std::abs(smallest.values[0]);
  if (condition >= noticeable_condition) weakest = smallest.vectors.col(0);
  if (rank < size) is_positive = false;
}

ProductAnalysis analyse_rows(SparseRows A) {
  if (A.rows() <= few_rows) return analyse_rows(MatrixXd(A));
  make_unit_rows(A);
  return RowSpan(A).analysis();
}

ProductAnalysis analyse_saddle(const SparseRows& M, SparseRows K, const ProductAnalysis& rows) {
  make_unit_rows(K);
  const Index n = M.rows(), m = K.rows();
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i) {
    for (SparseRows::InnerIterator entry(M, i); entry; ++entry) entries.emplace_back(i, entry.col(), entry.value());
  }
  for (Index i = 0; i < m; ++i) {
    for (SparseRows::InnerIterator entry(K, i); entry; ++entry) {
      entries.emplace_back(n + i, entry.col(), entry.value());
      entries.emplace_back(entry.col(), n + i, entry.value());
    }
  }
  SparseRows saddle(n + m, n + m);
  saddle.setFromTriplets(entries.begin(), entries.end());
  const SmallestEigenvalues smallest(saddle, dependence_tolerance);
  ProductAnalysis result = rows;
  const auto combination = [&](Index k) { return combination_of(smallest.vectors.col(k).tail(m)); };
  if (smallest.below == 0) {
    result.condition = std::max(rows.condition, smallest.most / std::abs(smallest.values[0]));
    if (result.condition > noticeable_condition) result.weakest = in_order_of_rows({combination(0)});
    return result;
  }
  result.rank = static_cast<int>(m - smallest.below);
  result.condition = std::numeric_limits<double>::infinity();
  std::vector<Combination> combinations;
  for (Index k = 0; k < smallest.below; ++k) combinations.push_back(combination(k));
  result.dependences = in_order_of_rows(std::move(combinations));
  result.directions = smallest.vectors.topRows(n).leftCols(smallest.below);
  return result;
}

}  // namespace noslip

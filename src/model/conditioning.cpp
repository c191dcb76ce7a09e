#include "model/conditioning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

void make_unit_rows(MatrixXd& rows) {
  for (Index i = 0; i < rows.rows(); ++i) {
    const double norm = rows.row(i).stableNorm();
    if (norm > 0) rows.row(i) /= norm;
  }
}

void make_unit_columns(MatrixXd& columns) {
  for (Index i = 0; i < columns.cols(); ++i) {
    const double norm = columns.col(i).stableNorm();
    if (norm > 0) columns.col(i) /= norm;
  }
}

/// Units of the variables in between, in which A and B are of the same size. A variable that only one of them has is of
/// no use for the product.
void balance(MatrixXd& A, MatrixXd& B) {
  if (A.size() == 0 || B.size() == 0) return;
  for (int pass = 0; pass < 40; ++pass) {
    make_unit_rows(A);
    make_unit_columns(B);
    bool is_done = true;
    for (Index j = 0; j < A.cols(); ++j) {
      const double a = A.col(j).stableNorm(), b = B.row(j).stableNorm();
      if (a == 0 || b == 0) {
        is_done = is_done && a == b;
        A.col(j).setZero();
        B.row(j).setZero();
        continue;
      }
      const double factor = std::sqrt(b / a);
      is_done = is_done && std::abs(factor - 1) < 0.1;
      A.col(j) *= factor;
      B.row(j) /= factor;
    }
    if (is_done) break;
  }
  make_unit_rows(A);
  make_unit_columns(B);
}

/// An orthonormal basis of columns of unit length, and how well they are conditioned.
struct Span {
  explicit Span(const MatrixXd& columns, bool needs_basis = true) {
    if (columns.cols() == 0) return;
    Eigen::ColPivHouseholderQR<MatrixXd> qr(columns);
    qr.setThreshold(dependence_tolerance);
    rank = qr.maxPivot() <= dependence_tolerance ? 0 : static_cast<int>(qr.rank());
    const Index m = columns.cols();
    if (rank < m) {
      condition = infinity;
      return;
    }
    if (needs_basis) basis = qr.householderQ() * MatrixXd::Identity(columns.rows(), m);
    const MatrixXd R = qr.matrixR().topLeftCorner(m, m).triangularView<Eigen::Upper>();
    const MatrixXd inverse = R.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(m, m));
    condition = std::max(1.0, R.norm() * inverse.norm() / static_cast<double>(m));
    inverse_size = std::max(1.0, inverse.norm() / std::sqrt(static_cast<double>(m)));
  }
  MatrixXd basis;
  int rank = 0;
  double condition = 1;
  double inverse_size = 1;  // of the triangular factor: the condition, if the columns could be of size one
};

/// Vectors of a null space, each as "a later row is made of earlier ones".
std::vector<Dependence> in_order_of_rows(MatrixXd null_space) {
  std::vector<Dependence> result;
  std::vector<bool> is_used(static_cast<std::size_t>(null_space.cols()), false);
  for (Index i = null_space.rows() - 1; i >= 0; --i) {
    Index best = -1;
    for (Index k = 0; k < null_space.cols(); ++k) {
      if (is_used[static_cast<std::size_t>(k)]) continue;
      if (best < 0 || std::abs(null_space(i, k)) > std::abs(null_space(i, best))) best = k;
    }
    if (best < 0) break;
    const VectorXd vector = null_space.col(best);
    constexpr double negligible = 1e-8;
    if (std::abs(vector[i]) <= negligible * vector.cwiseAbs().maxCoeff()) continue;
    is_used[static_cast<std::size_t>(best)] = true;
    Dependence dependence{i, {}};
    for (Index j = 0; j < i; ++j) {
      if (std::abs(vector[j]) > negligible * vector.cwiseAbs().maxCoeff()) dependence.on.push_back(j);
    }
    result.push_back(std::move(dependence));
    for (Index k = 0; k < null_space.cols(); ++k) {
      if (!is_used[static_cast<std::size_t>(k)]) null_space.col(k) -= null_space(i, k) / vector[i] * vector;
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

/// Left null space of A B and right null space in the range of B, of all that is smaller than a tolerance.
struct NullSpaces {
  NullSpaces(const MatrixXd& A, const MatrixXd& B, double tolerance) {
    const Eigen::JacobiSVD<MatrixXd> of_A(A.transpose(), Eigen::ComputeThinU | Eigen::ComputeFullV);
    const Eigen::JacobiSVD<MatrixXd> of_B(B, Eigen::ComputeThinU | Eigen::ComputeFullV);
    const auto above = [&](const auto& svd) -> Index { return (svd.singularValues().array() > tolerance).count(); };
    const Index a = above(of_A), b = above(of_B), m = A.rows();
    rank_of_rows = static_cast<int>(a);
    const MatrixXd angles = of_A.matrixU().leftCols(a).transpose() * of_B.matrixU().leftCols(b);
    MatrixXd lost = MatrixXd::Identity(a, a), directions_in_range = MatrixXd::Identity(b, b);
    if (a > 0 && b > 0) {
      const Eigen::JacobiSVD<MatrixXd> svd(angles, Eigen::ComputeFullU | Eigen::ComputeFullV);
      rank = static_cast<int>(above(svd));
      lost = svd.matrixU().rightCols(a - rank);
      directions_in_range = svd.matrixV().rightCols(b - rank);
    }
    rows.resize(m, m - rank);
    rows << of_A.matrixV().rightCols(m - a),
        of_A.matrixV().leftCols(a) * of_A.singularValues().head(a).cwiseInverse().asDiagonal() * lost;
    directions = of_B.matrixU().leftCols(b) * directions_in_range;
    for (Index k = 0; k < rows.cols(); ++k) rows.col(k).normalize();
  }
  MatrixXd rows, directions;
  int rank = 0, rank_of_rows = 0;
};

ProductAnalysis analyse(const MatrixXd& A, const MatrixXd& B, bool is_transposed) {
  ProductAnalysis result;
  const Index m = A.rows();
  if (m == 0) return result;
  const Span of_A(A.transpose(), !is_transposed), of_B = is_transposed ? of_A : Span(B);
  result.rank_of_rows = of_A.rank;
  result.condition = of_A.condition * of_B.condition;
  bool is_regular = of_A.rank == m && of_B.rank == m;
  if (is_regular && !is_transposed) {
    const Span angles(of_A.basis.transpose() * of_B.basis, false);
    is_regular = angles.rank == m;
    result.condition *= angles.inverse_size;
  }
  if (is_regular) {
    result.rank = static_cast<int>(m);
    if (result.condition > noticeable_condition) {
      // The factor that is nearest to singular decides who is named.
      for (double tolerance = 1e-11; tolerance < 1 && result.weakest.empty(); tolerance *= 10) {
        const NullSpaces spaces(A, B, tolerance);
        if (spaces.rank < m) result.weakest = in_order_of_rows(spaces.rows);
      }
      if (result.weakest.size() > 1) result.weakest.resize(1);
    }
    return result;
  }
  result.condition = infinity;
  double tolerance = dependence_tolerance;
  NullSpaces spaces(A, B, tolerance);
  for (; spaces.rank == m; tolerance *= 2) spaces = NullSpaces(A, B, tolerance);  // two ways to measure, one verdict
  result.rank = spaces.rank;
  result.dependences = in_order_of_rows(spaces.rows);
  if (of_A.rank == m && of_B.rank == m) result.directions = spaces.directions;
  return result;
}

}  // namespace

VectorXd symmetric_scaling(const MatrixXd& mass) {
  // A positive definite matrix is best scaled by its diagonal, which no other entry exceeds then.
  if (mass.rows() > 0 && (mass.diagonal().array() > 0).all()) {
    const VectorXd by_diagonal = mass.diagonal().cwiseSqrt().cwiseInverse();
    const MatrixXd correlations = by_diagonal.asDiagonal() * mass * by_diagonal.asDiagonal();
    if (correlations.cwiseAbs().maxCoeff() < 1.01) return by_diagonal;
  }
  VectorXd scale = VectorXd::Ones(mass.rows());
  for (int pass = 0; pass < 40; ++pass) {  // each halves the exponents
    bool is_done = true;
    const MatrixXd now = scale.asDiagonal() * mass * scale.asDiagonal();
    for (Index i = 0; i < mass.rows(); ++i) {
      const double largest = now.row(i).cwiseAbs().maxCoeff();
      if (!(largest > 0)) continue;
      is_done = is_done && std::abs(largest - 1) < 0.1;
      scale[i] /= std::sqrt(largest);
    }
    if (is_done) break;
  }
  return scale;
}

MassAnalysis::MassAnalysis(const MatrixXd& mass) {
  const Index n = mass.rows();
  if (n == 0) return;
  scale = symmetric_scaling(mass);
  scaled = scale.asDiagonal() * mass * scale.asDiagonal();
  rank = size = static_cast<int>(n);
  const Eigen::LLT<MatrixXd> llt(scaled);
  is_positive = llt.info() == Eigen::Success;
  if (is_positive) cholesky = llt.matrixL();
  if (is_positive) condition = std::max(1.0, 1 / llt.rcond());
  if (is_positive && condition < noticeable_condition) return;  // the usual case, without eigenvalues

  const double tolerance = 16 * std::numeric_limits<double>::epsilon() * static_cast<double>(n);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scaled);
  const VectorXd sizes = eigen.eigenvalues().cwiseAbs();
  Index smallest = 0;
  const double least = sizes.minCoeff(&smallest), most = sizes.maxCoeff();
  rank = static_cast<int>((sizes.array() > tolerance * most).count());
  condition = rank < n ? infinity : most / least;
  if (condition >= noticeable_condition) weakest = eigen.eigenvectors().col(smallest);
  if (rank < n) is_positive = false;
}

ProductAnalysis analyse_product(MatrixXd A, MatrixXd B, bool finds_units) {
  if (finds_units) {
    balance(A, B);
  } else {
    make_unit_rows(A);
    make_unit_columns(B);
  }
  return analyse(A, B, false);
}

ProductAnalysis analyse_rows(MatrixXd A) {
  make_unit_rows(A);
  return analyse(A, A.transpose(), true);
}

}  // namespace noslip

#include "model/regularity.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <limits>

#include <noslip/core/names.hpp>

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double eps = std::numeric_limits<double>::epsilon();
// A unit vector that is this close to the span of others is taken to lie in it.
constexpr double dependence_tolerance = 1e-12;

/// Factors that bring every row of a symmetric matrix to size one, so that units do not decide about regularity.
VectorXd symmetric_scaling(const MatrixXd& mass) {
  VectorXd scale(mass.rows());
  for (Index i = 0; i < mass.rows(); ++i) {
    const double largest = mass.row(i).cwiseAbs().maxCoeff();
    scale[i] = largest > 0 ? 1 / std::sqrt(largest) : 1;
  }
  return scale;
}

MatrixXd scaled(const MatrixXd& mass, const VectorXd& scale) { return scale.asDiagonal() * mass * scale.asDiagonal(); }

/// Gradients of the constraints as unit columns, in coordinates where the mass is the identity if it is positive
/// definite (scaled coordinates otherwise). A column of zeros stays one.
MatrixXd unit_gradients(const MatrixXd& mass, const MatrixXd& K) {
  const VectorXd scale = symmetric_scaling(mass);
  MatrixXd columns = scale.asDiagonal() * K.transpose();
  const Eigen::LLT<MatrixXd> cholesky(scaled(mass, scale));
  if (cholesky.info() == Eigen::Success) columns = cholesky.matrixL().solve(columns);
  for (Index i = 0; i < columns.cols(); ++i) {
    const double norm = columns.col(i).stableNorm();
    if (norm > 0) columns.col(i) /= norm;
  }
  return columns;
}

Eigen::ColPivHouseholderQR<MatrixXd> pivoted_gradients(const MatrixXd& columns) {
  Eigen::ColPivHouseholderQR<MatrixXd> pivoted(columns);
  pivoted.setThreshold(dependence_tolerance);
  return pivoted;
}

std::string numbers(const std::vector<Index>& constraints) {
  std::vector<std::string> texts;
  for (const Index i : constraints) texts.push_back(std::to_string(i + 1));
  return (texts.size() == 1 ? "constraint " : "constraints ") + list_of(texts);
}

}  // namespace

std::vector<Problem> singular_mass(const MatrixXd& mass, const std::vector<std::string>& coordinates) {
  std::vector<Problem> problems;
  for (Index i = 0; i < mass.rows(); ++i) {
    if ((mass.row(i).array() != 0).any()) continue;
    const std::string& name = coordinates[static_cast<std::size_t>(i)];
    problems.push_back(
        {"L_vv is singular: the Lagrangian has no term that is quadratic in the velocity of '" + name + "'",
         {},
         "give '" + name + "' an inertia, for example m/2*" + name + "'^2"});
  }
  if (!problems.empty()) return problems;

  const MatrixXd matrix = scaled(mass, symmetric_scaling(mass));
  const double tolerance = 16 * eps * static_cast<double>(mass.rows());
  const Eigen::LLT<MatrixXd> cholesky(matrix);
  if (cholesky.info() == Eigen::Success && cholesky.matrixLLT().diagonal().cwiseAbs2().minCoeff() > std::sqrt(eps)) {
    return problems;  // the usual case, without eigenvalues
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(matrix);
  const VectorXd sizes = eigen.eigenvalues().cwiseAbs();
  Index smallest = 0;
  if (sizes.minCoeff(&smallest) > tolerance * sizes.maxCoeff()) return problems;

  const VectorXd direction = eigen.eigenvectors().col(smallest);
  std::vector<std::string> involved;
  for (Index i = 0; i < direction.size(); ++i) {
    if (std::abs(direction[i]) > 1e-6 * direction.cwiseAbs().maxCoeff()) {
      involved.push_back("'" + coordinates[static_cast<std::size_t>(i)] + "'");
    }
  }
  const auto rank = (sizes.array() > tolerance * sizes.maxCoeff()).count();
  problems.push_back({"L_vv is singular (rank " + std::to_string(rank) + " of " + std::to_string(mass.rows()) +
                          "): there is a motion of " + list_of(involved) + " without inertia",
                      {},
                      "give it an inertia, or remove a coordinate"});
  return problems;
}

int constraint_rank(const MatrixXd& mass, const MatrixXd& K) {
  if (K.rows() == 0) return 0;
  const Eigen::ColPivHouseholderQR<MatrixXd> pivoted = pivoted_gradients(unit_gradients(mass, K));
  return pivoted.maxPivot() == 0 ? 0 : static_cast<int>(pivoted.rank());
}

std::vector<Problem> dependent_constraints(const MatrixXd& mass, const MatrixXd& K,
                                           const std::vector<Constraint>& constraints) {
  std::vector<Problem> problems;
  const int rank = constraint_rank(mass, K);
  if (rank == K.rows()) return problems;
  const MatrixXd columns = unit_gradients(mass, K);

  const std::string count =
      " at the initial state (rank " + std::to_string(rank) + " of " + std::to_string(K.rows()) + ")";
  const auto report = [&](Index i, const std::string& reason) {
    problems.push_back({"constraint " + std::to_string(i + 1) + " '" + constraints[static_cast<std::size_t>(i)].text +
                            "' " + reason + count,
                        {},
                        "remove it, or start where the constraints are independent"});
  };
  // In the order of the file: the later one is called dependent, and the earlier ones that it is made of are named.
  std::vector<Index> independent;
  for (Index i = 0; i < K.rows(); ++i) {
    if (columns.col(i).isZero(0)) {
      report(i, "does not restrict the velocities");
      continue;
    }
    if (!independent.empty()) {
      const MatrixXd basis = columns(Eigen::all, independent);
      const VectorXd parts = basis.householderQr().solve(columns.col(i));
      if ((columns.col(i) - basis * parts).norm() <= 10 * dependence_tolerance) {
        std::vector<Index> used;
        for (Index j = 0; j < parts.size(); ++j) {
          if (std::abs(parts[j]) > 1e-8 * parts.cwiseAbs().maxCoeff())
            used.push_back(independent[static_cast<std::size_t>(j)]);
        }
        report(i, "depends on " + numbers(used));
        continue;
      }
    }
    independent.push_back(i);
  }
  if (problems.empty()) {  // almost dependent as a whole, without one that stands out
    report(pivoted_gradients(columns).colsPermutation().indices()[K.rows() - 1], "depends on the others");
  }
  return problems;
}

SaddleSolution solve_saddle(const MatrixXd& mass, const MatrixXd& K, const VectorXd& g, const VectorXd& gamma) {
  const Index n = mass.rows();
  const Index m = K.rows();
  const VectorXd scale = symmetric_scaling(mass);
  VectorXd all(n + m);
  all.head(n) = scale;
  for (Index i = 0; i < m; ++i) {
    const double norm = (scale.asDiagonal() * K.row(i).transpose()).stableNorm();
    all[n + i] = norm > 0 ? 1 / norm : 1;
  }
  MatrixXd matrix = MatrixXd::Zero(n + m, n + m);
  matrix.topLeftCorner(n, n) = mass;
  matrix.topRightCorner(n, m) = -K.transpose();
  matrix.bottomLeftCorner(m, n) = K;
  VectorXd right(n + m);
  right << g, gamma;

  const Eigen::PartialPivLU<MatrixXd> lu(all.asDiagonal() * matrix * all.asDiagonal());
  const auto solve = [&](const VectorXd& b) -> VectorXd {
    return all.asDiagonal() * lu.solve(all.asDiagonal() * b).eval();
  };
  // Refinement with residuals in extended precision: the report shows 1/20 as 0.05, not as 0.049999999999999996.
  VectorXd x = solve(right);
  for (int pass = 0; pass < 2; ++pass) {
    VectorXd residual(n + m);
    for (Index i = 0; i < n + m; ++i) {
      long double r = right[i];
      for (Index j = 0; j < n + m; ++j) r -= static_cast<long double>(matrix(i, j)) * x[j];
      residual[i] = static_cast<double>(r);
    }
    x += solve(residual);
  }
  return {x.head(n), x.tail(m)};
}

}  // namespace noslip

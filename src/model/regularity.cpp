#include "model/regularity.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <optional>

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

void make_unit_columns(MatrixXd& columns) {
  for (Index i = 0; i < columns.cols(); ++i) {
    const double norm = columns.col(i).stableNorm();
    if (norm > 0) columns.col(i) /= norm;
  }
}

/// Gradients of the constraints as unit columns, in coordinates where the mass is the identity if it is positive
/// definite (scaled coordinates otherwise). A column of zeros stays one.
MatrixXd unit_gradients(const MatrixXd& mass, const MatrixXd& K) {
  const VectorXd scale = symmetric_scaling(mass);
  MatrixXd columns = scale.asDiagonal() * K.transpose();
  const Eigen::LLT<MatrixXd> cholesky(scaled(mass, scale));
  if (cholesky.info() == Eigen::Success) columns = cholesky.matrixL().solve(columns);
  make_unit_columns(columns);
  return columns;
}

/// Rows of g_y f_z as columns, in units of g and z in which the terms of their entries, |g_y| |f_z|, are of size one.
MatrixXd index_rows(const MatrixXd& g_y, const MatrixXd& f_z) {
  MatrixXd columns = (g_y * f_z).transpose();
  MatrixXd terms = (g_y.cwiseAbs() * f_z.cwiseAbs()).transpose();
  for (Index i = 0; i < terms.rows(); ++i) {
    const double largest = terms.row(i).maxCoeff();
    if (largest == 0) continue;
    columns.row(i) /= largest;
    terms.row(i) /= largest;
  }
  for (Index i = 0; i < terms.cols(); ++i) {
    const double largest = terms.col(i).maxCoeff();
    if (largest > 0) columns.col(i) /= largest;
  }
  return columns;
}

Eigen::ColPivHouseholderQR<MatrixXd> pivoted_columns(const MatrixXd& columns) {
  Eigen::ColPivHouseholderQR<MatrixXd> pivoted(columns);
  pivoted.setThreshold(dependence_tolerance);
  return pivoted;
}

/// Rank of columns that have length one, or are shorter because their entries cancelled.
int rank_of(const MatrixXd& columns) {
  if (columns.cols() == 0) return 0;
  const Eigen::ColPivHouseholderQR<MatrixXd> pivoted = pivoted_columns(columns);
  return pivoted.maxPivot() <= dependence_tolerance ? 0 : static_cast<int>(pivoted.rank());
}

/// A column that lies in the span of others.
struct Dependence {
  Index column;
  bool is_zero = false;
  std::vector<Index> on;  ///< empty if it is zero, or if none of the others stands out
};

/// In the order of the columns: the later one is called dependent, and the earlier ones that it is made of are named.
std::vector<Dependence> dependences(const MatrixXd& columns) {
  std::vector<Dependence> result;
  std::vector<Index> independent;
  for (Index i = 0; i < columns.cols(); ++i) {
    if (columns.col(i).norm() <= dependence_tolerance) {
      result.push_back({i, true, {}});
      continue;
    }
    if (!independent.empty()) {
      const MatrixXd basis = columns(Eigen::all, independent);
      const VectorXd parts = basis.householderQr().solve(columns.col(i));
      if ((columns.col(i) - basis * parts).norm() <= 10 * dependence_tolerance) {
        Dependence dependence{i, false, {}};
        for (Index j = 0; j < parts.size(); ++j) {
          if (std::abs(parts[j]) > 1e-8 * parts.cwiseAbs().maxCoeff()) {
            dependence.on.push_back(independent[static_cast<std::size_t>(j)]);
          }
        }
        result.push_back(std::move(dependence));
        continue;
      }
    }
    independent.push_back(i);
  }
  if (result.empty()) {  // almost dependent as a whole, without one that stands out
    result.push_back({pivoted_columns(columns).colsPermutation().indices()[columns.cols() - 1], false, {}});
  }
  return result;
}

std::string numbers(const std::vector<Index>& constraints) {
  if (constraints.empty()) return "the others";
  std::vector<std::string> texts;
  for (const Index i : constraints) texts.push_back(std::to_string(i + 1));
  return (texts.size() == 1 ? "constraint " : "constraints ") + list_of(texts);
}

std::string quoted(const std::vector<Constraint>& constraints, Index i) {
  return std::to_string(i + 1) + " '" + constraints[static_cast<std::size_t>(i)].text + "'";
}

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

/// A direction of a symmetric matrix in which it is zero.
struct NullDirection {
  Index rank;
  std::vector<std::string> involved;  ///< coordinates, in quotes
};

std::vector<std::string> names_of_zero_rows(const MatrixXd& matrix, const std::vector<std::string>& coordinates) {
  std::vector<std::string> names;
  for (Index i = 0; i < matrix.rows(); ++i) {
    if ((matrix.row(i).array() == 0).all()) names.push_back(coordinates[static_cast<std::size_t>(i)]);
  }
  return names;
}

std::optional<NullDirection> null_direction(const MatrixXd& mass, const std::vector<std::string>& coordinates) {
  const MatrixXd matrix = scaled(mass, symmetric_scaling(mass));
  const double tolerance = 16 * eps * static_cast<double>(mass.rows());
  const Eigen::LLT<MatrixXd> cholesky(matrix);
  if (cholesky.info() == Eigen::Success && cholesky.matrixLLT().diagonal().cwiseAbs2().minCoeff() > std::sqrt(eps)) {
    return std::nullopt;  // the usual case, without eigenvalues
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(matrix);
  const VectorXd sizes = eigen.eigenvalues().cwiseAbs();
  Index smallest = 0;
  if (sizes.minCoeff(&smallest) > tolerance * sizes.maxCoeff()) return std::nullopt;

  const VectorXd direction = eigen.eigenvectors().col(smallest);
  std::vector<std::string> involved;
  for (Index i = 0; i < direction.size(); ++i) {
    if (std::abs(direction[i]) > 1e-6 * direction.cwiseAbs().maxCoeff()) {
      involved.push_back("'" + coordinates[static_cast<std::size_t>(i)] + "'");
    }
  }
  return NullDirection{(sizes.array() > tolerance * sizes.maxCoeff()).count(), std::move(involved)};
}

std::string rank_text(const NullDirection& direction, Index rows) {
  return "(rank " + std::to_string(direction.rank) + " of " + std::to_string(rows) + ")";
}

}  // namespace

std::vector<Problem> singular_mass(const MatrixXd& mass, const System& system) {
  std::vector<Problem> problems;
  const std::vector<std::string>& names = system.velocity_names();
  for (const std::string& name : names_of_zero_rows(mass, names)) {
    const auto i = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    const std::string& symbol = system.v()[i].name();  // x' of a coordinate, w1 of a body
    problems.push_back({"L_vv is singular: the Lagrangian has no term that is quadratic in the velocity " +
                            std::string(symbol == name ? "'" : "of '") + name + "'",
                        {},
                        "give '" + name + "' an inertia, for example m/2*" + symbol + "^2"});
  }
  if (!problems.empty()) return problems;
  if (const auto direction = null_direction(mass, names)) {
    problems.push_back({"L_vv is singular " + rank_text(*direction, mass.rows()) + ": there is a motion of " +
                            list_of(direction->involved) + " without inertia",
                        {},
                        "give it an inertia, or remove a coordinate"});
  }
  return problems;
}

std::vector<Problem> singular_inverse_mass(const MatrixXd& inverse_mass, const std::vector<std::string>& coordinates) {
  std::vector<Problem> problems;
  const std::string remedy = "v = H_p has to determine the momenta: start elsewhere, or change the Hamiltonian";
  for (const std::string& name : names_of_zero_rows(inverse_mass, coordinates)) {
    problems.push_back({"H_pp is singular at the initial state: the row of p(" + name + ") is zero there", {}, remedy});
  }
  if (!problems.empty()) return problems;
  if (const auto direction = null_direction(inverse_mass, coordinates)) {
    problems.push_back({"H_pp is singular at the initial state " + rank_text(*direction, inverse_mass.rows()) +
                            " in the momenta of " + list_of(direction->involved),
                        {},
                        remedy});
  }
  return problems;
}

int constraint_rank(const MatrixXd& mass, const MatrixXd& K) {
  return K.rows() == 0 ? 0 : rank_of(unit_gradients(mass, K));
}

std::vector<Problem> dependent_constraints(const MatrixXd& mass, const MatrixXd& K,
                                           const std::vector<Constraint>& constraints) {
  std::vector<Problem> problems;
  const int rank = constraint_rank(mass, K);
  if (rank == K.rows()) return problems;
  for (const Dependence& dependence : dependences(unit_gradients(mass, K))) {
    const std::string reason =
        dependence.is_zero ? "does not restrict the velocities" : "depends on " + numbers(dependence.on);
    problems.push_back({"constraint " + quoted(constraints, dependence.column) + " " + reason +
                            " at the initial state (rank " + std::to_string(rank) + " of " + std::to_string(K.rows()) +
                            ")",
                        {},
                        "remove it, or start where the constraints are independent"});
  }
  return problems;
}

int index_rank(const MatrixXd& g_y, const MatrixXd& f_z) { return rank_of(index_rows(g_y, f_z)); }

std::vector<Problem> not_of_index_two(const MatrixXd& g_y, const MatrixXd& f_z,
                                      const std::vector<Constraint>& constraints) {
  std::vector<Problem> problems;
  const int rank = index_rank(g_y, f_z);
  if (rank == g_y.rows()) return problems;
  for (const Dependence& dependence : dependences(index_rows(g_y, f_z))) {
    const std::string reason = dependence.is_zero
                                   ? "does not determine any z"
                                   : "determines the same z as the derivative of " + numbers(dependence.on);
    problems.push_back({"the system is not of index 2 at the initial state: the derivative of constraint " +
                            quoted(constraints, dependence.column) + " " + reason + " (g_y f_z has rank " +
                            std::to_string(rank) + " of " + std::to_string(g_y.rows()) + ")",
                        {},
                        "start from other values of y and z, or with other constraints g"});
  }
  return problems;
}

std::vector<Problem> undetermined(const MatrixXd& A, const MatrixXd& B, const std::vector<Constraint>& constraints) {
  std::vector<Problem> problems;
  const int rank = index_rank(A, B);
  if (rank == A.rows()) return problems;
  for (const Dependence& dependence : dependences(index_rows(A, B))) {
    const std::string reason =
        dependence.is_zero ? "no reaction acts on constraint " : "the reactions act on constraint ";
    problems.push_back({"the multipliers are not determined at the initial state: " + reason +
                            quoted(constraints, dependence.column) +
                            (dependence.is_zero ? "" : " as on " + numbers(dependence.on)) + " (rank " +
                            std::to_string(rank) + " of " + std::to_string(A.rows()) + ")",
                        {},
                        "start elsewhere, or change the reactions or the constraints"});
  }
  return problems;
}

std::vector<Problem> singular_momenta(const MatrixXd& p_z, const std::vector<std::string>& names) {
  std::vector<Problem> problems;
  // Columns in the units of p and z; a row of zeros counts as one of z without p.
  MatrixXd columns = p_z;
  for (Index i = 0; i < columns.rows(); ++i) {
    const double largest = columns.row(i).cwiseAbs().maxCoeff();
    if (largest > 0) columns.row(i) /= largest;
  }
  make_unit_columns(columns);
  const int rank = rank_of(columns);
  if (rank == p_z.rows()) return problems;
  for (const Dependence& dependence : dependences(columns)) {
    const std::string& name = names[static_cast<std::size_t>(dependence.column)];
    problems.push_back({"p_z is singular at the initial state (rank " + std::to_string(rank) + " of " +
                            std::to_string(p_z.rows()) + "): p does not determine '" + name + "'",
                        {},
                        "start elsewhere, or change p"});
  }
  return problems;
}

VectorXd solve_scaled(const MatrixXd& matrix, const VectorXd& right) {
  const Index n = matrix.rows();
  if (n == 0) return right;
  VectorXd rows(n), columns(n);
  for (Index j = 0; j < n; ++j) {
    const double largest = matrix.col(j).cwiseAbs().maxCoeff();
    columns[j] = largest > 0 ? 1 / largest : 1;
  }
  for (Index i = 0; i < n; ++i) {
    const double largest = (matrix.row(i).transpose().cwiseProduct(columns)).cwiseAbs().maxCoeff();
    rows[i] = largest > 0 ? 1 / largest : 1;
  }
  const Eigen::PartialPivLU<MatrixXd> lu(rows.asDiagonal() * matrix * columns.asDiagonal());
  return refined(matrix, right, [&](const VectorXd& b) -> VectorXd {
    return columns.asDiagonal() * lu.solve(rows.asDiagonal() * b).eval();
  });
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
  const VectorXd x = refined(matrix, right, solve);
  return {x.head(n), x.tail(m)};
}

}  // namespace noslip

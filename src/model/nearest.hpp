// The point on constraints that is nearest to a given one: minimise (x - x0)^T M (x - x0)/2 subject to k(x) = 0.
#pragma once

#include <functional>
#include <optional>

#include <Eigen/Core>

#include "model/sparse_cholesky.hpp"

namespace noslip {

struct NearestProblem {
  struct Values {
    Eigen::VectorXd k;
    SparseRows K;              ///< dk/dx
    Eigen::VectorXd rounding;  ///< how far from zero each k may be for rounding alone
  };
  SparseRows metric;  ///< M, positive definite
  std::function<Values(const Eigen::VectorXd& x)> values;
  /// The sum of multiplier * k_xx over the constraints; empty for constraints that are linear or affine in x.
  std::function<SparseRows(const Eigen::VectorXd& x, const Eigen::VectorXd& multipliers)> curvature;
};

/// The metric in which every variable counts the same.
inline SparseRows unit_metric(Eigen::Index size) {
  SparseRows result(size, size);
  result.setIdentity();
  return result;
}

/// Nothing where no point on the constraints was found.
std::optional<Eigen::VectorXd> nearest_point(const NearestProblem& problem, const Eigen::VectorXd& start);

}  // namespace noslip

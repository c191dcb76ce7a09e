// Solutions of linear equations whose unknowns and equations have any units.
#pragma once

#include <Eigen/Core>

#include "model/sparse_cholesky.hpp"

namespace noslip {

/// Factors that bring rows and columns of a matrix to size one.
struct TwoScalings {
  explicit TwoScalings(const Eigen::MatrixXd& matrix);
  Eigen::VectorXd rows, columns;
};

/// Whether a square matrix with so many rows and entries is analysed and solved as a full one.
bool is_analysed_dense(Eigen::Index rows, Eigen::Index entries);

/// Solves matrix x = right for a regular matrix, to rounding whatever the units; with more digits than a double has if
/// it is ill-conditioned.
Eigen::VectorXd solve_scaled(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right);

/// Solves M a - K^T lambda = g, K a = gamma for regular matrices, to rounding whatever the units.
struct SaddleSolution {
  Eigen::VectorXd a, lambda;
};
SaddleSolution solve_saddle(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& K, const Eigen::VectorXd& g,
                            const Eigen::VectorXd& gamma);
/// Large matrices with few entries stay so.
SaddleSolution solve_saddle(const SparseRows& mass, const SparseRows& K, const Eigen::VectorXd& g,
                            const Eigen::VectorXd& gamma);

}  // namespace noslip

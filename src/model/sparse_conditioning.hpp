// Rank and condition of the matrices of the equations of motion of large systems: as conditioning.hpp has them, with
// work that follows the entries of the matrices and their fill-in.
#pragma once

#include <vector>

#include "model/conditioning.hpp"
#include "model/sparse_cholesky.hpp"

namespace noslip {

Eigen::VectorXd symmetric_scaling(const SparseRows& mass);

/// A mass matrix (symmetric, definite or not) in units of its coordinates. The condition is an estimate from a few
/// solutions.
struct SparseMassAnalysis : MassVerdict {
  explicit SparseMassAnalysis(const SparseRows& mass);

  Eigen::VectorXd scale;    ///< symmetric_scaling
  SparseRows scaled;        ///< mass in these units
  SparseCholesky cholesky;  ///< of `scaled`, if it is positive definite
};

/// For the product A A^T. Rows that the factors of A A^T cannot tell from combinations of others are projected onto
/// these, so that a row counts as dependent if it is within dependence_tolerance of them, as in the dense analysis.
ProductAnalysis analyse_rows(SparseRows A);

/// For the product K M^-1 K^T with a regular, indefinite M, in units of its coordinates: from the smallest eigenvalues
/// of [M K^T; K 0]. `rows` is what analyse_rows(K) says, of independent rows.
ProductAnalysis analyse_saddle(const SparseRows& M, SparseRows K, const ProductAnalysis& rows);

}  // namespace noslip

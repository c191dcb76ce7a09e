// Rank and condition of the matrices of the equations of motion, in units that the matrices themselves suggest.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace noslip {

/// A unit vector that is this close to the span of others is taken to lie in it.
inline constexpr double dependence_tolerance = 1e-12;

/// A row that lies in the span of others.
struct Dependence {
  Eigen::Index row;
  std::vector<Eigen::Index> on;  ///< the earlier rows that it is made of; empty if it is zero
};

/// Factors of the coordinates that bring every row of a symmetric matrix to size one, so that units do not decide.
Eigen::VectorXd symmetric_scaling(const Eigen::MatrixXd& mass);

/// What an analysis finds out about a mass matrix.
struct MassVerdict {
  bool is_positive = false;  ///< definite
  double condition = 1;      ///< in units of the coordinates; infinity if it is singular
  int rank = 0, size = 0;
  Eigen::VectorXd weakest;  ///< a motion with the least inertia, in these units; empty if the condition is small

  bool is_singular() const { return rank < size; }
};

/// A mass matrix (symmetric, definite or not) in units of its coordinates.
struct MassAnalysis : MassVerdict {
  explicit MassAnalysis(const Eigen::MatrixXd& mass);

  Eigen::VectorXd scale;     ///< symmetric_scaling
  Eigen::MatrixXd scaled;    ///< mass in these units
  Eigen::MatrixXd cholesky;  ///< lower factor of `scaled`, if it is positive definite
};

/// A product A B of an m x n and an n x m matrix: is it regular? The units of the rows of A and of the columns of B do
/// not matter. Neither A, nor B, nor the angle between their spaces is squared, so that a product of matrices with the
/// condition 1e8 is far from singular.
struct ProductAnalysis {
  int rank = 0;                         ///< of A B
  int rank_of_rows = 0;                 ///< of A
  double condition = 1;                 ///< of A, of B and of the angle between them, multiplied
  std::vector<Dependence> dependences;  ///< among the rows of A B; empty if it is regular
  std::vector<Dependence> weakest;      ///< the same for a product that is nearly singular, one at most
  Eigen::MatrixXd directions;           ///< columns u = B x with A u = 0, if only their angle makes A B singular
};

/// With `finds_units`, units of the n variables in between are found, too; otherwise their metric is the identity.
ProductAnalysis analyse_product(Eigen::MatrixXd A, Eigen::MatrixXd B, bool finds_units);

/// For B = A^T.
ProductAnalysis analyse_rows(Eigen::MatrixXd A);

/// Beyond this condition it is worth knowing who is to blame.
inline constexpr double noticeable_condition = 1e4;

/// Condition from which on a problem is solved with more digits than a double has.
inline constexpr double most_condition_in_double = 1e4;

}  // namespace noslip

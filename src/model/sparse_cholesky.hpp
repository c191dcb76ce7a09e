// Cholesky's factors of large symmetric matrices with few entries: what the analysis of large systems is made of.
#pragma once

#include <vector>

#include <Eigen/SparseCore>

namespace noslip {

/// A matrix of numbers with few entries, by rows.
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// P G P^T = L D L^T for a symmetric G, with an order P that keeps the fill-in small. Rows (with their columns) may be
/// left out: those that the caller names, and those whose pivot is not above a limit. The work follows the entries of
/// L.
class SparseCholesky {
 public:
  /// Chooses the order from the places of the entries.
  explicit SparseCholesky(const SparseRows& matrix);

  /// Leaves out the rows in `without` (all or none of them are given), and those with a pivot of at most `least`.
  void factorise(double least, const std::vector<bool>& without = {});
  bool is_left_out(Eigen::Index row) const { return is_left_out_[static_cast<std::size_t>(row)]; }
  bool is_complete() const;  ///< no row is left out

  /// x with G x = b without the rows that are left out; their x is zero.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  /// The sum of the diagonal of the inverse (without what is left out), from the entries of the inverse where L has some:
  /// K. Takahashi, J. Fagan and M.-S. Chen (1973).
  double trace_of_inverse() const;
  /// Rows of K in the metric of the inverse of G: A = K P^T L^-T D^(-1/2), so that A A^T = K G^-1 K^T. Columns are in the
  /// order of P. No row may be left out.
  SparseRows in_metric(const SparseRows& K) const;

 private:
  std::size_t size() const { return pivots_.size(); }

  std::vector<int> position_, row_at_;  ///< of a row in the order; the row at a position
  // Columns of the lower part of P G P^T by rows: entries left of the diagonal.
  std::vector<int> first_entry_, entry_column_;
  std::vector<double> entry_, diagonal_;
  // L by columns, rows ascending, without its diagonal of ones; parent of a column in the elimination tree, or -1.
  std::vector<int> parent_, first_, rows_;
  std::vector<double> values_, pivots_;  ///< the pivot of a row that is left out is infinite
  std::vector<bool> is_left_out_;        ///< by rows of G
};

}  // namespace noslip

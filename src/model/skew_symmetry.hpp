// Are the entries (i, j) and (j, i) of a matrix the opposite of each other?
#pragma once

#include <span>
#include <vector>

#include <noslip/exec/function.hpp>

#include "model/symbolic_inverse.hpp"
#include "model/system_data.hpp"

namespace noslip {

/// Most matrices are seen to be skew-symmetric by simplifying; the others have to be looked at in numbers.
class SkewSymmetry {
 public:
  struct Defect {
    std::size_t row, column;  ///< row <= column
    quad sum;                 ///< of the entries (row, column) and (column, row)
  };

  /// `symbols`: all that are in the matrix. Sums are added to its graph.
  SkewSymmetry(const ExprMatrix& matrix, const std::vector<Expr>& symbols);

  bool is_certain() const { return doubtful_.empty(); }
  /// At values of the symbols: where the sum of two entries is larger than this part of the largest entry. Sums that
  /// are not finite say nothing.
  std::vector<Defect> defects(std::span<const quad> values, double tolerance) const;

 private:
  struct Pair {
    std::size_t row, column;
  };
  std::vector<Pair> doubtful_;
  std::size_t size_ = 0;
  Function<quad> entries_;  // by rows; made only where there are doubts
};

/// Entries of a structure matrix that are not the opposite of each other: problems with the places of both. Where the
/// texts do not tell, numbers at the initial state and around it, with the default parameters, do.
void require_skew_symmetry(const SystemText& given, const SystemData& data, std::vector<Problem>& problems);

}  // namespace noslip

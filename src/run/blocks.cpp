// R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972) 146: strongly connected
// components of the graph in which an unknown points to those that its equation contains.
#include "run/blocks.hpp"

#include <algorithm>

namespace noslip {

namespace {

class BlockFinder {
 public:
  BlockFinder(std::span<const Entry> entries, const EliminationOrder& order)
      : order_(order), points_to_(order.rows.size()), number_(order.rows.size(), 0), low_(number_), is_open_(number_) {
    std::vector<int> pivot_of_row(order.rows.size()), pivot_of_column(order.rows.size());
    for (std::size_t k = 0; k < order.rows.size(); ++k) {
      pivot_of_row[order.rows[k]] = pivot_of_column[order.columns[k]] = static_cast<int>(k);
    }
    for (const Entry& entry : entries) {
      points_to_[pivot_of_row[entry.row]].push_back(pivot_of_column[entry.column]);
    }
  }

  std::vector<EquationBlock> find() {
    for (std::size_t k = 0; k < number_.size(); ++k) {
      if (number_[k] == 0) visit(static_cast<int>(k));
    }
    return std::move(blocks_);
  }

 private:
  /// A block is complete when all that it depends on is.
  void visit(int k) {
    number_[k] = low_[k] = ++count_;
    open_.push_back(k);
    is_open_[k] = 1;
    for (const int other : points_to_[k]) {
      if (number_[other] == 0) {
        visit(other);
        low_[k] = std::min(low_[k], low_[other]);
      } else if (is_open_[other] != 0) {
        low_[k] = std::min(low_[k], number_[other]);
      }
    }
    if (low_[k] != number_[k]) return;
    EquationBlock block;
    for (int last = -1; last != k;) {
      last = open_.back();
      open_.pop_back();
      is_open_[last] = 0;
      block.rows.push_back(order_.rows[last]);
      block.columns.push_back(order_.columns[last]);
    }
    std::sort(block.rows.begin(), block.rows.end());
    std::sort(block.columns.begin(), block.columns.end());
    blocks_.push_back(std::move(block));
  }

  const EliminationOrder& order_;
  std::vector<std::vector<int>> points_to_;  // by the numbers of pivots
  std::vector<int> number_, low_, is_open_, open_;
  int count_ = 0;
  std::vector<EquationBlock> blocks_;
};

}  // namespace

std::vector<EquationBlock> diagonal_blocks(std::span<const Entry> entries, const EliminationOrder& order) {
  return BlockFinder(entries, order).find();
}

}  // namespace noslip

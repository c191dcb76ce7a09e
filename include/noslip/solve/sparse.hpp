// Linear systems whose matrices have few entries, all in the same places: the work follows the entries and their
// fill-in.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <noslip/core/scalar.hpp>

namespace noslip {

/// LU of one matrix at a time. The order of the pivots is chosen from numbers, as in solve/elimination.hpp, and serves
/// the matrices that follow while its pivots are good; then it is chosen again. Memory is taken when an order is chosen.
template <class T>
class SparseSolver {
 public:
  /// Row and column of the entries, each place at most once.
  SparseSolver(int n, std::vector<std::pair<int, int>> places);

  /// The matrix, in the order of the places.
  std::span<T> entries() { return entries_; }
  std::span<const T> entries() const { return entries_; }
  /// Factorises what the entries hold.
  void factorise();
  /// And the matrix, with its factors. The next one is factorised as the first one is: in an order that depends on nothing but its own numbers.
  void forget_order();
  /// Overwrites `x`, the right-hand side, by the solution, which is refined once: sparse factors may cost digits. Not
  /// finite where the matrix is singular.
  void solve(std::span<T> x) const;
  /// The same without refinement, for whoever iterates and sees what is left.
  void solve_roughly(std::span<T> x) const;
  void solve_transposed(std::span<T> x) const;
  /// Of the determinant: 1 or -1; 0 if a pivot is zero or not a number.
  int sign() const;
  std::size_t fill() const { return values_.size(); }  ///< entries of the factors

  /// What solve() depends on, to be kept elsewhere: numbers that give the same factors again, to the last bit.
  std::size_t number_count() const { return entries_.size() + 2 * static_cast<std::size_t>(n_); }
  void copy_numbers(std::span<T> to) const;
  void set_numbers(std::span<const T> from);

 private:
  bool choose_order();
  /// Where the entries go and what is filled in, in the order of order_rows_ and order_columns_.
  void find_pattern();
  /// False if a pivot is bad.
  bool factorise_in_order();
  void substitute(std::span<T> x) const;
  /// Of factors from `first` to `end` of a row with what stands in their columns.
  T product(int first, int end) const;

  int n_;
  std::vector<std::pair<int, int>> places_;
  std::vector<T> entries_;
  bool is_regular_ = false;
  std::vector<int> order_rows_, order_columns_;  ///< of the pivots; empty before the first order
  int parity_ = 1;                               ///< of the two permutations together
  // Rows of the factors in the order of the pivots: columns, ascending, and their values. Row k is from first_[k] to
  // first_[k + 1], its pivot is at diagonal_[k]; L has ones on its diagonal.
  std::vector<int> first_, diagonal_, columns_;
  std::vector<T> values_, inverse_;  ///< the second: of the pivots
  std::vector<int> first_entry_, entry_, entry_column_;  ///< entries of a row, and their columns
  mutable std::vector<T> work_, left_;
};

extern template class SparseSolver<double>;
extern template class SparseSolver<long double>;
extern template class SparseSolver<quad>;

}  // namespace noslip

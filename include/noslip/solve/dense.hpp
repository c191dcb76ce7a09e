// Dense linear systems with pivoting, for steps that are too large for a straight-line kernel and for steps whose fixed
// pivots turned small.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <noslip/core/scalar.hpp>

namespace noslip {

/// LU with partial pivoting of one matrix at a time; memory is taken once, for size n.
template <class T>
class DenseSolver {
 public:
  explicit DenseSolver(int n);
  ~DenseSolver();
  DenseSolver(DenseSolver&&) noexcept;
  DenseSolver& operator=(DenseSolver&&) noexcept;

  /// Sets every entry of the matrix to zero.
  void clear();
  T& entry(int row, int column);
  /// Factorises what the entries hold.
  void factorise();
  /// Overwrites `x`, the right-hand side, by the solution. Not finite where the matrix is singular.
  void solve(std::span<T> x) const;
  /// Of the determinant: 1 or -1; 0 if a pivot is zero or not a number.
  int sign() const;

  /// What solve() depends on, to be kept elsewhere: numbers that give the same factors again, to the last bit.
  std::size_t number_count() const;
  void copy_numbers(std::span<T> to) const;
  void set_numbers(std::span<const T> from);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// Of a matrix that has been factorised: the largest sum of the sizes in a row of its inverse, NaN if it is singular.
/// `column` and `sums` are memory for n numbers each. Costs about n^3 multiplications.
template <class T>
T size_of_inverse(const DenseSolver<T>& factors, std::span<T> column, std::span<T> sums);

extern template class DenseSolver<double>;
extern template class DenseSolver<long double>;
extern template class DenseSolver<quad>;

}  // namespace noslip

// Linear systems with pivoting, whatever their size: matrices with entries in given places.
#pragma once

#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <noslip/solve/dense.hpp>
#include <noslip/solve/sparse.hpp>

namespace noslip {

/// Whether a LinearSolver of so many unknowns and entries is a dense one.
bool is_solved_dense(std::size_t unknowns, std::size_t entries);

/// A DenseSolver for small or full matrices, a SparseSolver for others. One per thread: const functions share memory.
template <class T>
class LinearSolver {
 public:
  /// Row and column of the entries, each place at most once.
  LinearSolver(int n, std::vector<std::pair<int, int>> places);

  /// The matrix, in the order of the places.
  std::span<T> entries() { return entries_; }
  /// Factorises what the entries hold.
  void factorise() { factorise(entries_.data(), 1); }
  /// The matrix whose entries are values[0], values[stride], ... instead.
  void factorise(const T* values, std::size_t stride);
  /// Of the pivots, which a sparse matrix takes over from those before it.
  void forget_order();
  /// Overwrites `x`, the right-hand side, by the solution. Not finite where the matrix is singular.
  void solve(std::span<T> x) const;
  /// The same for an iteration, which notices digits that sparse factors have lost.
  void solve_roughly(std::span<T> x) const;
  /// Of the determinant: 1 or -1; 0 if a pivot is zero or not a number.
  int sign() const;
  /// The largest sum of the sizes in a row of the inverse, NaN if there is none. For a sparse matrix an estimate that is
  /// rather too large. `a` and `b` are memory for n numbers each.
  T inverse_size(std::span<T> a, std::span<T> b) const;
  bool is_sparse() const { return std::holds_alternative<SparseSolver<T>>(solver_); }

  /// What solve() depends on, to be kept elsewhere: numbers that give the same factors again, to the last bit.
  std::size_t number_count() const;
  void copy_numbers(std::span<T> to) const;
  void set_numbers(std::span<const T> from);

 private:
  /// Where an entry of a dense matrix goes; neighbours in the matrix follow each other.
  struct Target {
    std::size_t entry;
    T* place;
  };

  std::vector<T> entries_;
  std::variant<DenseSolver<T>, SparseSolver<T>> solver_;
  std::vector<Target> targets_;
};

extern template class LinearSolver<double>;
extern template class LinearSolver<long double>;
extern template class LinearSolver<quad>;

}  // namespace noslip

// Matrices of expressions, by rows, and what they do to vectors.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

using ExprMatrix = std::vector<std::vector<Expr>>;

/// A row with many zeros, which take no room.
class SparseRow {
 public:
  SparseRow() = default;
  /// Of that many entries, all zero.
  SparseRow(Graph& graph, std::size_t size) : size_(size), zero_(graph.constant(0)) {}
  explicit SparseRow(std::span<const Expr> entries);
  explicit SparseRow(const std::vector<Expr>& entries) : SparseRow(std::span<const Expr>(entries)) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Expr operator[](std::size_t place) const;
  /// What is not zero, by its places, which are ascending.
  std::span<const std::size_t> places() const { return places_; }
  std::span<const Expr> values() const { return values_; }
  /// Behind all others; a zero is left out.
  void append(std::size_t place, Expr value);
  std::vector<Expr> dense() const;
  /// The same with other values.
  SparseRow with(Graph& graph, std::vector<Expr> values) const;

 private:
  std::size_t size_ = 0;
  Expr zero_;
  std::vector<std::size_t> places_;
  std::vector<Expr> values_;
};
using SparseMatrix = std::vector<SparseRow>;  ///< by rows

Expr dot(Graph& graph, const SparseRow& row, std::span<const Expr> v);
std::vector<Expr> times(const SparseMatrix& m, std::span<const Expr> v);  ///< m v, not empty
/// m^T v, not empty, each a balanced sum over the rows that has the shape it would have with all zeros.
std::vector<Expr> transposed_times(const SparseMatrix& m, std::span<const Expr> v);
ExprMatrix dense(const SparseMatrix& m);
/// All entries of the matrix, zeros too, row after row; and those that are not zero.
std::vector<Expr> entries_of(const SparseMatrix& m);
std::vector<Expr> values_of(const SparseMatrix& m);
std::vector<std::pair<int, int>> places_of(const SparseMatrix& m);  ///< row and column of these values
SparseRow copied(Substitution& copy, Graph& graph, const SparseRow& row);
SparseMatrix copied(Substitution& copy, Graph& graph, const SparseMatrix& m);

// None of them may be empty.
std::vector<Expr> times(const ExprMatrix& m, std::span<const Expr> v);             ///< m v
std::vector<Expr> transposed_times(const ExprMatrix& m, std::span<const Expr> v);  ///< m^T v
/// v + m v and v + m^T v: for matrices that are given less the unit matrix.
std::vector<Expr> plus_times(std::span<const Expr> v, const ExprMatrix& m);
std::vector<Expr> plus_transposed_times(std::span<const Expr> v, const ExprMatrix& m);

/// The entries, row after row. Rows may be empty, and differ in length.
std::vector<Expr> entries_of(const ExprMatrix& m);

}  // namespace noslip

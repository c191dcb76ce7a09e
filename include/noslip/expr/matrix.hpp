// Matrices of expressions, by rows, and what they do to vectors.
#pragma once

#include <span>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

using ExprMatrix = std::vector<std::vector<Expr>>;

// None of them may be empty.
std::vector<Expr> times(const ExprMatrix& m, std::span<const Expr> v);             ///< m v
std::vector<Expr> transposed_times(const ExprMatrix& m, std::span<const Expr> v);  ///< m^T v
/// v + m v and v + m^T v: for matrices that are given less the unit matrix.
std::vector<Expr> plus_times(std::span<const Expr> v, const ExprMatrix& m);
std::vector<Expr> plus_transposed_times(std::span<const Expr> v, const ExprMatrix& m);

/// The entries, row after row. Rows may be empty, and differ in length.
std::vector<Expr> entries_of(const ExprMatrix& m);

}  // namespace noslip

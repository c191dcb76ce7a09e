// Inverses of small symmetric matrices of expressions.
#pragma once

#include <optional>
#include <vector>

#include <noslip/expr/matrix.hpp>

namespace noslip {

/// So many rows may be coupled where the inverse is to be a closed form that depends on positions or the time.
inline constexpr std::size_t largest_closed_block = 4;

/// Groups of rows that have nothing to do with each other: entries between different groups are zero. Each group
/// ascends, the groups by their first row.
std::vector<std::vector<std::size_t>> coupled_blocks(const ExprMatrix& symmetric);

/// The inverse, symmetric to the letter; nothing where it can be seen that there is none. Blocks of up to three rows
/// are inverted by cofactors, so that the expressions have a value wherever the matrix is regular. Larger ones are
/// eliminated with pivots on the diagonal, which is safe where the matrix is definite; elsewhere a pivot that is zero
/// by chance gives values that are not finite.
std::optional<ExprMatrix> symbolic_inverse(Graph& graph, const ExprMatrix& symmetric);

}  // namespace noslip

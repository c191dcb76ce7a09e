// The elimination is the sweep: with a pivot block P among the rows that are left, R the others,
//   A_PP <- -A_PP^-1,   A_PR <- A_PP^-1 A_PR,   A_RR <- A_RR - A_RP A_PP^-1 A_PR.
// After every row was a pivot once, A holds the negative inverse. Symmetry is kept on the way.
#include "model/symbolic_inverse.hpp"

#include <algorithm>

namespace noslip {
namespace {

using Rows = std::vector<std::size_t>;

constexpr std::size_t largest_by_cofactors = 3;

/// Inverse of the block by cofactors; nothing where its determinant is zero.
std::optional<ExprMatrix> small_inverse(Graph& graph, const ExprMatrix& matrix, const Rows& rows) {
  const std::size_t n = rows.size();
  const auto a = [&](std::size_t i, std::size_t j) { return matrix[rows[i % n]][rows[j % n]]; };
  const auto cofactor = [&](std::size_t i, std::size_t j) -> Expr {
    if (n == 1) return graph.constant(1);
    // With cyclic indices the signs of a 3 by 3 matrix come out by themselves.
    if (n == 3) return a(i + 1, j + 1) * a(i + 2, j + 2) - a(i + 1, j + 2) * a(i + 2, j + 1);
    return i == j ? a(i + 1, j + 1) : -a(i + 1, j + 1);
  };
  ExprMatrix inverse(n, std::vector<Expr>(n, graph.constant(0)));
  std::vector<Expr> terms;
  for (std::size_t j = 0; j < n; ++j) terms.push_back(a(0, j) * cofactor(0, j));
  const Expr determinant = sum(graph, terms);
  if (determinant.is_zero()) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) inverse[i][j] = inverse[j][i] = cofactor(i, j) / determinant;
  }
  return inverse;
}

/// Replaces the matrix as the sweep says. False where the pivot block has no inverse.
bool sweep(Graph& graph, ExprMatrix& matrix, const Rows& members, const Rows& pivot) {
  const auto inverse = small_inverse(graph, matrix, pivot);
  if (!inverse) return false;
  Rows others;
  for (const std::size_t i : members) {
    if (std::find(pivot.begin(), pivot.end(), i) == pivot.end()) others.push_back(i);
  }
  ExprMatrix scaled(pivot.size());  // A_PP^-1 A_PR
  for (std::size_t k = 0; k < pivot.size(); ++k) {
    for (const std::size_t j : others) {
      std::vector<Expr> terms;
      for (std::size_t l = 0; l < pivot.size(); ++l) terms.push_back((*inverse)[k][l] * matrix[pivot[l]][j]);
      scaled[k].push_back(sum(graph, terms));
    }
  }
  for (std::size_t a = 0; a < others.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      Expr& entry = matrix[others[a]][others[b]];
      for (std::size_t k = 0; k < pivot.size(); ++k) entry = entry - matrix[others[a]][pivot[k]] * scaled[k][b];
      matrix[others[b]][others[a]] = entry;
    }
  }
  for (std::size_t k = 0; k < pivot.size(); ++k) {
    for (std::size_t b = 0; b < others.size(); ++b) {
      matrix[pivot[k]][others[b]] = matrix[others[b]][pivot[k]] = scaled[k][b];
    }
    for (std::size_t l = 0; l < pivot.size(); ++l) matrix[pivot[k]][pivot[l]] = -(*inverse)[k][l];
  }
  return true;
}

/// Constants first: they cannot vanish on the way.
int rank_as_pivot(Expr entry) { return entry.is_zero() ? 2 : entry.is_constant() ? 0 : 1; }

/// One row with an entry on the diagonal, or two with one beside it; empty where all that is left is zero.
Rows next_pivot(const ExprMatrix& matrix, const Rows& left) {
  const auto best = std::min_element(left.begin(), left.end(), [&](std::size_t i, std::size_t j) {
    return rank_as_pivot(matrix[i][i]) < rank_as_pivot(matrix[j][j]);
  });
  if (!matrix[*best][*best].is_zero()) return {*best};
  Rows pair;
  int rank = 2;
  for (const std::size_t i : left) {
    for (const std::size_t j : left) {
      if (i >= j || rank_as_pivot(matrix[i][j]) >= rank) continue;
      rank = rank_as_pivot(matrix[i][j]);
      pair = {i, j};
    }
  }
  return pair;
}

bool invert_block(Graph& graph, ExprMatrix& matrix, const Rows& rows) {
  if (rows.size() <= largest_by_cofactors) return sweep(graph, matrix, rows, rows);
  for (Rows left = rows; !left.empty();) {
    const Rows pivot = next_pivot(matrix, left);
    if (pivot.empty() || !sweep(graph, matrix, rows, pivot)) return false;
    for (const std::size_t i : pivot) std::erase(left, i);
  }
  return true;
}

}  // namespace

std::vector<std::vector<std::size_t>> coupled_blocks(const ExprMatrix& symmetric) {
  const std::size_t n = symmetric.size();
  std::vector<Rows> blocks;
  std::vector<bool> seen(n, false);
  for (std::size_t first = 0; first < n; ++first) {
    if (seen[first]) continue;
    Rows block{first};
    seen[first] = true;
    for (std::size_t next = 0; next < block.size(); ++next) {
      for (std::size_t j = 0; j < n; ++j) {
        if (seen[j] || symmetric[block[next]][j].is_zero()) continue;
        seen[j] = true;
        block.push_back(j);
      }
    }
    std::sort(block.begin(), block.end());
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::optional<ExprMatrix> symbolic_inverse(Graph& graph, const ExprMatrix& symmetric) {
  ExprMatrix result = symmetric;
  for (const Rows& block : coupled_blocks(symmetric)) {
    if (!invert_block(graph, result, block)) return std::nullopt;
    for (const std::size_t i : block) {
      for (const std::size_t j : block) result[i][j] = -result[i][j];
    }
  }
  return result;
}

}  // namespace noslip

// Gaussian elimination of a sparse matrix of expressions: the pivots are chosen once, from numbers; the elimination is
// then recorded as expressions, so that a linear solve becomes part of a straight-line kernel.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include <noslip/expr/derivative.hpp>
#include <noslip/expr/graph.hpp>

namespace noslip {

/// Pivot k is the entry (rows[k], columns[k]).
struct EliminationOrder {
  std::vector<int> rows, columns;
  std::vector<double> pivots;       ///< their values at the state where the order was chosen
  long long operations = 0;         ///< multiply-adds of factorisation and one solve, fill-in included
  long long entries = 0;            ///< of the factors
  bool regular() const { return rows.size() == pivots.size() && !rows.empty(); }
};

/// Where an entry is, and whether it is preferred as a pivot.
struct PivotPlace {
  int row, column;
  bool is_constant;
};

/// Which entries may be pivots, and how far the search goes.
struct PivotRules {
  /// Groups of rows and columns: a pivot has both of one group. It waits for the rows and columns of groups with smaller
  /// numbers that its own column and row meet at the start: for both velocities of a constraint, whichever of them the
  /// constraint depends on at the state whose numbers these are. Empty: all are of one group.
  std::span<const int> row_groups = {}, column_groups = {};
  bool groups_in_turn = false;  ///< all pivots of a group before those of groups with larger numbers
  long long most_operations = std::numeric_limits<long long>::max();  ///< longer eliminations are given up
};

/// Pivots for an n x n matrix by Markowitz' count among those that are at least a tenth of the largest entry of their
/// column; constants first among equals (no division). `values` belong to `entries`. Not regular() if the matrix is
/// singular at these values, or if the rules leave no pivot.
EliminationOrder choose_order(int n, std::span<const PivotPlace> places, std::span<const double> values,
                              const PivotRules& rules = {});
EliminationOrder choose_order(int n, std::span<const Entry> entries, std::span<const double> values,
                              const PivotRules& rules = {});

/// How many operations a recorded elimination of n unknowns may have, where the matrix has so many entries: as many as
/// its sparse factors need. A part of that for full matrices, which loops eliminate faster.
long long longest_recorded(std::size_t n, std::size_t entries, long long longest_full, long long per_unknown_full);

/// A P = L U with unit upper U, as expressions; L and U by pivot number.
struct Factors {
  struct Term {
    int index;  // pivot number
    Expr value;
  };
  std::vector<int> rows, columns;            ///< of the pivots
  std::vector<Expr> inverse_pivots;
  std::vector<std::vector<Term>> lower;      ///< lower[k]: entries of row k left of the diagonal, index < k
  std::vector<std::vector<Term>> upper;      ///< upper[k]: entries of row k right of the diagonal, index > k
};

/// Records the elimination. `order` must be regular.
Factors factorise(Graph& graph, std::span<const Entry> entries, const EliminationOrder& order);

/// x with A x = right_hand_side.
std::vector<Expr> solve(Graph& graph, const Factors& factors, std::span<const Expr> right_hand_side);

}  // namespace noslip

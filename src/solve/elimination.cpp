// Markowitz elimination with threshold pivoting, numeric for the order and symbolic for the kernel.
#include <noslip/solve/elimination.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>

namespace noslip {

namespace {

constexpr double threshold = 0.1;

struct Cell {
  double value;
  bool is_constant;
};

using SparseRows = std::vector<std::map<int, Cell>>;

struct Choice {
  int row = -1, column = -1;
  long long cost = std::numeric_limits<long long>::max();
  bool is_constant = false;
  double size = 0;

  bool worse_than(const Choice& other) const {
    if (cost != other.cost) return cost > other.cost;
    if (is_constant != other.is_constant) return !is_constant;
    return size < other.size;
  }
};

Choice best_pivot(const SparseRows& rows, const std::vector<bool>& row_done) {
  const int n = static_cast<int>(rows.size());
  std::vector<double> largest(n, 0.0);
  std::vector<int> count(n, 0);
  for (int i = 0; i < n; ++i) {
    if (row_done[i]) continue;
    for (const auto& [j, cell] : rows[i]) {
      largest[j] = std::max(largest[j], std::fabs(cell.value));
      ++count[j];
    }
  }
  Choice best;
  for (int i = 0; i < n; ++i) {
    if (row_done[i]) continue;
    for (const auto& [j, cell] : rows[i]) {
      const double size = std::fabs(cell.value);
      if (!(size > 0) || size < threshold * largest[j]) continue;
      const long long cost = static_cast<long long>(rows[i].size() - 1) * (count[j] - 1);
      const Choice candidate{i, j, cost, cell.is_constant, size};
      if (best.row < 0 || best.worse_than(candidate)) best = candidate;
    }
  }
  return best;
}

}  // namespace

EliminationOrder choose_order(int n, std::span<const Entry> entries, std::span<const double> values) {
  assert(entries.size() == values.size());
  SparseRows rows(n);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    rows[entries[e].row][entries[e].column] = {values[e], entries[e].value.is_constant()};
  }
  EliminationOrder order;
  std::vector<bool> row_done(n, false);
  for (int k = 0; k < n; ++k) {
    const Choice pivot = best_pivot(rows, row_done);
    if (pivot.row < 0 || !std::isfinite(pivot.size)) return {};
    const auto pivot_row = rows[pivot.row];
    const double pivot_value = pivot_row.at(pivot.column).value;
    order.rows.push_back(pivot.row);
    order.columns.push_back(pivot.column);
    order.pivots.push_back(pivot_value);
    row_done[pivot.row] = true;
    order.operations += 2 * static_cast<long long>(pivot_row.size());
    for (int i = 0; i < n; ++i) {
      if (row_done[i]) continue;
      const auto found = rows[i].find(pivot.column);
      if (found == rows[i].end()) continue;
      const double factor = found->second.value / pivot_value;
      rows[i].erase(found);
      order.operations += static_cast<long long>(pivot_row.size());
      for (const auto& [j, cell] : pivot_row) {
        if (j == pivot.column) continue;
        auto [place, added] = rows[i].try_emplace(j, Cell{0.0, false});
        place->second.value -= factor * cell.value;
        place->second.is_constant = false;
      }
    }
  }
  return order;
}

Factors factorise(Graph& graph, std::span<const Entry> entries, const EliminationOrder& order) {
  const int n = static_cast<int>(order.rows.size());
  std::vector<int> row_number(n), column_number(n);
  for (int k = 0; k < n; ++k) {
    row_number[order.rows[k]] = k;
    column_number[order.columns[k]] = k;
  }
  std::vector<std::map<int, Expr>> rows(n);
  for (const Entry& entry : entries) rows[row_number[entry.row]][column_number[entry.column]] = entry.value;

  Factors factors{order.rows, order.columns, {}, std::vector<std::vector<Factors::Term>>(n),
                  std::vector<std::vector<Factors::Term>>(n)};
  for (int k = 0; k < n; ++k) {
    const Expr inverse = Number(1) / rows[k].at(k);
    factors.inverse_pivots.push_back(inverse);
    for (auto& [j, value] : rows[k]) {
      if (j > k) factors.upper[k].push_back({j, value * inverse});
    }
    for (int i = k + 1; i < n; ++i) {
      const auto found = rows[i].find(k);
      if (found == rows[i].end()) continue;
      const Expr multiplier = found->second;
      factors.lower[i].push_back({k, multiplier});
      for (const auto& term : factors.upper[k]) {
        const auto [place, added] = rows[i].try_emplace(term.index, graph.constant(0));
        place->second = place->second - multiplier * term.value;
      }
    }
  }
  return factors;
}

std::vector<Expr> solve(Graph& graph, const Factors& factors, std::span<const Expr> right_hand_side) {
  const int n = static_cast<int>(factors.rows.size());
  std::vector<Expr> y(n), x(n, graph.constant(0));
  for (int k = 0; k < n; ++k) {
    Expr value = right_hand_side[factors.rows[k]];
    for (const auto& term : factors.lower[k]) value = value - term.value * y[term.index];
    y[k] = value * factors.inverse_pivots[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    // What was found first is subtracted first: the value that is known last waits at the end of the chain.
    for (auto term = factors.upper[k].rbegin(); term != factors.upper[k].rend(); ++term) {
      y[k] = y[k] - term->value * y[term->index];
    }
    x[factors.columns[k]] = y[k];
  }
  return x;
}

}  // namespace noslip

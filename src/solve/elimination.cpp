// Markowitz elimination with threshold pivoting, numeric for the order and symbolic for the kernel.
#include <noslip/solve/elimination.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <noslip/core/stopping.hpp>

namespace noslip {

namespace {

constexpr double threshold = 0.1;

struct Cell {
  int column;
  double value;
  bool is_constant;
};

struct Choice {
  int turn = 0;
  long long cost = 0;
  bool is_constant = false;
  double size = 0;
  int row = -1, column = -1;

  /// The better one first. Of equals the one that a reader would find first.
  friend bool operator<(const Choice& a, const Choice& b) {
    if (a.turn != b.turn) return a.turn < b.turn;
    if (a.cost != b.cost) return a.cost < b.cost;
    if (a.is_constant != b.is_constant) return a.is_constant;
    if (a.size != b.size) return a.size > b.size;
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  }
};

/// What is left of a matrix while pivots are taken out of it. After each only what it has touched is looked at again, so
/// that the work follows the entries and their fill-in, not the size of the matrix.
class Remainder {
 public:
  Remainder(int n, std::span<const PivotPlace> places, std::span<const double> values, const PivotRules& rules)
      : rules_(rules), rows_(n), columns_(n), largest_(n, 0.0), best_(n), is_stale_(n, false) {
    if (!rules.row_groups.empty()) find_waiting(n, places);
    for (std::size_t e = 0; e < places.size(); ++e) {
      rows_[places[e].row].push_back({places[e].column, values[e], places[e].is_constant});
      columns_[places[e].column].push_back(places[e].row);
    }
    for (std::vector<Cell>& row : rows_) {
      std::sort(row.begin(), row.end(), [](const Cell& a, const Cell& b) { return a.column < b.column; });
    }
    for (int j = 0; j < n; ++j) find_largest(j);
    for (int i = 0; i < n; ++i) choose_in(i);
  }

  /// Nothing if no pivot is left.
  std::optional<Choice> best() const { return choices_.empty() ? std::nullopt : std::optional(*choices_.begin()); }

  double value(const Choice& pivot) const { return find(rows_[pivot.row], pivot.column)->value; }

  /// Of the factors, that this pivot leaves in its row and column.
  long long entries(const Choice& pivot) const {
    return static_cast<long long>(rows_[pivot.row].size() + columns_[pivot.column].size()) - 1;
  }

  /// Returns the multiply-adds that it takes.
  long long eliminate(const Choice& pivot) {
    const std::vector<Cell> pivot_row = std::move(rows_[pivot.row]);
    const double pivot_value = find(pivot_row, pivot.column)->value;
    drop(pivot.row);
    for (const Cell& cell : pivot_row) std::erase(columns_[cell.column], pivot.row);
    long long operations = 2 * static_cast<long long>(pivot_row.size());
    for (const int i : columns_[pivot.column]) {
      subtract(i, pivot_row, pivot.column, pivot_value);
      operations += static_cast<long long>(pivot_row.size());
      look_again_at(i);
    }
    columns_[pivot.column].clear();
    if (!rules_.row_groups.empty()) stop_waiting(pivot);
    for (const Cell& cell : pivot_row) {
      find_largest(cell.column);
      for (const int i : columns_[cell.column]) look_again_at(i);
    }
    for (const int i : stale_) {
      is_stale_[i] = false;
      choose_in(i);
    }
    stale_.clear();
    return operations;
  }

 private:
  void find_waiting(int n, std::span<const PivotPlace> places) {
    rows_waiting_.resize(n);
    columns_waiting_.resize(n);
    row_waits_.assign(n, 0);
    column_waits_.assign(n, 0);
    for (const PivotPlace& place : places) {
      const int row_group = rules_.row_groups[place.row], column_group = rules_.column_groups[place.column];
      if (column_group < row_group) {
        rows_waiting_[place.column].push_back(place.row);
        ++row_waits_[place.row];
      } else if (row_group < column_group) {
        columns_waiting_[place.row].push_back(place.column);
        ++column_waits_[place.column];
      }
    }
  }

  /// Those that have waited for the row and column of this pivot.
  void stop_waiting(const Choice& pivot) {
    for (const int i : rows_waiting_[pivot.column]) {
      if (--row_waits_[i] == 0) look_again_at(i);
    }
    for (const int j : columns_waiting_[pivot.row]) {
      if (--column_waits_[j] > 0) continue;
      for (const int i : columns_[j]) look_again_at(i);
    }
  }

  bool may_be_pivot(int row, int column) const {
    if (rules_.row_groups.empty()) return true;
    return rules_.row_groups[row] == rules_.column_groups[column] && row_waits_[row] == 0 && column_waits_[column] == 0;
  }

  static std::vector<Cell>::const_iterator find(const std::vector<Cell>& row, int column) {
    return std::lower_bound(row.begin(), row.end(), column, [](const Cell& cell, int j) { return cell.column < j; });
  }

  void find_largest(int j) {
    largest_[j] = 0;
    for (const int i : columns_[j]) largest_[j] = std::max(largest_[j], std::fabs(find(rows_[i], j)->value));
  }

  void look_again_at(int i) {
    if (is_stale_[i]) return;
    is_stale_[i] = true;
    stale_.push_back(i);
  }

  void drop(int i) {
    if (best_[i].row >= 0) choices_.erase(best_[i]);
    best_[i] = {};
  }

  void choose_in(int i) {
    drop(i);
    const int turn = rules_.groups_in_turn ? rules_.row_groups[i] : 0;
    for (const Cell& cell : rows_[i]) {
      if (!may_be_pivot(i, cell.column)) continue;
      const double size = std::fabs(cell.value);
      if (!(size > 0) || size < threshold * largest_[cell.column]) continue;
      const auto others = static_cast<long long>(columns_[cell.column].size()) - 1;
      const Choice candidate{turn, static_cast<long long>(rows_[i].size() - 1) * others, cell.is_constant, size, i,
                             cell.column};
      if (best_[i].row < 0 || candidate < best_[i]) best_[i] = candidate;
    }
    if (best_[i].row >= 0) choices_.insert(best_[i]);
  }

  /// Row i without the column of the pivot.
  void subtract(int i, const std::vector<Cell>& pivot_row, int column, double pivot_value) {
    std::vector<Cell>& row = rows_[i];
    const double factor = find(row, column)->value / pivot_value;
    merged_.clear();
    auto own = row.begin();
    for (const Cell& cell : pivot_row) {
      while (own != row.end() && own->column < cell.column) merged_.push_back(*own++);
      const bool is_there = own != row.end() && own->column == cell.column;
      const double before = is_there ? own->value : 0.0;
      if (is_there) ++own;
      if (cell.column == column) continue;
      if (!is_there) columns_[cell.column].push_back(i);
      merged_.push_back({cell.column, before - factor * cell.value, false});
    }
    merged_.insert(merged_.end(), own, row.end());
    row.swap(merged_);
  }

  const PivotRules& rules_;
  std::vector<std::vector<Cell>> rows_;    // by column; without those that are done
  std::vector<std::vector<int>> columns_;  // rows that are not done
  std::vector<double> largest_;            // of the columns
  std::vector<Choice> best_;  // of each row
  std::set<Choice> choices_;  // the best of all rows
  std::vector<std::vector<int>> rows_waiting_, columns_waiting_;  // for a column, for a row
  std::vector<int> row_waits_, column_waits_;                      // for how many
  std::vector<bool> is_stale_;
  std::vector<int> stale_;
  std::vector<Cell> merged_;
};

}  // namespace

EliminationOrder choose_order(int n, std::span<const Entry> entries, std::span<const double> values,
                              const PivotRules& rules) {
  std::vector<PivotPlace> places;
  for (const Entry& entry : entries) places.push_back({entry.row, entry.column, entry.value.is_constant()});
  return choose_order(n, places, values, rules);
}

EliminationOrder choose_order(int n, std::span<const PivotPlace> places, std::span<const double> values,
                              const PivotRules& rules) {
  assert(places.size() == values.size());
  Remainder remainder(n, places, values, rules);
  EliminationOrder order;
  for (int k = 0; k < n; ++k) {
    end_if_stopped();
    const std::optional<Choice> pivot = remainder.best();
    if (!pivot || !std::isfinite(pivot->size)) return {};
    order.rows.push_back(pivot->row);
    order.columns.push_back(pivot->column);
    order.pivots.push_back(remainder.value(*pivot));
    order.entries += remainder.entries(*pivot);
    order.operations += remainder.eliminate(*pivot);
    if (order.operations > rules.most_operations) return {};
  }
  return order;
}

long long longest_recorded(std::size_t n, std::size_t entries, long long longest_full, long long per_unknown_full) {
  constexpr double full_part = 0.2;
  constexpr long long per_unknown = 200, per_unknown_at_most = 600, enough = 400000;
  const auto unknowns = static_cast<long long>(n);
  const long long full = std::max(longest_full, per_unknown_full * unknowns);
  if (static_cast<double>(entries) > full_part * static_cast<double>(n) * static_cast<double>(n)) return full;
  return std::max({full, per_unknown * unknowns, std::min(per_unknown_at_most * unknowns, enough)});
}

Factors factorise(Graph& graph, std::span<const Entry> entries, const EliminationOrder& order) {
  const int n = static_cast<int>(order.rows.size());
  std::vector<int> row_number(n), column_number(n);
  for (int k = 0; k < n; ++k) {
    row_number[order.rows[k]] = k;
    column_number[order.columns[k]] = k;
  }
  std::vector<std::map<int, Expr>> rows(n);
  std::vector<std::vector<int>> below(n);  // by column: rows that have it left of the diagonal
  const auto put = [&](int row, int column, Expr value) {
    const auto [place, added] = rows[row].try_emplace(column, value);
    if (added && column < row) below[column].push_back(row);
    return place;
  };
  for (const Entry& entry : entries) {
    put(row_number[entry.row], column_number[entry.column], entry.value)->second = entry.value;
  }

  Factors factors{order.rows, order.columns, {}, std::vector<std::vector<Factors::Term>>(n),
                  std::vector<std::vector<Factors::Term>>(n)};
  const Expr zero = graph.constant(0);
  for (int k = 0; k < n; ++k) {
    end_if_stopped();
    const Expr inverse = Number(1) / rows[k].at(k);
    factors.inverse_pivots.push_back(inverse);
    for (auto& [j, value] : rows[k]) {
      if (j > k) factors.upper[k].push_back({j, value * inverse});
    }
    std::sort(below[k].begin(), below[k].end());
    for (const int i : below[k]) {
      const Expr multiplier = rows[i].at(k);
      factors.lower[i].push_back({k, multiplier});
      for (const auto& term : factors.upper[k]) {
        const auto place = put(i, term.index, zero);
        place->second = place->second - multiplier * term.value;
      }
    }
    rows[k].clear();
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

// Rounds of: find the linear equations, eliminate, substitute.
#include "run/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <noslip/expr/degree.hpp>
#include <noslip/solve/elimination.hpp>

namespace noslip {

namespace {

/// A partial elimination divides by pivots that are not much smaller than the other coefficients of their equation.
constexpr double threshold = 0.1;
/// Longer eliminations are better left to the iteration, which chooses its own order.
constexpr long long longest_elimination = 12000;

using Numbers = std::function<std::vector<double>(std::span<const Expr>)>;

std::unordered_set<NodeId> ids_of(std::span<const Expr> symbols) {
  std::unordered_set<NodeId> ids;
  for (const Expr& symbol : symbols) ids.insert(symbol.id);
  return ids;
}

bool contains_any(std::span<const Expr> expressions, const std::unordered_set<NodeId>& symbols) {
  const std::vector<Expr> used = symbols_of(expressions);
  return std::any_of(used.begin(), used.end(), [&](const Expr& symbol) { return symbols.contains(symbol.id); });
}

bool contains_only(const Expr& expression, const std::unordered_set<NodeId>& symbols) {
  const std::vector<Expr> used = symbols_of({&expression, 1});
  return std::all_of(used.begin(), used.end(), [&](const Expr& symbol) { return symbols.contains(symbol.id); });
}

class Reducer {
 public:
  Reducer(Graph& graph, std::span<const Expr> unknowns, std::span<const Expr> residuals, std::span<const Expr> fixed,
          std::span<const Expr> held, std::span<const Expr> explicit_ones, const Numbers& numbers)
      : graph_(graph),
        unknowns_(unknowns.begin(), unknowns.end()),
        fixed_(ids_of(fixed)),
        held_(ids_of(held)),
        explicit_(ids_of(explicit_ones)),
        numbers_(numbers) {
    result_.residuals.assign(residuals.begin(), residuals.end());
    result_.values = unknowns_;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) result_.kept.push_back(i);
  }

  Reduction run() {
    do {
      while (!result_.kept.empty() && round()) {
      }
    } while (!explicit_.empty() && !result_.kept.empty() && eliminate_explicit());
    return std::move(result_);
  }

 private:
  /// One elimination; false if there is nothing more to eliminate.
  bool round() {
    const std::vector<Expr> unknowns = kept();
    entries_ = jacobian(result_.residuals, unknowns);
    find_linear_rows(unknowns);
    if (linear_.empty()) return false;
    std::vector<Expr> coefficients;
    for (const Entry& entry : entries_) coefficients.push_back(entry.value);
    values_ = numbers_(coefficients);
    std::vector<int> rows, columns;
    choose_fixed_pivots(rows, columns);
    if (rows.empty() && linear_.size() == unknowns.size()) {
      for (std::size_t i = 0; i < unknowns.size(); ++i) {
        rows.push_back(static_cast<int>(i));
        columns.push_back(static_cast<int>(i));
      }
    }
    return !rows.empty() && eliminate(unknowns, rows, columns);
  }

  /// Takes one row after the other that gives an unknown as a function of others; false if there is none.
  bool eliminate_explicit() {
    bool has_found = false;
    for (std::size_t row = 0; row < result_.residuals.size();) {
      const std::size_t column = given_by(result_.residuals[row]);
      if (column == result_.kept.size()) {
        ++row;
        continue;
      }
      const Expr unknown = unknowns_[result_.kept[column]];
      const Expr slope = derivative(result_.residuals[row], unknown);
      Substitution without(graph_), with(graph_);
      without.replace(unknown, graph_.constant(0));
      with.replace(unknown, graph_.alias(-without(result_.residuals[row]) / slope));
      result_.residuals.erase(result_.residuals.begin() + static_cast<std::ptrdiff_t>(row));
      result_.kept.erase(result_.kept.begin() + static_cast<std::ptrdiff_t>(column));
      for (Expr& residual : result_.residuals) residual = with(residual);
      for (Expr& value : result_.values) value = with(value);
      has_found = result_.has_explicit = true;
    }
    return has_found;
  }

  /// The first of the kept unknowns, by its place among them, that the row gives as a function of the others. Its
  /// coefficient must not be small beside theirs: an increment of the momenta would give a velocity, divided by h^2.
  std::size_t given_by(const Expr& residual) const {
    const std::vector<Entry> row = jacobian({&residual, 1}, kept());
    std::vector<Expr> coefficients;
    for (const Entry& entry : row) coefficients.push_back(entry.value);
    const std::vector<double> values = numbers_(coefficients);
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::fabs(value));
    for (std::size_t e = 0; e < row.size(); ++e) {
      const auto column = static_cast<std::size_t>(row[e].column);
      const bool is_large = std::isfinite(largest) && std::fabs(values[e]) >= threshold * largest;
      const Expr unknown = unknowns_[result_.kept[column]];
      const bool is_wanted = explicit_.contains(unknown.id);
      if (is_large && is_wanted && contains_only(row[e].value, fixed_) && is_smooth(residual, {&unknown, 1}))
        return column;
    }
    return result_.kept.size();
  }

  std::vector<Expr> kept() const {
    std::vector<Expr> symbols;
    for (const std::size_t i : result_.kept) symbols.push_back(unknowns_[i]);
    return symbols;
  }

  void find_linear_rows(const std::vector<Expr>& kept) {
    const std::unordered_set<NodeId> changing = ids_of(kept);
    std::vector<std::vector<Expr>> coefficients(kept.size());
    for (const Entry& entry : entries_) coefficients[entry.row].push_back(entry.value);
    // A jump has no derivative that would tell: sign(x) is not linear in x.
    const std::vector<bool> smooth = are_smooth(result_.residuals, kept);
    linear_.clear();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!smooth[i] || coefficients[i].empty() || contains_any(coefficients[i], changing)) continue;
      if (!contains_any({&result_.residuals[i], 1}, held_)) linear_.push_back(static_cast<int>(i));
    }
  }

  /// Gaussian elimination of linear rows with pivots in a block of fixed coefficients. Of several columns the first is
  /// taken: methods name velocities before multipliers, and a velocity belongs to its momentum.
  void choose_fixed_pivots(std::vector<int>& rows, std::vector<int>& columns) const {
    const std::size_t n = result_.kept.size();
    std::vector<std::vector<double>> matrix(n, std::vector<double>(n, 0.0));
    std::vector<std::vector<bool>> is_fixed(n, std::vector<bool>(n, true));  // zero is fixed, too
    std::vector<double> largest(n, 0.0);
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const auto [row, column, value] = entries_[e];
      if (!std::isfinite(values_[e])) return;
      matrix[row][column] = values_[e];
      largest[row] = std::max(largest[row], std::fabs(values_[e]));
      is_fixed[row][column] = contains_only(value, fixed_);
    }
    for (const int i : linear_) {
      const bool fits_columns = std::all_of(columns.begin(), columns.end(), [&](int j) { return is_fixed[i][j]; });
      if (!fits_columns) continue;
      for (std::size_t j = 0; j < n; ++j) {
        const double pivot = matrix[i][j];
        const bool is_taken = std::find(columns.begin(), columns.end(), static_cast<int>(j)) != columns.end();
        const bool fits_rows = std::all_of(rows.begin(), rows.end(), [&](int r) { return is_fixed[r][j]; });
        if (is_taken || !fits_rows || !is_fixed[i][j] || pivot == 0 || std::fabs(pivot) < threshold * largest[i])
          continue;
        rows.push_back(i);
        columns.push_back(static_cast<int>(j));
        for (const int k : linear_) {
          if (k <= i || matrix[k][j] == 0) continue;
          const double factor = matrix[k][j] / pivot;
          for (std::size_t l = 0; l < n; ++l) matrix[k][l] -= factor * matrix[i][l];
        }
        break;
      }
    }
  }

  /// Solves the given rows for the given columns and puts the result into everything else.
  bool eliminate(const std::vector<Expr>& kept, const std::vector<int>& rows, const std::vector<int>& columns) {
    const std::size_t n = kept.size();
    std::vector<int> row_number(n, -1), column_number(n, -1);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      row_number[rows[k]] = static_cast<int>(k);
      column_number[columns[k]] = static_cast<int>(k);
    }
    std::vector<Entry> block;
    std::vector<double> block_values;
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const int row = row_number[entries_[e].row], column = column_number[entries_[e].column];
      if (row < 0 || column < 0) continue;
      block.push_back({row, column, entries_[e].value});
      block_values.push_back(values_[e]);
    }
    const EliminationOrder order = choose_order(static_cast<int>(rows.size()), block, block_values);
    if (!order.regular() || order.operations > longest_elimination) return false;
    const Factors factors = factorise(graph_, block, order);

    // The rows without the eliminated unknowns: what these have to balance.
    Substitution without(graph_);
    for (const int j : columns) without.replace(kept[j], graph_.constant(0));
    std::vector<Expr> right_hand_side;
    for (const int i : rows) right_hand_side.push_back(-without(result_.residuals[i]));
    std::vector<Expr> solution = solve(graph_, factors, right_hand_side);
    const bool is_last = rows.size() == n;
    if (is_last && n > 1 && !are_fixed(block)) refine(kept, columns, factors, solution);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (factors.inverse_pivots[k].is_constant()) continue;
      result_.growth.push_back(abs(factors.inverse_pivots[k] * Number::real(std::fabs(order.pivots[k]))));
    }

    Substitution with(graph_);
    for (std::size_t k = 0; k < rows.size(); ++k) with.replace(kept[columns[k]], graph_.alias(solution[k]));
    std::vector<Expr> residuals;
    std::vector<std::size_t> still_kept;
    for (std::size_t i = 0; i < n; ++i) {
      if (row_number[i] < 0) residuals.push_back(with(result_.residuals[i]));
      if (column_number[i] < 0) still_kept.push_back(result_.kept[i]);
    }
    for (Expr& value : result_.values) value = with(value);
    result_.residuals = std::move(residuals);
    result_.kept = std::move(still_kept);
    return true;
  }

  bool are_fixed(const std::vector<Entry>& block) const {
    return std::all_of(block.begin(), block.end(),
                       [&](const Entry& entry) { return contains_only(entry.value, fixed_); });
  }

  /// The pivots of the last elimination were good at the first state; elsewhere they may cost digits, which one
  /// correction with the same factors brings back.
  void refine(const std::vector<Expr>& kept, const std::vector<int>& columns, const Factors& factors,
              std::vector<Expr>& solution) {
    Substitution with(graph_);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      solution[k] = graph_.alias(solution[k]);
      with.replace(kept[columns[k]], solution[k]);
    }
    std::vector<Expr> right_hand_side;
    for (const Expr& residual : result_.residuals) right_hand_side.push_back(-with(residual));
    const std::vector<Expr> correction = solve(graph_, factors, right_hand_side);
    for (std::size_t k = 0; k < columns.size(); ++k) solution[k] = solution[k] + correction[k];
  }

  Graph& graph_;
  std::vector<Expr> unknowns_;
  std::unordered_set<NodeId> fixed_, held_, explicit_;
  const Numbers& numbers_;
  Reduction result_;
  std::vector<Entry> entries_;
  std::vector<double> values_;  // of the entries
  std::vector<int> linear_;     // rows
};

}  // namespace

Reduction reduce(Graph& graph, std::span<const Expr> unknowns, std::span<const Expr> residuals,
                 std::span<const Expr> fixed, std::span<const Expr> held, std::span<const Expr> explicit_ones,
                 const Numbers& numbers) {
  return Reducer(graph, unknowns, residuals, fixed, held, explicit_ones, numbers).run();
}

}  // namespace noslip

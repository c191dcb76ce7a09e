// Rounds of: find the linear equations, eliminate, substitute.
#include "run/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <noslip/expr/degree.hpp>
#include <noslip/solve/elimination.hpp>

#include "expr/reach.hpp"

namespace noslip {

namespace {

/// A partial elimination divides by pivots that are not much smaller than the other coefficients of their equation.
constexpr double threshold = 0.1;
/// Longer eliminations are better left to the iteration, which chooses its own order.
constexpr long long longest_elimination = 12000, longest_per_unknown = 100;

using Numbers = std::function<std::vector<double>(std::span<const Expr>)>;

/// An entry of the Jacobian with its number at the first state.
struct Coefficient : Entry {
  double number = 0;
  bool is_fixed = false;  ///< contains nothing but what is fixed
};

class Reducer {
 public:
  Reducer(Graph& graph, std::span<const Expr> unknowns, std::span<const Expr> residuals, std::span<const Expr> fixed,
          std::span<const Expr> held, std::span<const Expr> explicit_ones, const Numbers& numbers)
      : graph_(graph),
        unknowns_(unknowns.begin(), unknowns.end()),
        fixed_(fixed.begin(), fixed.end()),
        held_(held.begin(), held.end()),
        numbers_(numbers) {
    for (const Expr& symbol : explicit_ones) explicit_.insert(symbol.id);
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
    const std::vector<Entry> entries = jacobian(result_.residuals, unknowns);
    find_linear_rows(unknowns, entries);
    if (linear_.empty()) return false;
    entries_ = coefficients(entries);
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

  /// Takes rows that give an unknown as a function of others, in their order; false if there is none.
  bool eliminate_explicit() {
    bool has_found = false;
    std::vector<bool> is_done(result_.residuals.size(), false);  // rows that give nothing
    while (eliminate_given(is_done)) has_found = result_.has_explicit = true;
    return has_found;
  }

  /// All rows at once whose decision does not wait for a row before them: those that contain no unknown which such a
  /// row gives. Their values may contain unknowns that rows behind them give, which are put in.
  bool eliminate_given(std::vector<bool>& is_done) {
    const std::vector<Expr> unknowns = kept();
    const std::size_t n = unknowns.size();
    const std::vector<Coefficient> all = coefficients(jacobian(result_.residuals, unknowns));
    std::vector<const Coefficient*> given(n, nullptr);
    std::unordered_map<NodeId, std::size_t> giver;  // of an unknown: the first row that gives it
    for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
      while (end < all.size() && all[end].row == all[first].row) ++end;
      const auto row = static_cast<std::size_t>(all[first].row);
      if (is_done[row]) continue;
      given[row] = given_by(result_.residuals[row], std::span(all).subspan(first, end - first), unknowns);
      if (given[row] != nullptr) giver.emplace(unknowns[static_cast<std::size_t>(given[row]->column)].id, row);
    }
    if (giver.empty()) return false;
    // What a row contains, not what its entries are: a derivative may vanish where the unknown is still read.
    const std::vector<std::size_t> first_giver = least_contained(result_.residuals, giver);
    std::vector<std::size_t> found;
    std::vector<bool> is_found(n, false);
    for (std::size_t row = 0; row < n; ++row) {
      if (first_giver[row] < row) continue;
      if (given[row] == nullptr) {
        is_done[row] = true;
      } else {
        found.push_back(row);
        is_found[static_cast<std::size_t>(given[row]->column)] = true;
      }
    }
    Substitution with(graph_);
    for (std::size_t k = found.size(); k-- > 0;) {  // a value contains no unknown that is found before it
      const Coefficient& pivot = *given[found[k]];
      const Expr unknown = unknowns[static_cast<std::size_t>(pivot.column)];
      Substitution without(graph_);
      without.replace(unknown, graph_.constant(0));
      with.replace(unknown, graph_.alias(with(-without(result_.residuals[found[k]]) / pivot.value)));
    }
    std::vector<Expr> residuals;
    std::vector<std::size_t> still_kept;
    std::vector<bool> still_done;
    for (std::size_t i = 0, next = 0; i < n; ++i) {
      if (!is_found[i]) still_kept.push_back(result_.kept[i]);
      if (next < found.size() && found[next] == i) {
        ++next;
        continue;
      }
      residuals.push_back(with(result_.residuals[i]));
      still_done.push_back(is_done[i]);
    }
    result_.values = with(result_.values);
    result_.residuals = std::move(residuals);
    result_.kept = std::move(still_kept);
    is_done = std::move(still_done);
    return true;
  }

  /// For each expression the least number of a symbol in it, of those that have one; the largest number without.
  std::vector<std::size_t> least_contained(std::span<const Expr> expressions,
                                           const std::unordered_map<NodeId, std::size_t>& numbers) const {
    const std::vector<NodeId> nodes = reachable_nodes(graph_, ids_of(expressions));
    std::vector<std::size_t> least(nodes.back() + std::size_t{1}, std::numeric_limits<std::size_t>::max());
    for (const NodeId id : nodes) {
      const Node& node = graph_.node(id);
      const int operands = arity(node.op);
      if (const auto number = numbers.find(id); number != numbers.end()) least[id] = number->second;
      if (operands > 0) least[id] = std::min(least[id], least[node.a]);
      if (operands > 1) least[id] = std::min(least[id], least[node.b]);
      if (operands > 2) least[id] = std::min(least[id], least[node.c]);
    }
    std::vector<std::size_t> result;
    for (const Expr& expression : expressions) result.push_back(least[expression.id]);
    return result;
  }

  /// The first of the entries of a row whose unknown the row gives as a function of the others; null if there is none.
  /// It must not be small beside the others: an increment of the momenta would give a velocity, divided by h^2.
  const Coefficient* given_by(const Expr& residual, std::span<const Coefficient> row,
                              const std::vector<Expr>& unknowns) const {
    double largest = 0;
    for (const Coefficient& entry : row) largest = std::max(largest, std::fabs(entry.number));
    if (!std::isfinite(largest)) return nullptr;
    for (const Coefficient& entry : row) {
      const Expr unknown = unknowns[static_cast<std::size_t>(entry.column)];
      const bool is_large = std::fabs(entry.number) >= threshold * largest;
      if (is_large && entry.is_fixed && explicit_.contains(unknown.id) && is_smooth(residual, {&unknown, 1})) {
        return &entry;
      }
    }
    return nullptr;
  }

  std::vector<Expr> kept() const {
    std::vector<Expr> symbols;
    for (const std::size_t i : result_.kept) symbols.push_back(unknowns_[i]);
    return symbols;
  }

  std::vector<Coefficient> coefficients(const std::vector<Entry>& entries) const {
    const std::vector<Expr> values = values_of(entries);
    const std::vector<double> numbers = numbers_(values);
    const std::vector<bool> is_fixed = contain_only(values, fixed_);
    std::vector<Coefficient> result;
    for (std::size_t e = 0; e < entries.size(); ++e) result.push_back({entries[e], numbers[e], is_fixed[e]});
    return result;
  }

  static std::vector<Expr> values_of(std::span<const Entry> entries) {
    std::vector<Expr> values;
    for (const Entry& entry : entries) values.push_back(entry.value);
    return values;
  }

  void find_linear_rows(const std::vector<Expr>& kept, const std::vector<Entry>& entries) {
    const std::vector<bool> changes = contain_any(values_of(entries), kept);
    std::vector<bool> has_entries(kept.size(), false), is_linear(kept.size(), true);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      has_entries[entries[e].row] = true;
      if (changes[e]) is_linear[entries[e].row] = false;
    }
    // A jump has no derivative that would tell: sign(x) is not linear in x.
    const std::vector<bool> smooth = are_smooth(result_.residuals, kept), holds = contain_any(result_.residuals, held_);
    linear_.clear();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (smooth[i] && has_entries[i] && is_linear[i] && !holds[i]) linear_.push_back(static_cast<int>(i));
    }
  }

  /// Gaussian elimination of linear rows with pivots in a block of fixed coefficients. Of several columns the first is
  /// taken: methods name velocities before multipliers, and a velocity belongs to its momentum.
  void choose_fixed_pivots(std::vector<int>& rows, std::vector<int>& columns) const {
    const std::size_t n = result_.kept.size();
    std::vector<std::map<int, double>> matrix(n);
    std::vector<std::vector<int>> in_column(n), changing(n);  // rows of a column; columns of a row that are not fixed
    std::vector<double> largest(n, 0.0);
    for (const Coefficient& entry : entries_) {
      if (!std::isfinite(entry.number)) return;
      matrix[entry.row][entry.column] = entry.number;
      in_column[entry.column].push_back(entry.row);
      largest[entry.row] = std::max(largest[entry.row], std::fabs(entry.number));
      if (!entry.is_fixed) changing[entry.row].push_back(entry.column);
    }
    std::vector<bool> is_linear(n, false), is_taken(n, false), is_spoilt(n, false);  // the last two: columns
    for (const int i : linear_) is_linear[i] = true;
    for (const int i : linear_) {
      if (std::any_of(changing[i].begin(), changing[i].end(), [&](int j) { return is_taken[j]; })) continue;
      const auto pivot = std::find_if(matrix[i].begin(), matrix[i].end(), [&](const auto& cell) {
        const auto [j, value] = cell;
        const bool is_fixed = std::find(changing[i].begin(), changing[i].end(), j) == changing[i].end();
        return !is_taken[j] && !is_spoilt[j] && is_fixed && value != 0 && std::fabs(value) >= threshold * largest[i];
      });
      if (pivot == matrix[i].end()) continue;
      const auto [j, pivot_value] = *pivot;
      rows.push_back(i);
      columns.push_back(j);
      is_taken[j] = true;
      for (const int column : changing[i]) is_spoilt[column] = true;
      for (const int k : in_column[j]) {
        if (k <= i || !is_linear[k] || matrix[k].at(j) == 0) continue;
        const double factor = matrix[k].at(j) / pivot_value;
        for (const auto& [l, value] : matrix[i]) {
          const auto [place, is_new] = matrix[k].try_emplace(l, 0.0);
          if (is_new) in_column[l].push_back(k);
          place->second -= factor * value;
        }
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
    bool is_fixed = true;
    for (const Coefficient& entry : entries_) {
      const int row = row_number[entry.row], column = column_number[entry.column];
      if (row < 0 || column < 0) continue;
      block.push_back({row, column, entry.value});
      block_values.push_back(entry.number);
      is_fixed = is_fixed && entry.is_fixed;
    }
    const EliminationOrder order = choose_order(static_cast<int>(rows.size()), block, block_values);
    const auto longest = std::max(longest_elimination, longest_per_unknown * static_cast<long long>(rows.size()));
    if (!order.regular() || order.operations > longest) return false;
    const Factors factors = factorise(graph_, block, order);

    // The rows without the eliminated unknowns: what these have to balance.
    Substitution without(graph_);
    for (const int j : columns) without.replace(kept[j], graph_.constant(0));
    std::vector<Expr> right_hand_side;
    for (const int i : rows) right_hand_side.push_back(-without(result_.residuals[i]));
    std::vector<Expr> solution = solve(graph_, factors, right_hand_side);
    const bool is_last = rows.size() == n;
    if (is_last && n > 1 && !is_fixed) refine(kept, columns, factors, solution);
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
  std::vector<Expr> fixed_, held_;
  std::unordered_set<NodeId> explicit_;
  const Numbers& numbers_;
  Reduction result_;
  std::vector<Coefficient> entries_;
  std::vector<int> linear_;     // rows
};

}  // namespace

Reduction reduce(Graph& graph, std::span<const Expr> unknowns, std::span<const Expr> residuals,
                 std::span<const Expr> fixed, std::span<const Expr> held, std::span<const Expr> explicit_ones,
                 const Numbers& numbers) {
  return Reducer(graph, unknowns, residuals, fixed, held, explicit_ones, numbers).run();
}

}  // namespace noslip

// Rounds of: find the linear equations, eliminate, substitute.
#include "run/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include <noslip/expr/degree.hpp>
#include <noslip/solve/elimination.hpp>

#include "expr/reach.hpp"

namespace noslip {

namespace {

/// A partial elimination divides by pivots that are not much smaller than the other coefficients of their equation.
constexpr double threshold = 0.1;
/// Longer eliminations of full matrices are better left to the iteration, which chooses its own order.
constexpr long long longest_full = 12000, longest_per_unknown = 100;
/// Fill-in that does not matter, in operations.
constexpr long long small_fill = 4000;

using NumbersAt = std::function<std::vector<double>(std::span<const Expr>)>;

/// An entry of the Jacobian with its number at the first state.
struct Coefficient : Entry {
  double number = 0;
  bool is_fixed = false;  ///< contains nothing but what is fixed
};

class Reducer {
 public:
  Reducer(Graph& graph, std::span<const Expr> unknowns, std::span<const Expr> residuals, std::span<const Expr> fixed,
          std::span<const Expr> held, std::span<const Expr> explicit_ones, const NumbersAt& numbers)
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
    differentiate();
    find_linear_rows(unknowns, jacobian_);
    if (linear_.empty()) return false;
    evaluate();
    std::vector<int> rows, columns;
    if (!choose_fixed_pivots(rows, columns)) claim_fixed_pivots(rows, columns);
    const bool all_are_linear = linear_.size() == unknowns.size();
    if (rows.empty()) return all_are_linear && eliminate_all(unknowns, {});
    if (rows.size() == unknowns.size()) return eliminate(unknowns, rows, columns, {});
    const EliminationOrder order = order_with_less_fill(rows, columns);
    if (!order.regular()) return eliminate(unknowns, rows, columns, {});
    return all_are_linear && eliminate_all(unknowns, order);
  }

  bool eliminate_all(const std::vector<Expr>& unknowns, EliminationOrder order) {
    std::vector<int> all(unknowns.size());
    std::iota(all.begin(), all.end(), 0);
    return eliminate(unknowns, all, all, std::move(order));
  }

  /// Eliminating some rows before all others couples what is left: springs between bodies couple their constraints,
  /// each with all. If that costs much more than eliminating body by body, this is an order for all rows in which pivots
  /// are still taken from the given block and from what is left; otherwise not regular().
  EliminationOrder order_with_less_fill(const std::vector<int>& rows, const std::vector<int>& columns) const {
    const std::size_t n = result_.kept.size();
    std::vector<int> row_groups(n, 1), column_groups(n, 1);
    for (const int i : rows) row_groups[static_cast<std::size_t>(i)] = 0;
    for (const int j : columns) column_groups[static_cast<std::size_t>(j)] = 0;
    std::vector<PivotPlace> places;
    std::vector<double> values;
    for (const Coefficient& entry : entries_) {
      places.push_back({entry.row, entry.column, entry.value.is_constant()});
      values.push_back(entry.number);
    }
    PivotRules rules{.row_groups = row_groups, .column_groups = column_groups};
    EliminationOrder free = choose_order(static_cast<int>(n), places, values, rules);
    if (!free.regular()) return {};
    rules.groups_in_turn = true;
    rules.most_operations = 2 * free.operations + small_fill;
    return choose_order(static_cast<int>(n), places, values, rules).regular() ? EliminationOrder{} : free;
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
    differentiate();
    evaluate();
    const std::vector<Coefficient> all = entries_;
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
    replace_residuals(std::move(residuals));
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

  // The Jacobian and its numbers are made once for the same residuals, whoever asks first.
  void differentiate() {
    if (is_differentiated_) return;
    jacobian_ = jacobian(result_.residuals, kept());
    is_differentiated_ = true;
  }
  void evaluate() {
    if (is_evaluated_) return;
    const std::vector<Expr> values = values_of(jacobian_);
    const std::vector<double> numbers = numbers_(values);
    const std::vector<bool> is_fixed = contain_only(values, fixed_);
    entries_.clear();
    for (std::size_t e = 0; e < jacobian_.size(); ++e) entries_.push_back({jacobian_[e], numbers[e], is_fixed[e]});
    is_evaluated_ = true;
  }
  void replace_residuals(std::vector<Expr> residuals) {
    result_.residuals = std::move(residuals);
    is_differentiated_ = is_evaluated_ = false;
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
  /// taken: methods name velocities before multipliers, and a velocity belongs to its momentum. False if rows in their
  /// order fill in.
  bool choose_fixed_pivots(std::vector<int>& rows, std::vector<int>& columns) const {
    const std::size_t n = result_.kept.size();
    std::vector<std::map<int, double>> matrix(n);
    std::vector<std::vector<int>> in_column(n), changing(n);  // rows of a column; columns of a row that are not fixed
    std::vector<double> largest(n, 0.0);
    for (const Coefficient& entry : entries_) {
      if (!std::isfinite(entry.number)) return true;
      matrix[entry.row][entry.column] = entry.number;
      in_column[entry.column].push_back(entry.row);
      largest[entry.row] = std::max(largest[entry.row], std::fabs(entry.number));
      if (!entry.is_fixed) changing[entry.row].push_back(entry.column);
    }
    std::vector<bool> is_linear(n, false), is_taken(n, false), is_spoilt(n, false);  // the last two: columns
    for (const int i : linear_) is_linear[i] = true;
    std::size_t operations = 0;
    const std::size_t most_operations = longest_full + 20 * entries_.size();
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
        operations += matrix[i].size();
        if (operations > most_operations) return false;
        for (const auto& [l, value] : matrix[i]) {
          const auto [place, is_new] = matrix[k].try_emplace(l, 0.0);
          if (is_new) in_column[l].push_back(k);
          place->second -= factor * value;
        }
      }
    }
    return true;
  }

  /// The same without elimination: everything if all coefficients are fixed, otherwise rows take the first column that
  /// they may have. Whether these are regular is found when their order is chosen.
  void claim_fixed_pivots(std::vector<int>& rows, std::vector<int>& columns) const {
    const std::size_t n = result_.kept.size();
    rows.clear();
    columns.clear();
    if (linear_.size() == n &&
        std::all_of(entries_.begin(), entries_.end(), [](const Coefficient& entry) { return entry.is_fixed; })) {
      rows = columns = linear_;
      return;
    }
    std::vector<bool> is_linear(n, false), is_taken(n, false), is_spoilt(n, false);  // the last two: columns
    for (const int i : linear_) is_linear[i] = true;
    for (std::size_t first = 0, end = 0; first < entries_.size(); first = end) {
      while (end < entries_.size() && entries_[end].row == entries_[first].row) ++end;
      const std::span row = std::span(entries_).subspan(first, end - first);
      double largest = 0;
      for (const Coefficient& entry : row) largest = std::max(largest, std::fabs(entry.number));
      const auto may_be_pivot = [&](const Coefficient& entry) {
        return entry.is_fixed && !is_taken[entry.column] && !is_spoilt[entry.column] && entry.number != 0 &&
               std::fabs(entry.number) >= threshold * largest;
      };
      const auto blocks = [&](const Coefficient& entry) { return !entry.is_fixed && is_taken[entry.column]; };
      const auto pivot = std::find_if(row.begin(), row.end(), may_be_pivot);
      if (!is_linear[entries_[first].row] || pivot == row.end() || std::any_of(row.begin(), row.end(), blocks)) continue;
      rows.push_back(pivot->row);
      columns.push_back(pivot->column);
      is_taken[pivot->column] = true;
      for (const Coefficient& entry : row) {
        if (!entry.is_fixed) is_spoilt[entry.column] = true;
      }
    }
  }

  /// Solves the given rows for the given columns and puts the result into everything else. Without an order one is
  /// chosen.
  bool eliminate(const std::vector<Expr>& kept, const std::vector<int>& rows, const std::vector<int>& columns,
                 EliminationOrder order) {
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
    const long long longest = longest_recorded(rows.size(), block.size(), longest_full, longest_per_unknown);
    if (!order.regular()) {
      order = choose_order(static_cast<int>(rows.size()), block, block_values, {.most_operations = longest});
    }
    if (!order.regular() || order.operations > longest) return false;
    const Factors factors = factorise(graph_, block, order);

    // The rows without the eliminated unknowns: what these have to balance.
    Substitution without(graph_);
    for (const int j : columns) without.replace(kept[j], graph_.constant(0));
    std::vector<Expr> right_hand_side;
    for (const int i : rows) right_hand_side.push_back(-without(result_.residuals[i]));
    std::vector<Expr> solution = solve(graph_, factors, right_hand_side);
    const bool is_last = rows.size() == n;
    if (is_last && n > 1) refine(kept, columns, factors, solution);
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
    replace_residuals(std::move(residuals));
    result_.kept = std::move(still_kept);
    return true;
  }

  /// The pivots of the last elimination were good at the first state; elsewhere they may cost digits, which one
  /// correction with the same factors brings back. If they are the same in all steps, so are their rounding errors: the
  /// correction keeps these from adding up over many steps.
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
  const NumbersAt& numbers_;
  Reduction result_;
  std::vector<Entry> jacobian_;  // of the residuals that are left
  std::vector<Coefficient> entries_;
  bool is_differentiated_ = false, is_evaluated_ = false;
  std::vector<int> linear_;  // rows
};

}  // namespace

Reduction reduce(Graph& graph, std::span<const Expr> unknowns, std::span<const Expr> residuals,
                 std::span<const Expr> fixed, std::span<const Expr> held, std::span<const Expr> explicit_ones,
                 const NumbersAt& numbers) {
  return Reducer(graph, unknowns, residuals, fixed, held, explicit_ones, numbers).run();
}

}  // namespace noslip

// Row by row: a row of the matrix, spread out, less what the rows before it take from it.
#include <noslip/solve/sparse.hpp>

#include <algorithm>
#include <limits>
#include <set>

#include <noslip/core/bytes.hpp>
#include <noslip/solve/elimination.hpp>

namespace noslip {

namespace {

/// Factors of rows may grow to this before another order is sought, which takes as long as many factorisations; the
/// order itself allows 10.
constexpr double largest_factor = 1000;

int parity_of(std::vector<int> permutation) {
  int parity = 1;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    while (permutation[i] != static_cast<int>(i)) {
      std::swap(permutation[i], permutation[static_cast<std::size_t>(permutation[i])]);
      parity = -parity;
    }
  }
  return parity;
}

}  // namespace

template <class T>
SparseSolver<T>::SparseSolver(int n, std::vector<std::pair<int, int>> places)
    : n_(n), places_(std::move(places)), entries_(places_.size(), T(0)), work_(static_cast<std::size_t>(n), T(0)), left_(work_) {}

template <class T>
bool SparseSolver<T>::choose_order() {
  std::vector<PivotPlace> pivots;
  for (const auto& [row, column] : places_) pivots.push_back({row, column, false});
  const std::vector<double> numbers(entries_.begin(), entries_.end());
  EliminationOrder order = noslip::choose_order(n_, pivots, numbers);
  if (!order.regular()) return n_ == 0;
  order_rows_ = std::move(order.rows);
  order_columns_ = std::move(order.columns);
  find_pattern();
  return true;
}

template <class T>
void SparseSolver<T>::find_pattern() {
  const auto n = static_cast<std::size_t>(n_);
  parity_ = parity_of(order_rows_) * parity_of(order_columns_);
  std::vector<int> row_number(n), column_number(n);
  for (std::size_t k = 0; k < n; ++k) {
    row_number[static_cast<std::size_t>(order_rows_[k])] = static_cast<int>(k);
    column_number[static_cast<std::size_t>(order_columns_[k])] = static_cast<int>(k);
  }
  std::vector<std::vector<std::pair<int, int>>> of_row(n);  // column and entry
  for (std::size_t e = 0; e < places_.size(); ++e) {
    const auto row = static_cast<std::size_t>(row_number[static_cast<std::size_t>(places_[e].first)]);
    of_row[row].emplace_back(column_number[static_cast<std::size_t>(places_[e].second)], static_cast<int>(e));
  }
  first_.assign(1, 0);
  first_entry_.assign(1, 0);
  diagonal_.clear();
  columns_.clear();
  entry_.clear();
  entry_column_.clear();
  std::set<int> pattern;
  for (std::size_t i = 0; i < n; ++i) {
    pattern.clear();
    pattern.insert(static_cast<int>(i));
    for (const auto& [column, e] : of_row[i]) {
      pattern.insert(column);
      entry_.push_back(e);
      entry_column_.push_back(column);
    }
    for (auto k = pattern.begin(); *k < static_cast<int>(i); ++k) {  // what is inserted is behind k
      const auto row = static_cast<std::size_t>(*k);
      pattern.insert(columns_.begin() + diagonal_[row] + 1, columns_.begin() + first_[row + 1]);
    }
    const auto own = std::distance(pattern.begin(), pattern.find(static_cast<int>(i)));
    diagonal_.push_back(static_cast<int>(columns_.size()) + static_cast<int>(own));
    columns_.insert(columns_.end(), pattern.begin(), pattern.end());
    first_.push_back(static_cast<int>(columns_.size()));
    first_entry_.push_back(static_cast<int>(entry_.size()));
  }
  values_.assign(columns_.size(), T(0));
  inverse_.assign(n, T(0));
}

template <class T>
bool SparseSolver<T>::factorise_in_order() {
  for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) {
    for (int c = first_[i]; c < first_[i + 1]; ++c) work_[columns_[c]] = T(0);
    for (int e = first_entry_[i]; e < first_entry_[i + 1]; ++e) work_[entry_column_[e]] = entries_[entry_[e]];
    bool is_good = true;
    for (int c = first_[i]; c < diagonal_[i]; ++c) {
      const int k = columns_[c];
      const T factor = work_[k] * inverse_[k];
      is_good = is_good && size_of(factor) <= T(largest_factor);
      work_[k] = factor;
      if (factor == T(0)) continue;
      for (int u = diagonal_[k] + 1; u < first_[k + 1]; ++u) work_[columns_[u]] -= factor * values_[u];
    }
    for (int c = first_[i]; c < first_[i + 1]; ++c) values_[c] = work_[columns_[c]];
    const T pivot = values_[diagonal_[i]];
    inverse_[i] = T(1) / pivot;
    if (!is_good || pivot == T(0) || !is_finite(pivot) || !is_finite(inverse_[i])) return false;
  }
  return true;
}

template <class T>
void SparseSolver<T>::factorise() {
  is_regular_ = !order_rows_.empty() && factorise_in_order();
  if (is_regular_) return;
  is_regular_ = choose_order() && factorise_in_order();
}

template <class T>
void SparseSolver<T>::forget_order() {
  order_rows_.clear();
  order_columns_.clear();
  std::fill(entries_.begin(), entries_.end(), T(0));
  is_regular_ = false;
}

template <class T>
void SparseSolver<T>::solve_roughly(std::span<T> x) const {
  if (is_regular_) {
    substitute(x);
  } else {
    std::fill(x.begin(), x.end(), T(std::numeric_limits<double>::quiet_NaN()));
  }
}

template <class T>
void SparseSolver<T>::solve(std::span<T> x) const {
  std::copy(x.begin(), x.end(), left_.begin());
  solve_roughly(x);
  if (!is_regular_) return;
  for (std::size_t e = 0; e < places_.size(); ++e) left_[places_[e].first] -= entries_[e] * x[places_[e].second];
  substitute(left_);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += left_[i];
}

/// Four sums at a time: one would wait for its last addition.
template <class T>
T SparseSolver<T>::product(int first, int end) const {
  T sums[4] = {};
  int c = first;
  for (; c + 4 <= end; c += 4) {
    for (int k = 0; k < 4; ++k) sums[k] += values_[c + k] * work_[columns_[c + k]];
  }
  for (; c < end; ++c) sums[0] += values_[c] * work_[columns_[c]];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class T>
void SparseSolver<T>::substitute(std::span<T> x) const {
  const auto n = static_cast<std::size_t>(n_);
  for (std::size_t i = 0; i < n; ++i) {
    work_[i] = x[order_rows_[i]] - product(first_[i], diagonal_[i]);
  }
  for (std::size_t i = n; i-- > 0;) {
    work_[i] = (work_[i] - product(diagonal_[i] + 1, first_[i + 1])) * inverse_[i];
  }
  for (std::size_t k = 0; k < n; ++k) x[order_columns_[k]] = work_[k];
}

template <class T>
void SparseSolver<T>::solve_transposed(std::span<T> x) const {
  const auto n = static_cast<std::size_t>(n_);
  if (!is_regular_) {
    std::fill(x.begin(), x.end(), T(std::numeric_limits<double>::quiet_NaN()));
    return;
  }
  for (std::size_t k = 0; k < n; ++k) work_[k] = x[order_columns_[k]];
  for (std::size_t i = 0; i < n; ++i) {
    work_[i] /= values_[diagonal_[i]];
    for (int c = diagonal_[i] + 1; c < first_[i + 1]; ++c) work_[columns_[c]] -= values_[c] * work_[i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (int c = first_[i]; c < diagonal_[i]; ++c) work_[columns_[c]] -= values_[c] * work_[i];
  }
  for (std::size_t i = 0; i < n; ++i) x[order_rows_[i]] = work_[i];
}

template <class T>
int SparseSolver<T>::sign() const {
  if (!is_regular_) return 0;
  int sign = parity_;
  for (const int place : diagonal_) sign *= values_[place] > 0 ? 1 : values_[place] < 0 ? -1 : 0;
  return sign;
}

template <class T>
void SparseSolver<T>::copy_numbers(std::span<T> to) const {
  auto next = std::copy(entries_.begin(), entries_.end(), to.begin());
  std::fill(next, to.end(), T(-1));
  next = std::copy(order_rows_.begin(), order_rows_.end(), next);
  std::copy(order_columns_.begin(), order_columns_.end(), next);
}

template <class T>
void SparseSolver<T>::set_numbers(std::span<const T> from) {
  std::copy_n(from.begin(), entries_.size(), entries_.begin());
  const std::span<const T> order = from.subspan(entries_.size());
  order_rows_.clear();
  order_columns_.clear();
  is_regular_ = false;
  if (n_ > 0 && !(order[0] >= T(0))) return;  // there were no factors
  for (int k = 0; k < n_; ++k) {
    order_rows_.push_back(saved_index(order[k], n_));
    order_columns_.push_back(saved_index(order[n_ + k], n_));
  }
  for (std::vector<int> places : {order_rows_, order_columns_}) {
    std::sort(places.begin(), places.end());
    require_saved(std::adjacent_find(places.begin(), places.end()) == places.end());  // each of them once
  }
  find_pattern();
  factorise();
}

template class SparseSolver<double>;
template class SparseSolver<long double>;
template class SparseSolver<quad>;

}  // namespace noslip

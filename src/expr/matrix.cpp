#include <noslip/expr/matrix.hpp>

#include <algorithm>
#include <cassert>

namespace noslip {
namespace {

std::vector<Expr> sum_of(std::span<const Expr> a, const std::vector<Expr>& b) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] + b[i]);
  return result;
}

struct PlacedTerm {
  std::size_t place;
  Expr value;
};

/// The balanced sum of `count` terms from `first` on, of which only these are not zero.
Expr sum_at_places(Graph& graph, std::span<const PlacedTerm> terms, std::size_t first, std::size_t count) {
  if (terms.empty()) return graph.constant(0);
  if (terms.size() == 1) return terms.front().value;
  const std::size_t middle = first + count / 2;
  const auto right =
      std::partition_point(terms.begin(), terms.end(), [&](const PlacedTerm& term) { return term.place < middle; });
  const auto on_left = static_cast<std::size_t>(right - terms.begin());
  const Expr left_sum = sum_at_places(graph, terms.first(on_left), first, count / 2);
  return left_sum + sum_at_places(graph, terms.subspan(on_left), middle, count - count / 2);
}

}  // namespace

SparseRow::SparseRow(std::span<const Expr> entries) : size_(entries.size()) {
  if (entries.empty()) return;
  zero_ = entries.front().graph->constant(0);
  for (std::size_t i = 0; i < entries.size(); ++i) append(i, entries[i]);
}

Expr SparseRow::operator[](std::size_t place) const {
  assert(place < size_);
  const auto found = std::lower_bound(places_.begin(), places_.end(), place);
  return found != places_.end() && *found == place ? values_[static_cast<std::size_t>(found - places_.begin())] : zero_;
}

void SparseRow::append(std::size_t place, Expr value) {
  assert(place < size_ && (places_.empty() || places_.back() < place));
  if (value.is_zero()) return;
  places_.push_back(place);
  values_.push_back(value);
}

std::vector<Expr> SparseRow::dense() const {
  std::vector<Expr> entries(size_, zero_);
  for (std::size_t i = 0; i < places_.size(); ++i) entries[places_[i]] = values_[i];
  return entries;
}

SparseRow SparseRow::with(Graph& graph, std::vector<Expr> values) const {
  assert(values.size() == places_.size());
  SparseRow row(graph, size_);
  for (std::size_t i = 0; i < places_.size(); ++i) row.append(places_[i], values[i]);
  return row;
}

Expr dot(Graph& graph, const SparseRow& row, std::span<const Expr> v) {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < row.places().size(); ++i) terms.push_back(row.values()[i] * v[row.places()[i]]);
  return sum(graph, terms);
}

std::vector<Expr> times(const SparseMatrix& m, std::span<const Expr> v) {
  std::vector<Expr> result;
  for (const SparseRow& row : m) result.push_back(dot(*v.front().graph, row, v));
  return result;
}

std::vector<Expr> transposed_times(const SparseMatrix& m, std::span<const Expr> v) {
  assert(m.size() == v.size() && !m.empty());
  std::vector<std::vector<PlacedTerm>> terms(m.front().size());
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (std::size_t k = 0; k < m[i].places().size(); ++k) terms[m[i].places()[k]].push_back({i, m[i].values()[k]});
  }
  std::vector<Expr> result;
  for (std::vector<PlacedTerm>& column : terms) {
    for (PlacedTerm& term : column) term.value = v[term.place] * term.value;
    result.push_back(sum_at_places(*v.front().graph, column, 0, m.size()));
  }
  return result;
}

ExprMatrix dense(const SparseMatrix& m) {
  ExprMatrix result;
  for (const SparseRow& row : m) result.push_back(row.dense());
  return result;
}

std::vector<Expr> entries_of(const SparseMatrix& m) {
  std::vector<Expr> result;
  for (const SparseRow& row : m) {
    const std::vector<Expr> entries = row.dense();
    result.insert(result.end(), entries.begin(), entries.end());
  }
  return result;
}

std::vector<Expr> values_of(const SparseMatrix& m) {
  std::vector<Expr> result;
  for (const SparseRow& row : m) result.insert(result.end(), row.values().begin(), row.values().end());
  return result;
}

std::vector<std::pair<int, int>> places_of(const SparseMatrix& m) {
  std::vector<std::pair<int, int>> result;
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (const std::size_t j : m[i].places()) result.emplace_back(static_cast<int>(i), static_cast<int>(j));
  }
  return result;
}

SparseRow copied(Substitution& copy, Graph& graph, const SparseRow& row) { return row.with(graph, copy(row.values())); }

SparseMatrix copied(Substitution& copy, Graph& graph, const SparseMatrix& m) {
  SparseMatrix result;
  for (const SparseRow& row : m) result.push_back(copied(copy, graph, row));
  return result;
}

std::vector<Expr> times(const ExprMatrix& m, std::span<const Expr> v) {
  std::vector<Expr> result;
  for (const std::vector<Expr>& row : m) result.push_back(dot(*v.front().graph, row, v));
  return result;
}

std::vector<Expr> transposed_times(const ExprMatrix& m, std::span<const Expr> v) {
  assert(m.size() == v.size() && !m.empty());
  std::vector<Expr> result, column(m.size());
  for (std::size_t j = 0; j < m.front().size(); ++j) {
    for (std::size_t i = 0; i < m.size(); ++i) column[i] = m[i][j];
    result.push_back(dot(*v.front().graph, column, v));
  }
  return result;
}

std::vector<Expr> plus_times(std::span<const Expr> v, const ExprMatrix& m) { return sum_of(v, times(m, v)); }

std::vector<Expr> plus_transposed_times(std::span<const Expr> v, const ExprMatrix& m) {
  return sum_of(v, transposed_times(m, v));
}

std::vector<Expr> entries_of(const ExprMatrix& m) {
  std::vector<Expr> result;
  for (const std::vector<Expr>& row : m) result.insert(result.end(), row.begin(), row.end());
  return result;
}

}  // namespace noslip

#include "method/vectors.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace noslip {

namespace {

template <class Function>
Vector each(const Vector& a, Function function) {
  Vector result;
  result.reserve(a.size());
  for (const Expr& x : a) result.push_back(function(x));
  return result;
}

/// Component by component; `term(j, k)` is component k of term j, an unset one does not appear.
template <class Term>
Vector sum_of_terms(const Vectors& vectors, Term term) {
  const auto first = std::find_if(vectors.begin(), vectors.end(), [](const Vector& each) { return !each.empty(); });
  if (first == vectors.end()) return {};
  Vector result, terms;
  for (std::size_t k = 0; k < first->size(); ++k) {
    terms.clear();
    for (std::size_t j = 0; j < vectors.size(); ++j) {
      if (vectors[j].empty()) continue;
      assert(vectors[j].size() == first->size());
      const Expr x = term(j, k);
      if (x.graph != nullptr) terms.push_back(x);
    }
    result.push_back(sum(*(*first)[k].graph, terms));
  }
  return result;
}

}  // namespace

Vector operator+(const Vector& a, const Vector& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  assert(a.size() == b.size());
  Vector result;
  for (std::size_t k = 0; k < a.size(); ++k) result.push_back(a[k] + b[k]);
  return result;
}

Vector operator-(const Vector& a, const Vector& b) {
  if (a.empty()) return -b;
  if (b.empty()) return a;
  assert(a.size() == b.size());
  Vector result;
  for (std::size_t k = 0; k < a.size(); ++k) result.push_back(a[k] - b[k]);
  return result;
}

Vector operator-(const Vector& a) {
  return each(a, [](Expr x) { return -x; });
}

Vector operator*(Expr factor, const Vector& a) {
  return each(a, [&](Expr x) { return factor * x; });
}

Vector operator*(quad factor, const Vector& a) { return a.empty() ? a : coefficient(*a.front().graph, factor) * a; }

Vector operator/(const Vector& a, Expr divisor) {
  return each(a, [&](Expr x) { return x / divisor; });
}

Vector operator/(const Vector& a, const Number& divisor) {
  return each(a, [&](Expr x) { return x / divisor; });
}

Vector operator*(const Vectors& rows, const Vector& a) { return times(rows, a); }

Vector sum(const Weights& weights, const Vectors& vectors) {
  assert(weights.size() == vectors.size() || vectors.empty());
  return sum_of_terms(vectors, [&](std::size_t j, std::size_t k) {
    return weights[j] == 0 ? Expr{} : coefficient(*vectors[j][k].graph, weights[j]) * vectors[j][k];
  });
}

Vector sum(const Vector& weights, const Vectors& vectors) {
  assert(weights.size() == vectors.size());
  return sum_of_terms(vectors, [&](std::size_t j, std::size_t k) { return weights[j] * vectors[j][k]; });
}

Vector sum(const Vector& weights, const SparseMatrix& rows) {
  assert(weights.size() == rows.size());
  return rows.empty() ? Vector{} : transposed_times(rows, weights);
}

Vector alias(const Vector& a) {
  return each(a, [](Expr x) { return x.graph->alias(x); });
}

Vector joined(Vector first, const Vector& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Vector head(const Vector& a, std::size_t count) {
  assert(count <= a.size());
  return {a.begin(), a.begin() + static_cast<std::ptrdiff_t>(count)};
}

Vector tail(const Vector& a, std::size_t count) {
  assert(count <= a.size());
  return {a.begin() + static_cast<std::ptrdiff_t>(count), a.end()};
}

Vector zeros(Graph& graph, std::size_t count) { return Vector(count, graph.constant(0)); }

void replace(Substitution& substitution, const Vector& symbols, const Vector& values) {
  for (std::size_t i = 0; i < values.size(); ++i) substitution.replace(symbols[i], values[i]);
}

Vector new_symbols(Graph& graph, const std::string& stem, std::size_t count) {
  Vector symbols;
  for (std::size_t i = 0; i < count; ++i) symbols.push_back(graph.symbol(fmt::format("step.{}{}", stem, i + 1)));
  return symbols;
}

Expr coefficient(Graph& graph, quad value) { return graph.constant(Number::real(value)); }

}  // namespace noslip

#include "run/basis_check.hpp"

#include <algorithm>

#include "model/basis_values.hpp"
#include "model/state_blocks.hpp"

namespace noslip {

namespace {

// Both far stricter than BasisValues.
constexpr double units_of_products = 64;
constexpr double smallest_square = 1e-8;  // of what is left of a row of size one without its parts along others

}  // namespace

template <class T>
BasisFunctions<T>::BasisFunctions(const System& system) : rows(system.basis().size()) {
  if (rows == 0) return;
  Graph graph(system.graph());
  std::vector<Expr> products, sizes;
  for (const Constraint& constraint : system.constraints()) {
    const std::vector<Expr> K = graph.counterparts(constraint.K.dense());
    for (const std::vector<Expr>& row : system.basis()) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < K.size(); ++i) terms.push_back(K[i] * graph.counterpart(row[i]));
      const Expr product = sum(graph, terms);
      if (product.is_zero()) continue;
      products.push_back(product);
      for (Expr& term : terms) term = abs(term);
      sizes.push_back(sum(graph, terms));
    }
  }
  function = Function<T>({{system.t()}, system.q(), parameter_symbols(system)},
                         {products, sizes, graph.counterparts(entries_of(system.basis()))});
}

template <class T>
BasisCheck<T>::BasisCheck(const BasisFunctions<T>& functions)
    : rows_(functions.rows),
      at_(rows_ > 0 ? Evaluation<T>(functions.function) : Evaluation<T>()),
      X_(rows_ > 0 ? functions.function.output(2).size : 0) {}

template <class T>
bool BasisCheck<T>::is_certain(T t, std::span<const T> state, std::span<const T> parameters) {
  if (rows_ == 0) return true;
  at_.set(0, t).set(1, state).set(2, parameters);
  if (!is_good_here()) return false;
  PositionsAround around;
  for (int i = 0; i < PositionsAround::count; ++i) {
    at_.set(0, T(around(static_cast<double>(t))));
    const std::span<T> q = at_.input(1);
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = T(around(static_cast<double>(state[k])));
    if (!is_good_here()) return false;
  }
  return true;
}

template <class T>
bool BasisCheck<T>::is_good_here() {
  at_.run();
  const std::span<const T> products = at_.output(0), sizes = at_.output(1);
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (!(size_of(products[i]) <= T(units_of_products) * epsilon<double>() * sizes[i])) return false;
  }
  return are_independent();
}

/// Gram and Schmidt, the longest of what is left first; columns and rows in units of their own.
template <class T>
bool BasisCheck<T>::are_independent() {
  const std::size_t n = X_.size() / rows_;
  const auto scale = [&](std::size_t first, std::size_t count, std::size_t stride) {
    T largest = 0;
    for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, size_of(X_[first + i * stride]));
    for (std::size_t i = 0; i < count && largest > 0; ++i) X_[first + i * stride] /= largest;
  };
  const auto product = [&](std::size_t a, std::size_t b) {
    T result = 0;
    for (std::size_t i = 0; i < n; ++i) result += X_[a * n + i] * X_[b * n + i];
    return result;
  };
  std::copy(at_.output(2).begin(), at_.output(2).end(), X_.begin());
  for (std::size_t i = 0; i < n; ++i) scale(i, rows_, n);
  for (std::size_t a = 0; a < rows_; ++a) scale(a * n, n, 1);
  for (std::size_t a = 0; a < rows_; ++a) {
    std::size_t longest = a;
    for (std::size_t b = a + 1; b < rows_; ++b) {
      if (product(b, b) > product(longest, longest)) longest = b;
    }
    if (longest != a) std::swap_ranges(&X_[a * n], &X_[a * n] + n, &X_[longest * n]);
    const T square = product(a, a);
    if (!(square > T(smallest_square)) || !is_finite(square)) return false;
    for (std::size_t b = a + 1; b < rows_; ++b) {
      const T part = product(a, b) / square;
      for (std::size_t i = 0; i < n; ++i) X_[b * n + i] -= part * X_[a * n + i];
    }
  }
  return true;
}

template struct BasisFunctions<double>;
template struct BasisFunctions<long double>;
template struct BasisFunctions<quad>;
template class BasisCheck<double>;
template class BasisCheck<long double>;
template class BasisCheck<quad>;

}  // namespace noslip

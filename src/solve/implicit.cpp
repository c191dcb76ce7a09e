#include <noslip/solve/implicit.hpp>

#include <algorithm>
#include <cassert>

#include <noslip/expr/derivative.hpp>

namespace noslip {

template <class T>
ImplicitFunction<T>::ImplicitFunction(std::vector<std::vector<Expr>> given, const std::vector<Expr>& unknowns,
                                      const std::vector<Expr>& residuals)
    : size_(unknowns.size()) {
  assert(unknowns.size() == residuals.size());
  std::vector<Expr> entries;
  for (const Entry& entry : jacobian(residuals, unknowns)) {
    places_.emplace_back(entry.row, entry.column);
    entries.push_back(entry.value);
  }
  const std::vector<bool> depend = contain_any(entries, unknowns);
  is_linear_ = std::find(depend.begin(), depend.end(), true) == depend.end();
  given.push_back(unknowns);
  function_ = Function<T>(given, {residuals, entries});
}

template <class T>
ImplicitSolver<T>::ImplicitSolver(const ImplicitFunction<T>& equations)
    : equations_(equations),
      at_(equations.function()),
      linear_(static_cast<int>(equations.size()), equations.places()),
      newton_(equations.size()),
      next_(equations.size()),
      sums_(equations.size()) {}

template <class T>
void ImplicitSolver<T>::evaluate(std::span<const T> x) {
  at_.set(equations_.function().input_count() - 1, x);
  at_.run();
}

template <class T>
const LinearSolver<T>& ImplicitSolver<T>::factors(std::span<const T> x) {
  evaluate(x);
  std::copy(at_.output(1).begin(), at_.output(1).end(), linear_.entries().begin());
  linear_.factorise();
  has_factors_ = equations_.is_linear();
  return linear_;
}

template <class T>
bool ImplicitSolver<T>::correct(std::span<const T> x, std::span<T> dx) {
  if (has_factors_) {
    evaluate(x);
  } else {
    factors(x);
  }
  std::copy(at_.output(0).begin(), at_.output(0).end(), dx.begin());
  linear_.solve(dx);
  error_ = largest_size<T>(dx);
  return true;
}

template <class T>
T ImplicitSolver<T>::error(std::span<const T> x) {
  evaluate(x);
  std::copy(at_.output(0).begin(), at_.output(0).end(), next_.begin());
  linear_.solve(next_);
  return largest_size<T>(next_);
}

template <class T>
T ImplicitSolver<T>::size(Range rows, Range columns) {
  const auto is_in = [](int place, Range range) {
    const auto i = static_cast<std::size_t>(place);
    return i >= range.first && i < range.end;
  };
  const std::span<const T> entries = at_.output(1);
  std::fill(sums_.begin(), sums_.end(), T(0));
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto [row, column] = equations_.places()[e];
    if (is_in(row, rows) && is_in(column, columns)) sums_[static_cast<std::size_t>(row)] += size_of(entries[e]);
  }
  return largest_size<T>(sums_);
}

template <class T>
bool ImplicitSolver<T>::condition_is_at_most(T limit) {
  const T all = size({}, {});
  const std::span<const T> entries = at_.output(1);
  if (known_entries_.size() == entries.size()) {
    std::fill(sums_.begin(), sums_.end(), T(0));
    for (std::size_t e = 0; e < entries.size(); ++e) {
      sums_[static_cast<std::size_t>(equations_.places()[e].first)] += size_of(entries[e] - known_entries_[e]);
    }
    // |(A + D)^-1| <= |A^-1| / (1 - |D| |A^-1|); half of the limit leaves room for rounding.
    const T part = largest_size<T>(sums_) * known_inverse_;
    if (part < T(1) / 2 && 2 * all * known_inverse_ <= limit * (1 - part)) return true;
  }
  const T inverse = inverse_size();
  // A sparse inverse is only estimated.
  if (!linear_.is_sparse() && is_finite(inverse)) {
    known_entries_.assign(entries.begin(), entries.end());
    known_inverse_ = inverse;
  }
  return all * inverse <= limit;
}

template <class T>
NewtonResult<T> ImplicitSolver<T>::solve(std::span<T> x, const NewtonOptions<T>& options) {
  return newton_(x, *this, options);
}

template class ImplicitFunction<double>;
template class ImplicitFunction<long double>;
template class ImplicitFunction<quad>;
template class ImplicitSolver<double>;
template class ImplicitSolver<long double>;
template class ImplicitSolver<quad>;

}  // namespace noslip

// Dense or sparse, and how large the inverse is.
#include <noslip/solve/linear.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace noslip {

namespace {

/// Loops over a full matrix are faster below this size, and where more than such a part of it is there.
constexpr std::size_t largest_dense = 64;
constexpr double full_part = 0.2;

/// Entries come by rows and may go by columns: so many rows at a time stay in the nearest cache.
constexpr int rows_at_once = 8;

template <class T>
std::variant<DenseSolver<T>, SparseSolver<T>> solver_for(int n, const std::vector<std::pair<int, int>>& places) {
  if (is_solved_dense(static_cast<std::size_t>(n), places.size())) return DenseSolver<T>(n);
  return SparseSolver<T>(n, places);
}

/// W. W. Hager, Condition estimates, SIAM J. Sci. Stat. Comput. 5 (1984) 311, for the sums in columns of the transposed
/// inverse: a lower bound, seldom by more than a factor of three.
template <class T>
T estimated_inverse_size(const SparseSolver<T>& solver, std::span<T> x, std::span<T> y) {
  constexpr int most_rounds = 5;
  constexpr double margin = 3;
  const std::size_t n = x.size();
  T found = 0;
  std::fill(x.begin(), x.end(), T(1) / T(static_cast<double>(n)));
  for (int round = 0; round < most_rounds; ++round) {
    std::copy(x.begin(), x.end(), y.begin());
    solver.solve_transposed(y);
    T size = 0;
    for (const T& value : y) size += size_of(value);
    if (!(size > found)) return is_finite(size) ? T(margin) * found : size;
    found = size;
    for (T& value : y) value = value < 0 ? T(-1) : T(1);
    solver.solve(y);
    T along = 0;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      along += y[i] * x[i];
      if (size_of(y[i]) > size_of(y[largest])) largest = i;
    }
    if (size_of(y[largest]) <= along) break;
    std::fill(x.begin(), x.end(), T(0));
    x[largest] = 1;
  }
  return T(margin) * found;
}

}  // namespace

bool is_solved_dense(std::size_t unknowns, std::size_t entries) {
  const auto n = static_cast<double>(unknowns);
  return unknowns <= largest_dense || static_cast<double>(entries) > full_part * n * n;
}

template <class T>
LinearSolver<T>::LinearSolver(int n, std::vector<std::pair<int, int>> places)
    : entries_(places.size(), T(0)), solver_(solver_for<T>(n, places)) {
  if (is_sparse()) return;
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t e) {
      return std::tuple(places[e].first / rows_at_once, places[e].second, places[e].first);
    };
    return key(a) < key(b);
  });
  DenseSolver<T>& dense = std::get<DenseSolver<T>>(solver_);
  for (const std::size_t e : order) targets_.push_back({e, &dense.entry(places[e].first, places[e].second)});
}

template <class T>
void LinearSolver<T>::factorise(const T* values, std::size_t stride) {
  if (auto* const sparse = std::get_if<SparseSolver<T>>(&solver_)) {
    for (std::size_t e = 0; e < entries_.size(); ++e) sparse->entries()[e] = values[e * stride];
    sparse->factorise();
    return;
  }
  DenseSolver<T>& dense = std::get<DenseSolver<T>>(solver_);
  dense.clear();
  for (const Target& target : targets_) *target.place = values[target.entry * stride];
  dense.factorise();
}

template <class T>
void LinearSolver<T>::forget_order() {
  if (auto* const sparse = std::get_if<SparseSolver<T>>(&solver_)) sparse->forget_order();
}

template <class T>
void LinearSolver<T>::solve(std::span<T> x) const {
  std::visit([&](const auto& solver) { solver.solve(x); }, solver_);
}

template <class T>
void LinearSolver<T>::solve_roughly(std::span<T> x) const {
  if (const auto* const sparse = std::get_if<SparseSolver<T>>(&solver_)) return sparse->solve_roughly(x);
  solve(x);
}

template <class T>
int LinearSolver<T>::sign() const {
  return std::visit([](const auto& solver) { return solver.sign(); }, solver_);
}

template <class T>
T LinearSolver<T>::inverse_size(std::span<T> a, std::span<T> b) const {
  if (const auto* const sparse = std::get_if<SparseSolver<T>>(&solver_)) return estimated_inverse_size(*sparse, a, b);
  return size_of_inverse<T>(std::get<DenseSolver<T>>(solver_), a, b);
}

template <class T>
std::size_t LinearSolver<T>::number_count() const {
  return std::visit([](const auto& solver) { return solver.number_count(); }, solver_);
}

template <class T>
void LinearSolver<T>::copy_numbers(std::span<T> to) const {
  std::visit([&](const auto& solver) { solver.copy_numbers(to); }, solver_);
}

template <class T>
void LinearSolver<T>::set_numbers(std::span<const T> from) {
  std::visit([&](auto& solver) { solver.set_numbers(from); }, solver_);
}

template class LinearSolver<double>;
template class LinearSolver<long double>;
template class LinearSolver<quad>;

}  // namespace noslip

#include "run/start_check.hpp"

#include <algorithm>
#include <numeric>

#include <noslip/solve/newton.hpp>

#include "model/state_blocks.hpp"
#include "run/start_conditions.hpp"

namespace noslip {

namespace {

// Of a state that other parameters have made bad: beside the terms of a constraint, and beside the residual before.
constexpr double notable_residual = 1e-8, notable_growth = 10;

template <class T>
bool are_finite(std::span<const T> values) {
  return std::all_of(values.begin(), values.end(), [](const T& value) { return is_finite(value); });
}

/// The largest sum of the sizes in a row.
template <class T>
T largest_row_sum(std::span<const T> entries, std::size_t rows) {
  T most = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    T row = 0;
    for (const T& entry : entries.subspan(i * (entries.size() / rows), entries.size() / rows)) row += size_of(entry);
    most = row <= most ? most : row;
  }
  return most;
}

}  // namespace

template <class T>
StartFunctions<T>::StartFunctions(const System& system) : basis(system) {
  const Offers& offers = system.offers();
  if (!system.nonideal().empty() || !system.position_reactions().empty()) matrix = Matrix::reactions;
  if (!system.hidden_constraints().empty()) matrix = Matrix::product;
  has_inertia = offers.lagrangian;
  is_linear = is_linear_mechanics(system);
  solves_from_z = offers.multiplier_variables;
  keeps_given_z = offers.given_multipliers;
  stays_when_projected = !keeps_given_z && !system.has_implicit_momenta();
  first_z = system.q().size() + system.v().size();
  if (!offers.given_multipliers && !offers.skew_form) {
    mass_size = system.mass().size();
    mass_places = places_of(system.mass());
  }
  const StartConditions at(system);
  function = Function<T>({{system.t()}, entries_of({system.q(), system.v(), system.z()}), parameter_symbols(system)},
                         {at.residuals, at.sizes, at.finite, at.mass, at.A, at.B});
}

template <class T>
StartCheck<T>::StartCheck(const StartFunctions<T>& functions)
    : functions_(functions),
      at_(functions.function),
      basis_(functions.basis),
      column_(functions.mass_size),
      sums_(functions.mass_size),
      residuals_(functions.function.output(0).size),
      first_column_(functions.mass_size),
      row_start_(functions.mass_size + 1),
      mass_(functions.matrix == StartFunctions<T>::Matrix::reactions
                ? LinearSolver<T>(static_cast<int>(functions.mass_size), functions.mass_places)
                : LinearSolver<T>(0, {})) {
  if (!functions.has_inertia) return;
  std::iota(first_column_.begin(), first_column_.end(), std::size_t{0});
  for (const auto& [row, column] : functions.mass_places) {
    std::size_t& first = first_column_[static_cast<std::size_t>(row)];
    first = std::min(first, static_cast<std::size_t>(column));
  }
  for (std::size_t i = 0; i < functions.mass_size; ++i) row_start_[i + 1] = row_start_[i] + i - first_column_[i] + 1;
  factor_.resize(row_start_.back());
}

/// Cholesky's factors exist, and no pivot is small beside the entry that it is left of.
template <class T>
bool StartCheck<T>::has_inertia() {
  std::fill(factor_.begin(), factor_.end(), T(0));
  const std::span<const T> entries = at_.output(3);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto i = static_cast<std::size_t>(functions_.mass_places[e].first);
    const auto j = static_cast<std::size_t>(functions_.mass_places[e].second);
    if (j <= i) factor_[row_start_[i] + j - first_column_[i]] = entries[e];
  }
  std::vector<T>& pivots = column_;
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    const std::size_t first = first_column_[i];
    T* const row = &factor_[row_start_[i]] - first;
    for (std::size_t j = first; j < i; ++j) {  // pivot times factor
      const T* const other = &factor_[row_start_[j]] - first_column_[j];
      for (std::size_t k = std::max(first, first_column_[j]); k < j; ++k) row[j] -= row[k] * other[k];
    }
    pivots[i] = row[i];
    for (std::size_t j = first; j < i; ++j) {
      const T scaled = row[j];
      row[j] /= pivots[j];
      pivots[i] -= scaled * row[j];
    }
    if (!(pivots[i] > row[i] / T(good_condition))) return false;
  }
  return true;
}

template <class T>
bool StartCheck<T>::is_certain(MotionSolver<T>& solver, T t, std::span<const T> state, std::span<const T> parameters,
                               bool projects, std::span<T> accelerations, std::span<T> multipliers) {
  if ((projects && !functions_.stays_when_projected) || !is_finite(t) || !are_finite(state)) return false;
  at_.set(0, t).set(1, state).set(2, parameters).run();
  const std::span<const T> residuals = at_.output(0), sizes = at_.output(1);
  for (std::size_t r = 0; r < residuals.size(); ++r) {
    if (!(size_of(residuals[r]) <= T(few_units) * epsilon<double>() * sizes[r])) return false;
  }
  if (!are_finite(at_.output(2)) || (functions_.has_inertia && !has_inertia())) return false;
  if (!solve(solver, t, state, accelerations, multipliers)) return false;
  return condition(solver) <= T(good_condition) && basis_.is_certain(t, state, parameters);
}

template <class T>
bool StartCheck<T>::still_holds(T t, std::span<const T> state, std::span<const T> before, std::span<const T> after) {
  at_.set(0, t).set(1, state).set(2, before).run();
  std::copy(at_.output(0).begin(), at_.output(0).end(), residuals_.begin());
  const bool had_inertia = functions_.has_inertia && has_inertia();
  at_.set(2, after).run();
  const std::span<const T> residuals = at_.output(0), sizes = at_.output(1);
  for (std::size_t r = 0; r < residuals.size(); ++r) {
    const T allowed = T(notable_residual) * sizes[r] + T(notable_growth) * size_of(residuals_[r]);
    if (!(size_of(residuals[r]) <= allowed)) return false;
  }
  return are_finite(at_.output(2)) && (!had_inertia || has_inertia());
}

template <class T>
bool StartCheck<T>::solve(MotionSolver<T>& solver, T t, std::span<const T> state, std::span<T> accelerations,
                          std::span<T> multipliers) const {
  const std::span<const T> given = state.subspan(functions_.first_z);
  if (functions_.solves_from_z) std::copy_n(given.begin(), multipliers.size(), multipliers.begin());
  if (!solver.solve(t, state, accelerations, multipliers) || !are_finite(std::span<const T>(accelerations)))
    return false;
  if (functions_.keeps_given_z) std::copy_n(given.begin(), multipliers.size(), multipliers.begin());
  return true;
}

template <class T>
bool StartCheck<T>::can_solve(MotionSolver<T>& solver, T t, std::span<const T> state, std::span<T> accelerations,
                              std::span<T> multipliers) const {
  return functions_.is_linear && solve(solver, t, state, accelerations, multipliers) &&
         solver.condition_is_at_most(T(good_condition));
}

/// A bound of ContinuousState::condition. With kappa = |A| |B| |(A B)^-1|, both A and B have at most this condition,
/// and so has the angle between them. Reactions: A = K, B = M^-1 R; the inverse of K M^-1 R is a part of that of the
/// whole matrix.
template <class T>
T StartCheck<T>::condition(MotionSolver<T>& solver) {
  using Matrix = typename StartFunctions<T>::Matrix;
  if (functions_.matrix == Matrix::symmetric) return solver.condition();
  const auto cube = [](T kappa) { return kappa * kappa * kappa; };
  const typename MotionSolver<T>::Sizes sizes = solver.sizes();
  if (functions_.matrix == Matrix::product) {
    const T A = largest_row_sum(at_.output(4), solver.multiplier_count());
    const T B = largest_row_sum(at_.output(5), functions_.first_z);  // all of the state but z
    return cube(A * B * sizes.inverse);
  }
  const T inverse = inverse_of_mass();
  std::fill(sums_.begin(), sums_.end(), T(0));
  for (std::size_t e = 0; e < functions_.mass_places.size(); ++e) {
    sums_[static_cast<std::size_t>(functions_.mass_places[e].first)] += size_of(at_.output(3)[e]);
  }
  const T mass = largest_row_sum(std::span<const T>(sums_), sums_.size());
  return solver.condition() + mass * inverse * cube(sizes.K * inverse * sizes.R * sizes.inverse);
}

template <class T>
T StartCheck<T>::inverse_of_mass() {
  const std::span<const T> entries = at_.output(3);
  mass_.forget_order();
  std::copy(entries.begin(), entries.end(), mass_.entries().begin());
  mass_.factorise();
  return mass_.inverse_size(column_, sums_);
}

template struct StartFunctions<double>;
template struct StartFunctions<long double>;
template struct StartFunctions<quad>;
template class StartCheck<double>;
template class StartCheck<long double>;
template class StartCheck<quad>;

}  // namespace noslip

#include "run/start_check.hpp"

#include <algorithm>

#include "model/state_blocks.hpp"

namespace noslip {

namespace {

constexpr double few_units = 4;
constexpr double good_condition = 1e6;  // in any units; Continuous warns from 1e8 on

/// The sum of |gradient_i x_i|.
Expr size_of_terms(Graph& graph, std::span<const Expr> gradient, std::span<const Expr> x) {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < x.size(); ++i) terms.push_back(abs(gradient[i] * x[i]));
  return sum(graph, terms);
}

}  // namespace

template <class T>
StartFunctions<T>::StartFunctions(const System& system) {
  are_known = system.offers().lagrangian && !system.has_hamiltonian() && system.nonideal().empty() &&
              system.basis().empty() && (!system.is_on_group() || system.holonomic().empty());
  if (!are_known) return;
  Graph graph(system.graph());
  const std::vector<Expr> q = graph.counterparts(system.q()), v = graph.counterparts(system.v());
  std::vector<Expr> residuals, sizes;
  for (const Constraint& constraint : system.velocity_level()) {
    residuals.push_back(graph.counterpart(constraint.k));
    sizes.push_back(size_of_terms(graph, graph.counterparts(constraint.K), v));
  }
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    residuals.push_back(graph.counterpart(constraint.g));
    sizes.push_back(size_of_terms(graph, graph.counterparts(constraint.G), q));
  }
  for (const Expr& defect : system.group_defect()) {
    residuals.push_back(graph.counterpart(defect));
    sizes.push_back(graph.constant(1));
  }
  std::vector<Expr> mass;
  for (const std::vector<Expr>& row : system.mass()) {
    for (const Expr& entry : row) mass.push_back(graph.counterpart(entry));
  }
  function = Function<T>({{system.t()}, entries_of({system.q(), system.v(), system.z()}), parameter_symbols(system)},
                         {residuals, sizes, {graph.counterpart(system.energy())}, mass});
}

template <class T>
StartCheck<T>::StartCheck(const StartFunctions<T>& functions)
    : are_known_(functions.are_known),
      at_(are_known_ ? Evaluation<T>(functions.function) : Evaluation<T>()),
      mass_(are_known_ ? functions.function.output(3).size : 0) {}

/// Cholesky's factors exist, and no pivot is small beside the entry that it is left of.
template <class T>
bool StartCheck<T>::has_inertia() {
  const std::span<const T> entries = at_.output(3);
  std::copy(entries.begin(), entries.end(), mass_.begin());
  std::size_t n = 0;
  while (n * n < mass_.size()) ++n;
  for (std::size_t k = 0; k < n; ++k) {
    const T pivot = mass_[k * n + k];
    if (!(pivot > entries[k * n + k] / T(good_condition))) return false;
    for (std::size_t i = k + 1; i < n; ++i) {
      const T factor = mass_[i * n + k] / pivot;
      for (std::size_t j = k + 1; j <= i; ++j) mass_[i * n + j] -= factor * mass_[j * n + k];
    }
  }
  return true;
}

template <class T>
bool StartCheck<T>::is_certain(MotionSolver<T>& solver, T t, std::span<const T> state, std::span<const T> parameters,
                               std::span<T> accelerations, std::span<T> multipliers) {
  if (!are_known_ || !is_finite(t)) return false;
  for (const T& x : state) {
    if (!is_finite(x)) return false;
  }
  at_.set(0, t).set(1, state).set(2, parameters).run();
  const std::span<const T> residuals = at_.output(0), sizes = at_.output(1);
  for (std::size_t r = 0; r < residuals.size(); ++r) {
    if (!(size_of(residuals[r]) <= T(few_units) * epsilon<double>() * sizes[r])) return false;
  }
  if (!is_finite(at_.output(2)[0]) || !has_inertia()) return false;
  return can_solve(solver, t, state, accelerations, multipliers);
}

template <class T>
bool StartCheck<T>::can_solve(MotionSolver<T>& solver, T t, std::span<const T> state, std::span<T> accelerations,
                              std::span<T> multipliers) const {
  if (!are_known_ || !solver.solve(t, state, accelerations, multipliers)) return false;
  for (const T& a : accelerations) {
    if (!is_finite(a)) return false;
  }
  return solver.condition() <= T(good_condition);
}

template struct StartFunctions<double>;
template struct StartFunctions<long double>;
template struct StartFunctions<quad>;
template class StartCheck<double>;
template class StartCheck<long double>;
template class StartCheck<quad>;

}  // namespace noslip

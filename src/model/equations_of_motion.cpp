#include "model/equations_of_motion.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/state_blocks.hpp"

namespace noslip {
namespace {

struct Unsolved {
  std::vector<Expr> unknowns, residuals;
};

/// M a - g - R(lambda), K a - gamma. The nonideal part of R is multiplied by `share`, so that the ideal problem can be
/// solved first.
Unsolved saddle_equations(const System& system, Graph& graph, Substitution& copy, Expr share) {
  const std::size_t n = system.mass().size(), m = system.constraint_rhs().size();
  const bool has_own_reactions = !system.position_reactions().empty();  // of z, which is lambda
  Unsolved result;
  // Names that no system file can have.
  for (std::size_t i = 0; i < n; ++i) result.unknowns.push_back(graph.symbol(fmt::format("acceleration {}", i)));
  const std::span<const Expr> a(result.unknowns.data(), n);
  std::vector<Expr> lambda;
  for (std::size_t r = 0; r < m; ++r) {
    lambda.push_back(has_own_reactions ? copy(system.z()[r]) : graph.symbol(fmt::format("multiplier {}", r)));
  }
  Substitution with_psi(graph);
  for (std::size_t r = 0; r < system.psi().size(); ++r) with_psi.replace(system.psi()[r], -lambda[r]);
  const SparseMatrix K = copied(copy, graph, gradients_of(system.velocity_level()));
  std::vector<std::vector<std::pair<std::size_t, Expr>>> columns_of_K(n);
  for (std::size_t r = 0; r < m && !has_own_reactions; ++r) {
    for (std::size_t k = 0; k < K[r].places().size(); ++k) {
      columns_of_K[K[r].places()[k]].emplace_back(r, K[r].values()[k]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    Expr residual = -copy(system.acceleration_rhs()[i]);
    if (has_own_reactions) residual = residual - copy(system.position_reactions()[i]);
    const SparseRow& mass = system.mass()[i];
    for (std::size_t k = 0; k < mass.places().size(); ++k) residual += copy(mass.values()[k]) * a[mass.places()[k]];
    for (const auto& [r, value] : columns_of_K[i]) residual -= value * lambda[r];
    if (!system.nonideal().empty()) residual = residual - share * with_psi(system.nonideal()[i]);
    result.residuals.push_back(residual);
  }
  for (std::size_t r = 0; r < m; ++r) {
    Expr residual = -copy(system.constraint_rhs()[r]);
    for (std::size_t k = 0; k < K[r].places().size(); ++k) residual += K[r].values()[k] * a[K[r].places()[k]];
    result.residuals.push_back(residual);
  }
  result.unknowns.insert(result.unknowns.end(), lambda.begin(), lambda.end());
  return result;
}

}  // namespace

template <class T>
EquationsOfMotion<T>::EquationsOfMotion(const System& system)
    : multiplier_count_(system.multiplier_names().size()),
      start_(!system.hidden_constraints().empty() || !system.position_reactions().empty() ? Start::given
             : system.nonideal().empty()                                                  ? Start::linear
                                                                                          : Start::ideal) {
  // In a graph of its own: the system's may be in use by other threads.
  Graph graph;
  Substitution copy(graph);
  const std::vector<Expr> none, &momenta = system.has_implicit_momenta() ? system.z() : none;
  ExprMatrix given{
      {copy(system.t())}, copy(entries_of({system.q(), system.v(), momenta})), copy(parameter_symbols(system))};
  const Expr share = graph.symbol("share of nonideal reactions");
  given.push_back({share});
  const Unsolved unsolved = system.hidden_constraints().empty()
                                ? saddle_equations(system, graph, copy, share)
                                : Unsolved{copy(system.z()), copy(system.hidden_constraints())};
  equations_ = ImplicitFunction<T>(given, unsolved.unknowns, unsolved.residuals);
}

template <class T>
MotionSolver<T>::MotionSolver(const EquationsOfMotion<T>& equations)
    : equations_(equations), solver_(equations.equations_), unknowns_(equations.equations_.size()) {
  solver_.set(3, T(1));
}

template <class T>
MotionSolver<T>::MotionSolver(const EquationsOfMotion<T>& equations, std::span<const T> parameters)
    : MotionSolver(equations) {
  set_parameters(parameters);
}

template <class T>
bool MotionSolver<T>::find(bool is_linear) {
  NewtonOptions<T> options;
  if (is_linear) {
    options.most_iterations = 2;  // the second one gets rid of rounding
    return solver_.solve(unknowns_, options).end != NewtonEnd::not_finite;
  }
  options.small = 1e-10;
  options.shortest_part = 1e-9;
  return solver_.solve(unknowns_, options).has_converged();
}

template <class T>
bool MotionSolver<T>::solve(T t, std::span<const T> state, std::span<T> accelerations, std::span<T> multipliers) {
  using Start = typename EquationsOfMotion<T>::Start;
  if (unknowns_.empty()) return true;
  solver_.forget_order();
  solver_.set(0, t).set(1, state);
  std::fill(unknowns_.begin(), unknowns_.end(), T(0));
  const std::span<T> lambda = std::span(unknowns_).last(equations_.multiplier_count_);
  if (equations_.start_ == Start::given) std::copy(multipliers.begin(), multipliers.end(), lambda.begin());
  bool found = true;
  if (equations_.start_ == Start::ideal) {
    solver_.set(3, T(0));
    found = find(true);
    ideal_multipliers_.assign(lambda.begin(), lambda.end());
    solver_.set(3, T(1));
  }
  found = found && find(equations_.start_ == Start::linear);
  if (!found) std::fill(unknowns_.begin(), unknowns_.end(), T(0));
  std::copy_n(unknowns_.begin(), accelerations.size(), accelerations.begin());
  std::copy(lambda.begin(), lambda.end(), multipliers.begin());
  return found;
}

template <class T>
typename MotionSolver<T>::Sizes MotionSolver<T>::sizes() {
  using Range = typename ImplicitSolver<T>::Range;
  const std::size_t n = unknowns_.size() - equations_.multiplier_count_;
  const Range accelerations{0, n}, others{n, unknowns_.size()};
  return {solver_.size(others, accelerations), solver_.size(accelerations, others), solver_.inverse_size()};
}

template class EquationsOfMotion<double>;
template class EquationsOfMotion<long double>;
template class EquationsOfMotion<quad>;
template class MotionSolver<double>;
template class MotionSolver<long double>;
template class MotionSolver<quad>;

}  // namespace noslip

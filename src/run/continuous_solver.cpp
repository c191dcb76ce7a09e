#include "run/continuous_solver.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/expr/derivative.hpp>

namespace noslip {

namespace {

constexpr int most_newton_iterations = 50;

struct ContinuousEquations {
  std::vector<Expr> unknowns, residuals;
};

/// For z' and lambda of an odae system: p_z z' = g + r(lambda), K z' = gamma.
ContinuousEquations odae_equations(const System& system, Graph& graph, Substitution& copy) {
  const std::size_t n = system.v().size();
  ContinuousEquations result;
  for (std::size_t i = 0; i < n; ++i) result.unknowns.push_back(graph.symbol(fmt::format("rate {}", i)));
  for (std::size_t i = 0; i < n; ++i) {
    Expr residual = -copy(system.acceleration_rhs()[i]) - copy(system.position_reactions()[i]);
    for (std::size_t j = 0; j < n; ++j) residual = residual + copy(system.mass()[i][j]) * result.unknowns[j];
    result.residuals.push_back(residual);
  }
  for (std::size_t r = 0; r < system.z().size(); ++r) {
    Expr residual = -copy(system.constraint_rhs()[r]);
    for (std::size_t i = 0; i < n; ++i) {
      residual = residual + copy(system.velocity_level()[r].K[i]) * result.unknowns[i];
    }
    result.residuals.push_back(residual);
  }
  for (const Expr& lambda : system.z()) result.unknowns.push_back(copy(lambda));
  return result;
}

/// The nonideal reactions multiplied by `share`, so that the ideal problem can be solved first.
ContinuousEquations mechanical_equations(const System& system, Graph& graph, Substitution& copy, Expr share) {
  const std::size_t n = system.mass().size(), m = system.constraint_rhs().size();
  ContinuousEquations result;
  // Names that no system file can have.
  for (std::size_t i = 0; i < n; ++i) result.unknowns.push_back(graph.symbol(fmt::format("acceleration {}", i)));
  for (std::size_t r = 0; r < m; ++r) result.unknowns.push_back(graph.symbol(fmt::format("multiplier {}", r)));
  Substitution with_psi(graph);
  for (std::size_t r = 0; r < system.psi().size(); ++r) with_psi.replace(system.psi()[r], -result.unknowns[n + r]);
  std::vector<std::vector<Expr>> K;
  for (const Constraint& constraint : system.velocity_level()) K.push_back(copy(constraint.K));
  for (std::size_t i = 0; i < n; ++i) {
    Expr residual = -copy(system.acceleration_rhs()[i]);
    for (std::size_t j = 0; j < n; ++j) residual = residual + copy(system.mass()[i][j]) * result.unknowns[j];
    for (std::size_t r = 0; r < m; ++r) residual = residual - K[r][i] * result.unknowns[n + r];
    if (!system.nonideal().empty()) residual = residual - share * with_psi(system.nonideal()[i]);
    result.residuals.push_back(residual);
  }
  for (std::size_t r = 0; r < m; ++r) {
    Expr residual = -copy(system.constraint_rhs()[r]);
    for (std::size_t i = 0; i < n; ++i) residual = residual + K[r][i] * result.unknowns[i];
    result.residuals.push_back(residual);
  }
  return result;
}

template <class T>
T largest(std::span<const T> values) {
  T most = 0;
  for (const T& x : values) {
    const T size = x < 0 ? -x : x;
    if (!(size <= most)) most = size;  // a NaN stays
  }
  return most;
}

}  // namespace

template <class T>
ContinuousSolver<T>::ContinuousSolver(const System& system, std::span<const T> parameters)
    : state_count_(system.q().size() + system.v().size() + (system.has_implicit_momenta() ? system.z().size() : 0)),
      multiplier_count_(system.multiplier_names().size()),
      unknown_count_(system.v().size() + multiplier_count_),
      start_(!system.offers().lagrangian ? Start::given
             : system.nonideal().empty()  ? Start::linear
                                          : Start::ideal),
      correction_(unknown_count_),
      dense_(static_cast<int>(unknown_count_)) {
  // In a graph of its own: the system's may be in use by other threads.
  Graph graph;
  Substitution copy(graph);
  std::vector<Tape::Input> inputs;
  std::vector<Tape::Output> outputs;
  const auto read = [&](Expr symbol) { inputs.push_back({symbol, static_cast<std::uint32_t>(inputs.size())}); };
  const auto write = [&](Expr f) {
    outputs.push_back({f, static_cast<std::uint32_t>(inputs.size() + outputs.size())});
  };
  read(copy(system.t()));
  for (const auto& symbols : {system.q(), system.v(), system.z()}) {
    for (const Expr& symbol : symbols) {
      if (inputs.size() <= state_count_) read(copy(symbol));
    }
  }
  for (const Parameter& parameter : system.parameters()) read(copy(parameter.symbol));
  share_slot_ = inputs.size();
  const Expr share = graph.symbol("share of nonideal reactions");
  if (start_ == Start::ideal) read(share);
  ContinuousEquations equations;
  const Offers& offers = system.offers();
  if (offers.lagrangian) {
    equations = mechanical_equations(system, graph, copy, share);
  } else if (offers.momenta) {
    equations = odae_equations(system, graph, copy);
  } else if (offers.multiplier_variables) {
    equations = {copy(system.z()), copy(system.hidden_constraints())};
  }
  for (const Expr& unknown : equations.unknowns) read(unknown);
  for (const Expr& residual : equations.residuals) write(residual);
  for (const Entry& entry : jacobian(equations.residuals, equations.unknowns)) {
    pattern_.emplace_back(entry.row, entry.column);
    write(entry.value);
  }
  kernel_ = Kernel<T>(Tape(inputs, outputs), Backend::interpreter);
  workspace_.assign(inputs.size() + outputs.size(), T(0));
  std::copy(parameters.begin(), parameters.end(), workspace_.begin() + 1 + static_cast<std::ptrdiff_t>(state_count_));
  scratch_.resize(kernel_.scratch_size());
}

template <class T>
bool ContinuousSolver<T>::solve(T t, std::span<const T> state, std::span<T> accelerations, std::span<T> multipliers) {
  if (unknown_count_ == 0) return true;
  workspace_[0] = t;
  std::copy_n(state.begin(), state_count_, workspace_.begin() + 1);
  const std::span<T> unknowns(workspace_.data() + first_unknown(), unknown_count_);
  std::fill(unknowns.begin(), unknowns.end(), T(0));
  const auto tail = unknowns.end() - static_cast<std::ptrdiff_t>(multiplier_count_);
  if (start_ == Start::given) std::copy(multipliers.begin(), multipliers.end(), tail);
  bool found = true;
  if (start_ == Start::ideal) {
    workspace_[share_slot_] = 0;
    found = newton(true);
    workspace_[share_slot_] = 1;
  }
  found = found && newton(start_ == Start::linear);
  if (!found) std::fill(unknowns.begin(), unknowns.end(), T(0));
  std::copy_n(unknowns.begin(), accelerations.size(), accelerations.begin());
  std::copy_n(tail, multiplier_count_, multipliers.begin());
  return found;
}

template <class T>
std::size_t ContinuousSolver<T>::first_unknown() const {
  return workspace_.size() - 2 * unknown_count_ - pattern_.size();
}

template <class T>
bool ContinuousSolver<T>::newton(bool is_linear) {
  const std::span<T> unknowns(workspace_.data() + first_unknown(), unknown_count_);
  const T* const residuals = workspace_.data() + first_unknown() + unknown_count_;
  T before = 0;
  bool found = false;
  for (int i = 0; i < most_newton_iterations && !found; ++i) {
    kernel_(workspace_.data(), scratch_.data());
    dense_.clear();
    for (std::size_t e = 0; e < pattern_.size(); ++e) {
      dense_.entry(pattern_[e].first, pattern_[e].second) = residuals[unknown_count_ + e];
    }
    dense_.factorise();
    std::copy_n(residuals, unknown_count_, correction_.begin());
    dense_.solve(correction_);
    const T size = largest<T>(correction_), scale = largest<T>(unknowns);
    if (!(size - size == 0)) break;
    for (std::size_t k = 0; k < unknown_count_; ++k) unknowns[k] -= correction_[k];
    // Corrections that are small and shrink no more are rounding; a linear problem needs one to get rid of it.
    found = size == 0 || (is_linear && i > 0) || (i > 0 && size >= before / 2 && size <= T(1e-10) * scale);
    before = size;
  }
  return found;
}

template class ContinuousSolver<double>;
template class ContinuousSolver<long double>;
template class ContinuousSolver<quad>;

}  // namespace noslip

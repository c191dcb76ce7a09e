#include "run/continuous_solver.hpp"

#include <algorithm>

namespace noslip {

template <class T>
ContinuousSolver<T>::ContinuousSolver(const System& system, std::span<const T> parameters)
    : n_(system.dimension()), m_(static_cast<int>(system.constraints().size())), dense_(n_ + m_) {
  std::vector<Tape::Input> inputs;
  const auto input = [&](Expr symbol) { inputs.push_back({symbol, static_cast<std::uint32_t>(inputs.size())}); };
  input(system.t());
  for (const Expr& q : system.q()) input(q);
  for (const Expr& v : system.v()) input(v);
  for (const Parameter& parameter : system.parameters()) input(parameter.symbol);
  first_output_ = static_cast<int>(inputs.size());
  std::vector<Tape::Output> outputs;
  const auto output = [&](Expr value) {
    outputs.push_back({value, static_cast<std::uint32_t>(inputs.size() + outputs.size())});
  };
  for (const Expr& g : system.acceleration_rhs()) output(g);
  for (const Expr& gamma : system.constraint_rhs()) output(gamma);
  for (const auto& row : system.mass()) {
    for (const Expr& entry : row) output(entry);
  }
  for (const Constraint& constraint : system.constraints()) {
    for (const Expr& entry : constraint.K) output(entry);
  }
  kernel_ = Kernel<T>(Tape(inputs, outputs), Backend::interpreter);
  workspace_.assign(inputs.size() + outputs.size(), T(0));
  std::copy(parameters.begin(), parameters.end(), workspace_.begin() + 1 + 2 * n_);
  scratch_.resize(kernel_.scratch_size());
  solution_.resize(n_ + m_);
}

template <class T>
void ContinuousSolver<T>::solve(T t, std::span<const T> state, std::span<T> accelerations, std::span<T> multipliers) {
  workspace_[0] = t;
  std::copy_n(state.begin(), 2 * n_, workspace_.begin() + 1);
  kernel_(workspace_.data(), scratch_.data());
  const T* value = workspace_.data() + first_output_;
  for (T& right : solution_) right = *value++;
  dense_.clear();
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j < n_; ++j) dense_.entry(i, j) = *value++;
  }
  for (int r = 0; r < m_; ++r) {
    for (int j = 0; j < n_; ++j) {
      dense_.entry(n_ + r, j) = *value;
      dense_.entry(j, n_ + r) = -*value++;
    }
  }
  dense_.factorise();
  dense_.solve(solution_);
  std::copy_n(solution_.begin(), n_, accelerations.begin());
  std::copy_n(solution_.begin() + n_, m_, multipliers.begin());
}

template class ContinuousSolver<double>;
template class ContinuousSolver<long double>;
template class ContinuousSolver<quad>;

}  // namespace noslip

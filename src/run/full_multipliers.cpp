#include "run/full_multipliers.hpp"

#include <noslip/solve/dense.hpp>

namespace noslip {

FullMultipliers::FullMultipliers(const System& system, const std::map<std::string, double>& settings)
    : parameters_(system.parameter_values_quad(settings)),
      continuous_(system, system.parameter_values(settings)),
      coordinates_(system.mass().size()),
      constraints_(system.constraint_rhs().size()) {
  std::vector<Tape::Input> inputs;
  const auto read = [&](Expr symbol) { inputs.push_back({symbol, static_cast<std::uint32_t>(inputs.size())}); };
  read(system.t());
  for (const Expr q : system.q()) read(q);
  for (const Expr v : system.v()) read(v);
  for (const Parameter& parameter : system.parameters()) read(parameter.symbol);
  std::vector<Tape::Output> outputs;
  const auto add = [&](Expr f) { outputs.push_back({f, static_cast<std::uint32_t>(inputs.size() + outputs.size())}); };
  for (const std::vector<Expr>& row : system.mass()) {
    for (const Expr entry : row) add(entry);
  }
  for (const Constraint& constraint : system.constraints()) {
    for (const Expr entry : constraint.K) add(entry);
  }
  for (const Expr g : system.acceleration_rhs()) add(g);
  for (const Expr gamma : system.constraint_rhs()) add(gamma);
  outputs_ = outputs.size();
  kernel_ = Kernel<quad>(Tape(inputs, outputs), Backend::interpreter);
}

bool FullMultipliers::has_problem() const {
  const std::size_t n = coordinates_, m = constraints_;
  return m > 0 && outputs_ == n * n + m * n + n + m;
}

std::vector<quad> FullMultipliers::at(const QuadState& state) const {
  const std::size_t n = coordinates_, m = constraints_;
  if (!has_problem() || state.q.size() != n || state.v.size() != n) return {};
  std::vector<quad> workspace{state.t};
  for (const std::vector<quad>* values : {&state.q, &state.v, &parameters_}) {
    workspace.insert(workspace.end(), values->begin(), values->end());
  }
  const std::size_t first = workspace.size();
  workspace.resize(first + outputs_);
  std::vector<quad> scratch(kernel_.scratch_size());
  kernel_(workspace.data(), scratch.data());

  const quad* const mass = workspace.data() + first;
  const quad* const K = mass + n * n;
  const quad* const right_side = K + m * n;
  DenseSolver<quad> solver(static_cast<int>(n + m));
  solver.clear();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) solver.entry(static_cast<int>(i), static_cast<int>(j)) = mass[i * n + j];
    for (std::size_t r = 0; r < m; ++r) {
      solver.entry(static_cast<int>(i), static_cast<int>(n + r)) = -K[r * n + i];
      solver.entry(static_cast<int>(n + r), static_cast<int>(i)) = K[r * n + i];
    }
  }
  solver.factorise();
  std::vector<quad> x(right_side, right_side + n + m);
  solver.solve(x);
  return {x.begin() + static_cast<std::ptrdiff_t>(n), x.end()};
}

bool FullMultipliers::are_continuous(const Trajectory& run) const {
  if (!has_problem() || run.last.multipliers.size() != constraints_) return false;
  InitialState state;
  state.t = run.last.t;
  state.q = run.last.q;
  state.v = run.last.v;
  std::vector<Problem> ignored;
  const std::vector<double> found = continuous_.evaluate(state, ignored).multipliers;
  return found == run.last.multipliers && std::vector<quad>(found.begin(), found.end()) == run.last_quad.multipliers;
}

}  // namespace noslip

#include "run/full_multipliers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <noslip/solve/dense.hpp>

namespace noslip {

namespace {

constexpr int most_iterations = 50;

double largest(const std::vector<quad>& values) {
  double most = 0;
  for (const quad x : values) {
    const double size = std::fabs(static_cast<double>(x));
    if (!(size <= most)) most = size;
  }
  return most;
}

/// Equations residual(unknowns) = 0.
struct Equations {
  std::vector<Expr> unknowns, residuals;
};

Equations mechanical_equations(const System& system, Graph& graph, Substitution& copy) {
  const std::size_t n = system.mass().size(), m = system.constraint_rhs().size();
  Equations result;
  // Names that no system file can have.
  for (std::size_t i = 0; i < n; ++i) result.unknowns.push_back(graph.symbol(fmt::format("acceleration {}", i)));
  for (std::size_t r = 0; r < m; ++r) result.unknowns.push_back(graph.symbol(fmt::format("multiplier {}", r)));
  std::vector<std::vector<Expr>> K;
  for (const Constraint& constraint : system.constraints()) K.push_back(copy(constraint.K));
  for (std::size_t i = 0; i < n; ++i) {
    Expr residual = -copy(system.acceleration_rhs()[i]);
    for (std::size_t j = 0; j < n; ++j) residual = residual + copy(system.mass()[i][j]) * result.unknowns[j];
    for (std::size_t r = 0; r < m; ++r) residual = residual - K[r][i] * result.unknowns[n + r];
    result.residuals.push_back(residual);
  }
  for (std::size_t r = 0; r < m; ++r) {
    Expr residual = -copy(system.constraint_rhs()[r]);
    for (std::size_t i = 0; i < n; ++i) residual = residual + K[r][i] * result.unknowns[i];
    result.residuals.push_back(residual);
  }
  return result;
}

}  // namespace

FullMultipliers::FullMultipliers(const System& system, const std::map<std::string, double>& settings)
    : parameters_(system.parameter_values_quad(settings)),
      continuous_(system, system.parameter_values(settings)),
      is_dae2_(system.kind() == SystemKind::dae2),
      multipliers_(system.constraints().size()) {
  if (multipliers_ > 0) build(system);
}

void FullMultipliers::build(const System& system) {
  // In a graph of its own: the system's may be in use by other threads.
  Graph graph;
  Substitution copy(graph);
  std::vector<Tape::Input> inputs;
  const auto read = [&](Expr symbol) { inputs.push_back({symbol, static_cast<std::uint32_t>(inputs.size())}); };
  read(copy(system.t()));
  for (const Expr q : system.q()) read(copy(q));
  for (const Expr v : system.v()) read(copy(v));
  for (const Parameter& parameter : system.parameters()) read(copy(parameter.symbol));
  const Equations equations = is_dae2_ ? Equations{copy(system.z()), copy(system.hidden_constraints())}
                                       : mechanical_equations(system, graph, copy);
  for (const Expr unknown : equations.unknowns) read(unknown);
  unknowns_ = equations.unknowns.size();

  std::vector<Tape::Output> outputs;
  const auto add = [&](Expr f) { outputs.push_back({f, static_cast<std::uint32_t>(inputs.size() + outputs.size())}); };
  for (const Expr residual : equations.residuals) add(residual);
  for (const Entry& entry : jacobian(equations.residuals, equations.unknowns)) {
    entries_.push_back({entry.row, entry.column});
    add(entry.value);
  }
  kernel_ = Kernel<quad>(Tape(inputs, outputs), Backend::interpreter);
}

std::vector<quad> FullMultipliers::at(const QuadState& state, const std::vector<quad>& near) const {
  if (unknowns_ == 0 || (is_dae2_ && near.size() != multipliers_)) return {};
  std::vector<quad> workspace{state.t};
  for (const std::vector<quad>* values : {&state.q, &state.v, &parameters_}) {
    workspace.insert(workspace.end(), values->begin(), values->end());
  }
  const std::size_t first = workspace.size();
  workspace.resize(first + 2 * unknowns_ + entries_.size());
  quad* const unknowns = workspace.data() + first;
  const quad* const residuals = unknowns + unknowns_;
  if (is_dae2_) std::copy(near.begin(), near.end(), unknowns);
  std::vector<quad> scratch(kernel_.scratch_size());
  DenseSolver<quad> solver(static_cast<int>(unknowns_));

  double before = std::numeric_limits<double>::infinity(), scale = 0;
  for (int i = 0; i < most_iterations; ++i) {
    kernel_(workspace.data(), scratch.data());
    solver.clear();
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      solver.entry(entries_[k].row, entries_[k].column) = residuals[unknowns_ + k];
    }
    solver.factorise();
    std::vector<quad> correction(residuals, residuals + unknowns_);
    solver.solve(correction);
    const double size = largest(correction);
    if (!std::isfinite(size)) return {};
    scale = std::fmax(scale, std::fmax(size, largest({unknowns, unknowns + unknowns_})));
    // Corrections that are small and shrink no more are rounding.
    if (size >= before && size <= 1e-15 * scale) break;
    for (std::size_t k = 0; k < unknowns_; ++k) unknowns[k] -= correction[k];
    if (size == 0) break;
    if (i + 1 == most_iterations) return {};
    before = size;
  }
  return {unknowns + unknowns_ - multipliers_, unknowns + unknowns_};
}

bool FullMultipliers::are_continuous(const Trajectory& run) const {
  if (unknowns_ == 0 || run.last.multipliers.size() != multipliers_) return false;
  InitialState state;
  state.t = run.last.t;
  state.q = run.last.q;
  state.v = run.last.v;
  if (is_dae2_) state.z = run.last.multipliers;
  std::vector<Problem> ignored;
  const std::vector<double> found = continuous_.evaluate(state, ignored).multipliers;
  return found == run.last.multipliers && std::vector<quad>(found.begin(), found.end()) == run.last_quad.multipliers;
}

}  // namespace noslip

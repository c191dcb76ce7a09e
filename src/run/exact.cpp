#include "run/exact.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <noslip/expr/derivative.hpp>

#include "run/continuous_solver.hpp"

namespace noslip {
namespace {

/// The velocities with which q changes in time. Those of the body on a group: the columns of its frame are orthogonal.
std::vector<Expr> velocities_of(const System& system, const std::vector<Expr>& q, Expr t) {
  std::vector<Expr> rates;
  for (const Expr f : q) rates.push_back(derivative(f, t));
  if (!system.is_on_group()) return rates;
  const ExprMatrix frame = system.group().frame(q);
  std::vector<Expr> v = transposed_times(frame, rates);
  for (std::size_t a = 0; a < v.size(); ++a) {
    Expr square = frame[0][a] * frame[0][a];
    for (std::size_t i = 1; i < frame.size(); ++i) square = square + frame[i][a] * frame[i][a];
    v[a] = v[a] / square;
  }
  return v;
}

}  // namespace

struct ExactSolution::Data {
  System system;
  std::vector<quad> parameters;
  std::shared_ptr<ContinuousSolver<quad>> continuous;
  Kernel<quad> kernel;  // slots: t, parameters, then q, v and the multipliers that the table names
  std::size_t coordinates = 0, velocities = 0, named_multipliers = 0;
};

std::optional<ExactSolution> ExactSolution::of(const System& system, const Settings& settings) {
  // The derivatives live in a graph of their own: the system's may be in use by other threads.
  Graph graph;
  Substitution copy(graph);
  std::vector<Tape::Input> inputs{{copy(system.t()), 0}};
  for (const Parameter& parameter : system.parameters()) {
    inputs.push_back({copy(parameter.symbol), static_cast<std::uint32_t>(inputs.size())});
  }
  std::vector<Tape::Output> outputs;
  const auto add = [&](Expr f) { outputs.push_back({f, static_cast<std::uint32_t>(inputs.size() + outputs.size())}); };
  const auto named = [&](const std::vector<std::string>& names) {
    std::vector<Expr> result;
    for (const std::string& name : names) {
      for (const auto& [known, f] : system.exact()) {
        if (known == name) result.push_back(copy(f));
      }
    }
    return result;
  };
  const std::vector<Expr> q = named(system.coordinates()), multipliers = named(system.multiplier_names());
  // Velocities follow from the positions of a mechanical system; others are given like them.
  const bool follow = system.offers().lagrangian;
  const std::vector<Expr> z = follow ? std::vector<Expr>{} : named(system.velocity_names());
  if (q.size() != system.coordinates().size() || (!follow && z.size() != system.v().size())) return std::nullopt;

  auto data = std::make_shared<Data>();
  data->system = system;
  data->parameters = system.parameter_values_quad(settings);
  data->continuous = std::make_shared<ContinuousSolver<quad>>(system, data->parameters);
  data->coordinates = q.size();
  data->velocities = system.v().size();
  data->named_multipliers = multipliers.size();
  for (const Expr f : q) add(f);
  for (const Expr f : z) add(f);
  if (follow) {
    for (const Expr f : velocities_of(system, q, inputs[0].symbol)) add(f);
  }
  for (const Expr f : multipliers) add(f);
  data->kernel = Kernel<quad>(Tape(inputs, outputs), Backend::interpreter);
  ExactSolution solution;
  solution.data_ = std::move(data);
  return solution;
}

QuadState ExactSolution::at(quad t, const std::vector<quad>& near) const {
  const std::size_t results = data_->coordinates + data_->velocities + data_->named_multipliers;
  std::vector<quad> workspace{t};
  workspace.insert(workspace.end(), data_->parameters.begin(), data_->parameters.end());
  workspace.resize(workspace.size() + results);
  std::vector<quad> scratch(data_->kernel.scratch_size());
  data_->kernel(workspace.data(), scratch.data());

  const auto q = workspace.end() - static_cast<std::ptrdiff_t>(results);
  const auto v = q + static_cast<std::ptrdiff_t>(data_->coordinates);
  const auto multipliers = v + static_cast<std::ptrdiff_t>(data_->velocities);
  QuadState state{t, {q, v}, {v, multipliers}, {multipliers, workspace.end()}};
  const std::size_t constraints = data_->system.multiplier_names().size();
  if (state.multipliers.size() != constraints) {
    std::vector<quad> here = state.q, accelerations(state.v.size());
    here.insert(here.end(), state.v.begin(), state.v.end());
    // Momenta that are part of the state are not known here; of several solutions one has to be near.
    const bool is_meant = !data_->system.has_implicit_momenta() &&
                          (data_->system.offers().lagrangian || near.size() == constraints);
    state.multipliers = near;
    state.multipliers.resize(constraints, quad(0));
    if (!is_meant || !data_->continuous->solve(t, here, accelerations, state.multipliers)) {
      state.multipliers.assign(constraints, std::numeric_limits<double>::quiet_NaN());
    }
  }
  return state;
}

bool ExactSolution::passes(const InitialState& state) const {
  constexpr double tolerance = 1e-10;
  const QuadState here = at(quad(state.t));
  const auto agree = [](const std::vector<quad>& exact, const std::vector<double>& given) {
    if (exact.size() != given.size()) return false;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double value = static_cast<double>(exact[i]);
      if (!(std::fabs(value - given[i]) <= tolerance * std::fmax(1.0, std::fabs(value)))) return false;
    }
    return true;
  };
  return agree(here.q, state.q) && agree(here.v, state.v);
}

}  // namespace noslip

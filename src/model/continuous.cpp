#include <algorithm>
#include <cmath>
#include <limits>

#include <noslip/expr/derivative.hpp>
#include "model/continuous_data.hpp"
#include "model/description.hpp"
#include "model/regularity.hpp"

namespace noslip {
namespace {

using Eigen::Index;

std::uint32_t slot(std::size_t i) { return static_cast<std::uint32_t>(i); }

std::vector<Tape::Input> state_inputs(const System& system) {
  std::vector<Tape::Input> inputs{{system.t(), 0}};
  for (const Expr q : system.q()) inputs.push_back({q, slot(inputs.size())});
  for (const Expr v : system.v()) inputs.push_back({v, slot(inputs.size())});
  for (const Parameter& parameter : system.parameters()) inputs.push_back({parameter.symbol, slot(inputs.size())});
  return inputs;
}

Kernel<double> make_kernel(const System& system, std::size_t& slots) {
  const std::vector<Tape::Input> inputs = state_inputs(system);
  std::vector<Tape::Output> outputs;
  const auto add = [&](Expr expression) { outputs.push_back({expression, slot(inputs.size() + outputs.size())}); };
  add(system.lagrangian());
  add(system.energy());
  for (const Expr force : system.forces()) add(force);
  for (const Expr g : system.acceleration_rhs()) add(g);
  for (const Expr gamma : system.constraint_rhs()) add(gamma);
  for (const Constraint& constraint : system.constraints()) add(constraint.k);
  for (const auto& row : system.mass()) {
    for (const Expr entry : row) add(entry);
  }
  for (const Constraint& constraint : system.constraints()) {
    for (const Expr entry : constraint.K) add(entry);
  }
  slots = inputs.size() + outputs.size();
  return {Tape(inputs, outputs), Backend::interpreter};
}

/// Second derivatives live in a graph of their own: the system's may be in use by other threads.
void make_curvature(ContinuousData& data) {
  Graph graph;
  Substitution copy(graph);
  std::vector<Tape::Input> inputs = state_inputs(data.system);
  for (Tape::Input& input : inputs) input.symbol = copy(input.symbol);
  const std::vector<Expr> v = copy(data.system.v());
  std::vector<Tape::Output> outputs;
  const std::vector<Constraint>& constraints = data.system.constraints();
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].kind != ConstraintKind::nonlinear) continue;
    for (const Entry& entry : hessian(copy(constraints[i].k), v)) {
      outputs.push_back({entry.value, slot(inputs.size() + outputs.size())});
      data.curvature_entries.push_back({static_cast<int>(i), entry.row, entry.column});
    }
  }
  if (!outputs.empty()) data.curvature_kernel = Kernel<double>(Tape(inputs, outputs), Backend::interpreter);
}

void find_not_finite(const System& system, const InitialState& state, std::vector<Problem>& problems) {
  const auto check = [&](const std::string& name, double number) {
    if (!std::isfinite(number)) {
      problems.push_back({"the initial value of " + name + " is " + to_text(number), {}, "give a finite number"});
    }
  };
  check("t", state.t);
  for (std::size_t i = 0; i < state.q.size(); ++i) check(system.coordinates()[i], state.q[i]);
  for (std::size_t i = 0; i < state.v.size(); ++i) check(system.coordinates()[i] + "'", state.v[i]);
}

void find_not_finite(const System& system, const ContinuousValues& values, std::vector<Problem>& problems) {
  const auto report = [&](const std::string& what) {
    problems.push_back(
        {what + " is not finite at the initial state", {}, "check the initial values and the parameters"});
  };
  if (!std::isfinite(values.lagrangian)) report("the Lagrangian");
  for (Index i = 0; i < values.k.size(); ++i) {
    if (std::isfinite(values.k[i]) && values.K.row(i).allFinite() && std::isfinite(values.gamma[i])) continue;
    const bool only_derivative = std::isfinite(values.k[i]);
    report((only_derivative ? "a derivative of constraint '" : "constraint '") +
           system.constraints()[static_cast<std::size_t>(i)].text + "'");
  }
  for (Index i = 0; i < values.forces.size(); ++i) {
    const std::string& name = system.coordinates()[static_cast<std::size_t>(i)];
    if (!std::isfinite(values.forces[i]) || !std::isfinite(values.g[i])) {
      report("the force of '" + name + "'");
    } else if (!values.mass.row(i).allFinite()) {
      report("the inertia of '" + name + "'");
    }
  }
  if (problems.empty() && !std::isfinite(values.energy)) report("the energy");
}

}  // namespace

std::vector<double> ContinuousData::workspace(const InitialState& state, std::size_t size) const {
  std::vector<double> result;
  result.reserve(size);
  result.push_back(state.t);
  result.insert(result.end(), state.q.begin(), state.q.end());
  result.insert(result.end(), state.v.begin(), state.v.end());
  result.insert(result.end(), parameters.begin(), parameters.end());
  result.resize(size);
  return result;
}

ContinuousValues ContinuousData::values(const InitialState& state) const {
  std::vector<double> work = workspace(state, slots);
  std::vector<double> scratch(kernel.scratch_size());
  kernel(work.data(), scratch.data());

  const auto n = static_cast<Index>(system.dimension());
  const auto m = static_cast<Index>(system.constraints().size());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const double* at = work.data() + inputs();
  const auto vector = [&at](Index size) -> Eigen::VectorXd {
    const double* start = at;
    at += size;
    return Eigen::Map<const Eigen::VectorXd>(start, size);
  };
  const auto matrix = [&at](Index rows, Index columns) -> Eigen::MatrixXd {
    const double* start = at;
    at += rows * columns;
    return Eigen::Map<const RowMajor>(start, rows, columns);
  };
  ContinuousValues result;
  result.lagrangian = *at++;
  result.energy = *at++;
  result.forces = vector(n);
  result.g = vector(n);
  result.gamma = vector(m);
  result.k = vector(m);
  result.mass = matrix(n, n);
  result.K = matrix(m, n);
  return result;
}

Eigen::MatrixXd ContinuousData::curvature(const InitialState& state, const Eigen::VectorXd& multipliers) const {
  const auto n = static_cast<Index>(system.dimension());
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n, n);
  if (curvature_entries.empty()) return result;
  std::vector<double> work = workspace(state, inputs() + curvature_entries.size());
  std::vector<double> scratch(curvature_kernel.scratch_size());
  curvature_kernel(work.data(), scratch.data());
  for (std::size_t i = 0; i < curvature_entries.size(); ++i) {
    const CurvatureEntry& entry = curvature_entries[i];
    result(entry.row, entry.column) += multipliers[entry.constraint] * work[inputs() + i];
  }
  return result;
}

Eigen::VectorXd rounding_of_constraints(const ContinuousValues& values, const std::vector<double>& v) {
  const Eigen::Map<const Eigen::VectorXd> velocity(v.data(), static_cast<Index>(v.size()));
  const Eigen::VectorXd terms = values.K.cwiseAbs() * velocity.cwiseAbs();
  const Eigen::VectorXd rest = (values.k - values.K * velocity).cwiseAbs();
  return 64 * std::numeric_limits<double>::epsilon() * (terms + rest + Eigen::VectorXd::Ones(terms.size()));
}

Continuous::Continuous(const System& system, std::vector<double> parameter_values) {
  if (parameter_values.size() != system.parameters().size()) {
    throw InputError(std::to_string(parameter_values.size()) + " parameter values for " +
                         std::to_string(system.parameters().size()) + " parameters of '" + system.name() + "'",
                     "take them from System::parameter_values");
  }
  auto data = std::make_shared<Data>();
  data->system = system;
  data->parameters = std::move(parameter_values);
  data->kernel = make_kernel(system, data->slots);
  make_curvature(*data);
  data_ = std::move(data);
}

ContinuousState Continuous::evaluate(const InitialState& state, std::vector<Problem>& problems) const {
  const System& system = data_->system;
  require_shape(state);
  const ContinuousValues values = data_->values(state);
  ContinuousState result;
  result.energy = values.energy;
  result.constraints.assign(values.k.begin(), values.k.end());
  result.max_constraint = values.k.size() == 0 ? 0 : values.k.cwiseAbs().maxCoeff();

  std::vector<Problem> found;
  find_not_finite(system, state, found);
  if (found.empty()) find_not_finite(system, values, found);
  if (found.empty()) {
    result.constraint_rank = constraint_rank(values.mass, values.K);
    found = singular_mass(values.mass, system.coordinates());
  }
  if (found.empty()) found = dependent_constraints(values.mass, values.K, system.constraints());
  if (found.empty()) {
    const SaddleSolution solution = solve_saddle(values.mass, values.K, values.g, values.gamma);
    result.accelerations.assign(solution.a.begin(), solution.a.end());
    result.multipliers.assign(solution.lambda.begin(), solution.lambda.end());
  }
  problems.insert(problems.end(), found.begin(), found.end());
  return result;
}

void Continuous::require_consistent(const InitialState& state) const {
  std::vector<Problem> problems;
  evaluate(state, problems);
  const ContinuousValues values = data_->values(state);
  const Eigen::VectorXd allowed = rounding_of_constraints(values, state.v);
  for (Index i = 0; i < values.k.size(); ++i) {
    if (!std::isfinite(values.k[i]) || std::abs(values.k[i]) <= allowed[i]) continue;
    problems.push_back({"constraint '" + data_->system.constraints()[static_cast<std::size_t>(i)].text +
                            "' is violated by " + to_short_text(std::abs(values.k[i])) + " at the initial state",
                        {},
                        "give consistent velocities, or use --project to take the nearest ones"});
  }
  refuse(std::move(problems));
}

void Continuous::require_shape(const InitialState& state) const {
  const System& system = data_->system;
  const auto n = static_cast<std::size_t>(system.dimension());
  if (state.q.size() != n || state.v.size() != n) {
    throw InputError("a state with " + std::to_string(state.q.size()) + " coordinates and " +
                         std::to_string(state.v.size()) + " velocities for the " + std::to_string(n) +
                         " coordinates of '" + system.name() + "'",
                     "give one value for each coordinate");
  }
}

}  // namespace noslip

// Accelerations and multipliers of a mechanical system: [M -K^T; K 0] (a, lambda) = (g, gamma), where K has the rows of
// velocity constraints and of the rates of position constraints.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <noslip/core/option_name.hpp>
#include <noslip/expr/derivative.hpp>

#include "model/basis_values.hpp"
#include "model/chart_values.hpp"
#include "model/conditioning.hpp"
#include "model/evaluator.hpp"
#include "model/momentum_values.hpp"
#include "model/nearest.hpp"
#include "model/nonideal_values.hpp"
#include "model/regularity.hpp"
#include "model/scaled_solution.hpp"
#include "model/system_data.hpp"

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct MechanicalValues {
  double lagrangian = 0, energy = 0;
  VectorXd forces, g, gamma, k;  ///< F, right-hand sides of the continuous problem, constraints of the velocities
  VectorXd positions;            ///< g(t, q) of the position constraints
  VectorXd rates;                ///< of the states
  SparseRows mass, K;

  SparseRows G() const { return K.bottomRows(positions.size()); }
};

bool is_row_finite(const SparseRows& matrix, Index row) {
  bool result = true;
  for (SparseRows::InnerIterator entry(matrix, row); entry; ++entry) result = result && std::isfinite(entry.value());
  return result;
}

class MechanicalEvaluator : public ContinuousEvaluator {
 public:
  MechanicalEvaluator(const System& system, std::vector<double> parameters)
      : ContinuousEvaluator(system, std::move(parameters)) {
    make_function();
    make_all_bounds();
    if (!system.nonideal().empty()) nonideal_ = std::make_shared<NonidealValues>(system, parameters_);
    if (system.is_on_group()) chart_ = std::make_shared<ChartValues>(system);
    if (system.has_hamiltonian()) momenta_ = std::make_shared<MomentumValues>(system, parameters_);
  }

  std::shared_ptr<const ContinuousEvaluator> with_parameters(std::vector<double> parameters) const override {
    auto copy = copy_with(*this, std::move(parameters));
    if (nonideal_) copy->nonideal_ = std::make_shared<NonidealValues>(nonideal_->with_parameters(copy->parameters_));
    if (momenta_) copy->momenta_ = std::make_shared<MomentumValues>(momenta_->with_parameters(copy->parameters_));
    return copy;
  }
  ContinuousState evaluate(const InitialState& state, std::vector<Problem>& problems) const override;
  InitialState project(const InitialState& state) const override;
  ContinuousState require_consistent(const InitialState& state) const override;

 private:
  void make_function();
  void make_all_bounds();
  Curvature make_velocity_curvature() const;
  Curvature make_position_curvature() const;
  MechanicalValues values(const InitialState& state) const;
  std::vector<Problem> not_finite_at_start(const MechanicalValues& values) const;
  InitialState project_positions(const InitialState& state) const;
  InitialState project_element(const InitialState& state) const;
  std::vector<double> errors(const MechanicalValues& at, const InitialState& state) const;
  VectorXd rounding(const RoundingBounds& bounds, const MechanicalValues& at, const InitialState& state) const {
    return bounds(numbers(state), errors(at, state));
  }
  Regularity regularity(const MechanicalValues& at, const InitialState& state) const;
  Motion solve(const MechanicalValues& at, const InitialState& state, double condition) const;
  static InputError no_positions();
  InitialState project_velocities(const InitialState& state) const;

  Function<double> function_;                                         // everything in MechanicalValues
  RoundingBounds velocity_bounds_, position_bounds_, matrix_bounds_;  // of k, of g, of L_vv and K
  std::shared_ptr<const NonidealValues> nonideal_;                    // where there are nonideal reactions
  std::shared_ptr<const MomentumValues> momenta_;                     // of a system with a Hamiltonian
  std::shared_ptr<const ChartValues> chart_;                          // of a system on a group
};

void MechanicalEvaluator::make_function() {
  const std::vector<Expr> mass = noslip::values_of(system_.mass());
  const std::vector<Expr> K = noslip::values_of(gradients_of(system_.velocity_level()));
  function_ = Function<double>(state_blocks(system_), {{system_.lagrangian()},
                                                       {system_.energy()},
                                                       system_.forces(),
                                                       system_.acceleration_rhs(),
                                                       system_.constraint_rhs(),
                                                       values_of(system_.velocity_level()),
                                                       values_of(system_.holonomic()),
                                                       rates_of(system_.states()),
                                                       mass,
                                                       K});
}

void MechanicalEvaluator::make_all_bounds() {
  std::vector<Expr> matrices = noslip::values_of(system_.mass());
  for (const Constraint& constraint : system_.velocity_level()) {
    const std::span<const Expr> values = constraint.K.values();
    matrices.insert(matrices.end(), values.begin(), values.end());
  }
  velocity_bounds_ = make_bounds(values_of(system_.velocity_level()));
  position_bounds_ = make_bounds(values_of(system_.holonomic()));
  matrix_bounds_ = make_bounds(matrices);
}

/// Velocities are known to a unit in the last place of their own, and of the motion as a whole: to that of the velocity
/// which each would have if it had all the kinetic energy.
std::vector<double> MechanicalEvaluator::errors(const MechanicalValues& at, const InitialState& state) const {
  std::vector<double> result = input_errors(state);
  const VectorXd v = as_vector(state.v), inertia = VectorXd(at.mass.diagonal()).cwiseAbs();
  const double twice_energy = v.cwiseAbs2().dot(inertia);
  for (std::size_t j = 0; j < state.v.size(); ++j) {
    const double own = inertia[static_cast<Index>(j)];
    const double of_motion = own > 0 ? std::sqrt(twice_energy / own) / RoundingBounds::margin : 0;
    const std::size_t slot = 1 + state.q.size() + j;
    result[slot] = RoundingBounds::unit * (std::abs(state.v[j]) + of_motion);
    if (!momenta_ || state.z.empty()) continue;
    result[slot + state.v.size()] = RoundingBounds::unit * (std::abs(state.z[j]) + own * of_motion);
  }
  return result;
}

// Second derivatives live in graphs of their own: the system's may be in use by other threads.

MechanicalEvaluator::Curvature MechanicalEvaluator::make_velocity_curvature() const {
  Graph graph;
  Substitution copy(graph);
  std::vector<std::vector<Entry>> hessians;
  for (const Constraint& constraint : system_.velocity_level()) {
    const bool is_curved = constraint.kind == ConstraintKind::nonlinear;
    hessians.push_back(is_curved ? velocity_hessian(graph, copy, system_, constraint) : std::vector<Entry>{});
  }
  return make_curvature(copy, hessians);
}

MechanicalEvaluator::Curvature MechanicalEvaluator::make_position_curvature() const {
  Graph graph;
  Substitution copy(graph);
  const std::vector<Expr> q = copy(system_.configuration());
  std::vector<std::vector<Entry>> hessians;
  for (const HolonomicConstraint& constraint : system_.holonomic()) {
    hessians.push_back(hessian_at(copy(constraint.g), q, constraint.G.places()));
  }
  return make_curvature(copy, hessians);
}

MechanicalValues MechanicalEvaluator::values(const InitialState& state) const {
  const auto n = static_cast<Index>(system_.dimension());
  const auto m = static_cast<Index>(system_.velocity_level().size());
  const Evaluation<double> here = at(function_, state);
  OutputReader read(here);
  MechanicalValues result;
  result.lagrangian = read.number();
  result.energy = read.number();
  result.forces = read.vector();
  result.g = read.vector();
  result.gamma = read.vector();
  result.k = read.vector();
  result.positions = read.vector();
  result.rates = read.vector();
  result.mass = read.matrix(n, n, places_of(system_.mass()));
  result.K = read.matrix(m, n, places_of(gradients_of(system_.velocity_level())));
  return result;
}

std::vector<Problem> MechanicalEvaluator::not_finite_at_start(const MechanicalValues& values) const {
  std::vector<Problem> problems;
  const auto report = [&](const std::string& what) {
    problems.push_back(
        {what + " is not finite at the initial state", {}, "check the initial values and the parameters"});
  };
  if (!std::isfinite(values.lagrangian)) report("the Lagrangian");
  for (Index i = 0; i < values.positions.size(); ++i) {
    if (std::isfinite(values.positions[i])) continue;
    report("position constraint '" + system_.holonomic()[static_cast<std::size_t>(i)].text + "'");
  }
  for (Index i = 0; i < values.k.size(); ++i) {
    if (std::isfinite(values.k[i]) && is_row_finite(values.K, i) && std::isfinite(values.gamma[i])) continue;
    const bool only_derivative = std::isfinite(values.k[i]);
    report((only_derivative ? "a derivative of constraint '" : "constraint '") +
           system_.velocity_level()[static_cast<std::size_t>(i)].text + "'");
  }
  for (Index i = 0; i < values.forces.size(); ++i) {
    const std::string& name = system_.velocity_names()[static_cast<std::size_t>(i)];
    if (!std::isfinite(values.forces[i]) || !std::isfinite(values.g[i])) {
      report("the force of '" + name + "'");
    } else if (!is_row_finite(values.mass, i)) {
      report("the inertia of '" + name + "'");
    }
  }
  for (Index i = 0; i < values.rates.size(); ++i) {
    if (std::isfinite(values.rates[i])) continue;
    report("the derivative of the state '" + system_.states()[static_cast<std::size_t>(i)].name + "'");
  }
  if (problems.empty() && !std::isfinite(values.energy)) report("the energy");
  return problems;
}

ContinuousState MechanicalEvaluator::evaluate(const InitialState& state, std::vector<Problem>& problems) const {
  require_shape(state);
  const MechanicalValues at = values(state);
  ContinuousState result;
  result.energy = at.energy;
  result.state_rates.assign(at.rates.begin(), at.rates.end());
  result.constraints.assign(at.k.begin(), at.k.end());
  result.positions.assign(at.positions.begin(), at.positions.end());
  for (const VectorXd& values : {at.k, at.positions}) {
    if (values.size() > 0) result.max_constraint = std::max(result.max_constraint, values.cwiseAbs().maxCoeff());
  }

  std::vector<Problem> found = not_finite(state);
  if (found.empty() && momenta_) found = momenta_->problems(state);
  if (found.empty()) found = not_finite_at_start(at);
  if (found.empty()) {
    Regularity regular = regularity(at, state);
    found = std::move(regular.problems);
    result.constraint_rank = regular.rank;
    result.condition = regular.condition;
    result.cause = std::move(regular.cause);
  }
  if (found.empty()) {
    const Motion there = solve(at, state, result.condition);
    if (nonideal_) {
      Regularity regular =
          nonideal_->regularity(state, MatrixXd(at.mass), MatrixXd(at.K), there.ideal_lambda, there.is_found ? &there.lambda : nullptr);
      found = std::move(regular.problems);
      if (regular.condition > result.condition) {
        result.condition = regular.condition;
        result.cause = std::move(regular.cause);
      }
    }
    if (found.empty()) result.accelerations.assign(there.a.begin(), there.a.end());
    if (found.empty()) result.multipliers.assign(there.lambda.begin(), there.lambda.end());
  }
  problems.insert(problems.end(), found.begin(), found.end());
  return result;
}

/// Entries that are nothing but rounding errors count as zero.
Regularity MechanicalEvaluator::regularity(const MechanicalValues& at, const InitialState& state) const {
  const VectorXd noise = rounding(matrix_bounds_, at, state);
  SparseRows mass = at.mass, K = at.K;
  Index next = 0;
  for (SparseRows* matrix : {&mass, &K}) {  // their entries are in the order in which they are written
    for (double& entry : matrix->coeffs()) {
      if (std::abs(entry) <= noise[next++]) entry = 0;
    }
    matrix->prune([](Index, Index, double entry) { return entry != 0; });
  }
  return saddle_regularity(mass, K, system_);
}

/// Equations that are linear and well-conditioned are solved with the matrices that have just been checked.
ContinuousEvaluator::Motion MechanicalEvaluator::solve(const MechanicalValues& at, const InitialState& state,
                                                       double condition) const {
  if (nonideal_ || condition > most_condition_in_double) return motion(state, condition);
  const SaddleSolution solution = solve_saddle(at.mass, at.K, at.g, at.gamma);
  return {true, solution.a, solution.lambda, {}};
}

ContinuousState MechanicalEvaluator::require_consistent(const InitialState& state) const {
  std::vector<Problem> problems;
  ContinuousState result = evaluate(state, problems);
  const MechanicalValues at = values(state);
  const auto add = [&](const std::string& what, const VectorXd& values, const VectorXd& allowed, Index i,
                       const std::string& remedy) {
    if (!std::isfinite(values[i]) || std::abs(values[i]) <= allowed[i]) return;
    problems.push_back(
        {what + " is violated by " + to_short_text(std::abs(values[i])) + " at the initial state", {}, remedy});
  };
  if (chart_) {
    const std::vector<Problem> found = chart_->problems(state.q);
    problems.insert(problems.end(), found.begin(), found.end());
  }
  const VectorXd allowed_positions = rounding(position_bounds_, at, state);
  for (Index i = 0; i < at.positions.size(); ++i) {
    add("position constraint '" + system_.holonomic()[static_cast<std::size_t>(i)].text + "'", at.positions,
        allowed_positions, i, "give consistent positions, or use " + option("project") + " to take the nearest ones");
  }
  const VectorXd allowed = rounding(velocity_bounds_, at, state);
  const Index first_rate = at.k.size() - at.positions.size();
  for (Index i = 0; i < at.k.size(); ++i) {
    add((i < first_rate ? "constraint '" : "the derivative of position constraint '") +
            system_.velocity_level()[static_cast<std::size_t>(i)].text + "'",
        at.k, allowed, i, "give consistent velocities, or use " + option("project") + " to take the nearest ones");
  }
  if (!system_.basis().empty() && not_finite(state).empty()) {
    const std::vector<Problem> found = BasisValues(system_, parameters_).problems(state);
    problems.insert(problems.end(), found.begin(), found.end());
  }
  refuse(std::move(problems));
  return result;
}

InitialState MechanicalEvaluator::project(const InitialState& state) const {
  std::vector<Problem> problems;
  evaluate(state, problems);
  refuse(std::move(problems));
  if (system_.velocity_level().empty()) return state;
  SparseCholesky metric(values(state).mass);
  metric.factorise(0);
  if (!metric.is_complete()) {
    throw InputError("no nearest state: L_vv is not positive definite at the initial state",
                     "give positions and velocities that satisfy the constraints");
  }
  return project_velocities(project_positions(state));
}

/// The nearest positions in the metric of the mass where the motion starts.
InitialState MechanicalEvaluator::project_positions(const InitialState& state) const {
  if (system_.holonomic().empty()) return state;
  if (chart_) return project_element(state);
  const std::size_t count = system_.configuration().size();
  const auto moved = [&](const VectorXd& q) {
    InitialState there = state;
    std::copy(q.begin(), q.end(), there.q.begin());
    if (momenta_) momenta_->follow(there);
    return there;
  };
  NearestProblem nearest;
  nearest.metric = values(state).mass;
  nearest.values = [&](const VectorXd& q) -> NearestProblem::Values {
    const MechanicalValues at = values(moved(q));
    return {at.positions, at.G(), rounding(position_bounds_, at, moved(q))};
  };
  const Curvature second = make_position_curvature();
  if (!second.entries.empty()) {
    nearest.curvature = [&](const VectorXd& q, const VectorXd& multipliers) {
      return curvature(second, moved(q), multipliers, count);
    };
  }
  const auto q = nearest_point(nearest, as_vector(state.q).head(static_cast<Index>(count)));
  if (!q) throw no_positions();
  return moved(*q);
}

/// The same in the coordinates xi of g exp(xi), with constraints as straight as they are at the start.
InitialState MechanicalEvaluator::project_element(const InitialState& state) const {
  const auto moved = [&](const VectorXd& xi) {
    InitialState there = state;
    there.q = chart_->moved(state.q, xi);
    if (momenta_) momenta_->follow(there);
    return there;
  };
  NearestProblem nearest;
  nearest.metric = values(state).mass;
  nearest.values = [&](const VectorXd& xi) -> NearestProblem::Values {
    const InitialState there = moved(xi);
    const MechanicalValues at = values(there);
    return {at.positions, SparseRows((at.G() * chart_->tangent(xi)).sparseView()), rounding(position_bounds_, at, there)};
  };
  const auto xi = nearest_point(nearest, VectorXd::Zero(system_.dimension()));
  if (!xi) throw no_positions();
  return moved(*xi);
}

InputError MechanicalEvaluator::no_positions() {
  return InputError("no positions that satisfy the position constraints were found near the given ones",
                    "start closer to the constraints, or check that they can be satisfied together");
}

InitialState MechanicalEvaluator::project_velocities(const InitialState& state) const {
  const auto moved = [&](const VectorXd& v) {
    InitialState there = state;
    there.v.assign(v.begin(), v.end());
    if (momenta_) momenta_->follow(there);
    return there;
  };
  NearestProblem nearest;
  nearest.metric = values(state).mass;
  nearest.values = [&](const VectorXd& v) -> NearestProblem::Values {
    const MechanicalValues at = values(moved(v));
    return {at.k, at.K, rounding(velocity_bounds_, at, moved(v))};
  };
  const Curvature second = make_velocity_curvature();
  if (!second.entries.empty()) {
    nearest.curvature = [&](const VectorXd& v, const VectorXd& multipliers) {
      return curvature(second, moved(v), multipliers, state.v.size());
    };
  }
  const auto v = nearest_point(nearest, as_vector(state.v));
  if (!v) {
    throw InputError("no velocities that satisfy the constraints were found near the given ones",
                     "start closer to the constraints, or check that they can be satisfied at this position");
  }
  return moved(*v);
}

}  // namespace

std::shared_ptr<const ContinuousEvaluator> mechanical_evaluator(const System& system, std::vector<double> parameters) {
  return std::make_shared<MechanicalEvaluator>(system, std::move(parameters));
}

}  // namespace noslip

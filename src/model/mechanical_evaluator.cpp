// Accelerations and multipliers of a mechanical system: [M -K^T; K 0] (a, lambda) = (g, gamma).
#include <cmath>
#include <limits>

#include <noslip/expr/derivative.hpp>
#include "model/description.hpp"
#include "model/evaluator.hpp"
#include "model/momentum_values.hpp"
#include "model/nearest.hpp"
#include "model/regularity.hpp"

#include <Eigen/Cholesky>

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Values {
  double lagrangian = 0, energy = 0;
  VectorXd forces, g, gamma, k;  ///< F, right-hand sides of the continuous problem, constraints
  MatrixXd mass, K;
};

/// How far |k| may be from zero for rounding alone: 64 units in the last place of its terms.
VectorXd rounding_of_constraints(const Values& values, const VectorXd& velocity) {
  const VectorXd terms = values.K.cwiseAbs() * velocity.cwiseAbs();
  const VectorXd rest = (values.k - values.K * velocity).cwiseAbs();
  return 64 * std::numeric_limits<double>::epsilon() * (terms + rest + VectorXd::Ones(terms.size()));
}

VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

class MechanicalEvaluator : public ContinuousEvaluator {
 public:
  MechanicalEvaluator(const System& system, std::vector<double> parameters)
      : ContinuousEvaluator(system, std::move(parameters)) {
    make_kernel();
    make_curvature();
    if (system.has_hamiltonian()) momenta_ = std::make_shared<MomentumValues>(system, parameters_);
  }

  ContinuousState evaluate(const InitialState& state, std::vector<Problem>& problems) const override;
  InitialState project(const InitialState& state) const override;
  void require_consistent(const InitialState& state) const override;

 private:
  void make_kernel();
  void make_curvature();
  Values values(const InitialState& state) const;
  MatrixXd curvature(const InitialState& state, const VectorXd& multipliers) const;
  std::vector<Problem> not_finite_at_start(const Values& values) const;

  Kernel<double> kernel_;  // outputs: everything in Values
  std::size_t outputs_ = 0;
  Kernel<double> curvature_kernel_;  // outputs: k_vv of the nonlinear constraints
  struct CurvatureEntry {
    int constraint, row, column;
  };
  std::vector<CurvatureEntry> curvature_entries_;
  std::shared_ptr<const MomentumValues> momenta_;  // of a system with a Hamiltonian
};

void MechanicalEvaluator::make_kernel() {
  const std::vector<Tape::Input> given = inputs();
  std::vector<Tape::Output> outputs;
  const auto add = [&](Expr expression) {
    outputs.push_back({expression, static_cast<std::uint32_t>(given.size() + outputs.size())});
  };
  add(system_.lagrangian());
  add(system_.energy());
  for (const Expr force : system_.forces()) add(force);
  for (const Expr g : system_.acceleration_rhs()) add(g);
  for (const Expr gamma : system_.constraint_rhs()) add(gamma);
  for (const Constraint& constraint : system_.constraints()) add(constraint.k);
  for (const auto& row : system_.mass()) {
    for (const Expr entry : row) add(entry);
  }
  for (const Constraint& constraint : system_.constraints()) {
    for (const Expr entry : constraint.K) add(entry);
  }
  outputs_ = outputs.size();
  kernel_ = Kernel<double>(Tape(given, outputs), Backend::interpreter);
}

/// Second derivatives live in a graph of their own: the system's may be in use by other threads.
void MechanicalEvaluator::make_curvature() {
  Graph graph;
  Substitution copy(graph);
  std::vector<Tape::Input> given = inputs();
  for (Tape::Input& input : given) input.symbol = copy(input.symbol);
  std::vector<Tape::Output> outputs;
  const std::vector<Constraint>& constraints = system_.constraints();
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].kind != ConstraintKind::nonlinear) continue;
    for (const Entry& entry : velocity_hessian(graph, copy, system_, constraints[i])) {
      outputs.push_back({entry.value, static_cast<std::uint32_t>(given.size() + outputs.size())});
      curvature_entries_.push_back({static_cast<int>(i), entry.row, entry.column});
    }
  }
  if (!outputs.empty()) curvature_kernel_ = Kernel<double>(Tape(given, outputs), Backend::interpreter);
}

Values MechanicalEvaluator::values(const InitialState& state) const {
  std::vector<double> work = workspace(state, outputs_);
  std::vector<double> scratch(kernel_.scratch_size());
  kernel_(work.data(), scratch.data());

  const auto n = static_cast<Index>(system_.dimension());
  const auto m = static_cast<Index>(system_.constraints().size());
  OutputReader read(work.data() + input_count());
  Values result;
  result.lagrangian = read.number();
  result.energy = read.number();
  result.forces = read.vector(n);
  result.g = read.vector(n);
  result.gamma = read.vector(m);
  result.k = read.vector(m);
  result.mass = read.matrix(n, n);
  result.K = read.matrix(m, n);
  return result;
}

/// The sum of multiplier * k_vv over the constraints.
MatrixXd MechanicalEvaluator::curvature(const InitialState& state, const VectorXd& multipliers) const {
  const auto n = static_cast<Index>(system_.dimension());
  MatrixXd result = MatrixXd::Zero(n, n);
  std::vector<double> work = workspace(state, curvature_entries_.size());
  std::vector<double> scratch(curvature_kernel_.scratch_size());
  curvature_kernel_(work.data(), scratch.data());
  for (std::size_t i = 0; i < curvature_entries_.size(); ++i) {
    const CurvatureEntry& entry = curvature_entries_[i];
    result(entry.row, entry.column) += multipliers[entry.constraint] * work[input_count() + i];
  }
  return result;
}

std::vector<Problem> MechanicalEvaluator::not_finite_at_start(const Values& values) const {
  std::vector<Problem> problems;
  const auto report = [&](const std::string& what) {
    problems.push_back(
        {what + " is not finite at the initial state", {}, "check the initial values and the parameters"});
  };
  if (!std::isfinite(values.lagrangian)) report("the Lagrangian");
  for (Index i = 0; i < values.k.size(); ++i) {
    if (std::isfinite(values.k[i]) && values.K.row(i).allFinite() && std::isfinite(values.gamma[i])) continue;
    const bool only_derivative = std::isfinite(values.k[i]);
    report((only_derivative ? "a derivative of constraint '" : "constraint '") +
           system_.constraints()[static_cast<std::size_t>(i)].text + "'");
  }
  for (Index i = 0; i < values.forces.size(); ++i) {
    const std::string& name = system_.coordinates()[static_cast<std::size_t>(i)];
    if (!std::isfinite(values.forces[i]) || !std::isfinite(values.g[i])) {
      report("the force of '" + name + "'");
    } else if (!values.mass.row(i).allFinite()) {
      report("the inertia of '" + name + "'");
    }
  }
  if (problems.empty() && !std::isfinite(values.energy)) report("the energy");
  return problems;
}

ContinuousState MechanicalEvaluator::evaluate(const InitialState& state, std::vector<Problem>& problems) const {
  require_shape(state);
  const Values at = values(state);
  ContinuousState result;
  result.energy = at.energy;
  result.constraints.assign(at.k.begin(), at.k.end());
  result.max_constraint = at.k.size() == 0 ? 0 : at.k.cwiseAbs().maxCoeff();

  std::vector<Problem> found = not_finite(state);
  if (found.empty() && momenta_) found = momenta_->problems(state);
  if (found.empty()) found = not_finite_at_start(at);
  if (found.empty()) {
    result.constraint_rank = constraint_rank(at.mass, at.K);
    found = singular_mass(at.mass, system_.coordinates());
  }
  if (found.empty()) found = dependent_constraints(at.mass, at.K, system_.constraints());
  if (found.empty()) {
    const SaddleSolution solution = solve_saddle(at.mass, at.K, at.g, at.gamma);
    result.accelerations.assign(solution.a.begin(), solution.a.end());
    result.multipliers.assign(solution.lambda.begin(), solution.lambda.end());
  }
  problems.insert(problems.end(), found.begin(), found.end());
  return result;
}

void MechanicalEvaluator::require_consistent(const InitialState& state) const {
  std::vector<Problem> problems;
  evaluate(state, problems);
  const Values at = values(state);
  const VectorXd allowed = rounding_of_constraints(at, as_vector(state.v));
  for (Index i = 0; i < at.k.size(); ++i) {
    if (!std::isfinite(at.k[i]) || std::abs(at.k[i]) <= allowed[i]) continue;
    problems.push_back({"constraint '" + system_.constraints()[static_cast<std::size_t>(i)].text + "' is violated by " +
                            to_short_text(std::abs(at.k[i])) + " at the initial state",
                        {},
                        "give consistent velocities, or use --project to take the nearest ones"});
  }
  refuse(std::move(problems));
}

InitialState MechanicalEvaluator::project(const InitialState& state) const {
  std::vector<Problem> problems;
  evaluate(state, problems);
  refuse(std::move(problems));
  if (system_.constraints().empty()) return state;

  NearestProblem nearest;
  nearest.metric = values(state).mass;
  if (Eigen::LLT<MatrixXd>(nearest.metric).info() != Eigen::Success) {
    throw InputError("no nearest velocities: L_vv is not positive definite at the initial state",
                     "give velocities that satisfy the constraints");
  }
  const auto moved = [&](const VectorXd& v) {
    InitialState there = state;
    there.v.assign(v.begin(), v.end());
    if (momenta_) momenta_->follow(there);
    return there;
  };
  nearest.values = [&](const VectorXd& v) -> NearestProblem::Values {
    const Values at = values(moved(v));
    return {at.k, at.K, rounding_of_constraints(at, v)};
  };
  if (!curvature_entries_.empty()) {
    nearest.curvature = [&](const VectorXd& v, const VectorXd& multipliers) {
      return curvature(moved(v), multipliers);
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

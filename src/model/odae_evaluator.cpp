// The continuous problem of an odae system. With k = g_t + g_y v, (z', lambda) are the solution of
//   p_z z' = f - p_y v - p_t + r(t, y, lambda),    k_z z' = -(k_y v + k_t)
// near the given lambda.
#include <cmath>
#include <limits>

#include <Eigen/Core>

#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/expr/derivative.hpp>

#include "model/conditioning.hpp"
#include "model/evaluator.hpp"
#include "model/nearest.hpp"
#include "model/regularity.hpp"
#include "model/system_data.hpp"

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct OdaeValues {
  VectorXd velocities, momenta, forces, reactions;  ///< v, p, f, r
  VectorXd g, k, rhs, gamma;                        ///< constraints, their rates, right-hand sides
  MatrixXd G, K, mass, reaction_slope;              ///< g_y, k_z, p_z, r_lambda
};

class OdaeEvaluator : public ContinuousEvaluator {
 public:
  OdaeEvaluator(const System& system, std::vector<double> parameters)
      : ContinuousEvaluator(system, std::move(parameters)) {
    make_functions();
  }

  std::shared_ptr<const ContinuousEvaluator> with_parameters(std::vector<double> parameters) const override {
    return copy_with(*this, std::move(parameters));
  }
  ContinuousState evaluate(const InitialState& state, std::vector<Problem>& problems) const override;
  InitialState project(const InitialState& state) const override;
  ContinuousState require_consistent(const InitialState& state) const override;

 private:
  void make_functions();
  Curvature make_curvature(bool of_rates) const;  // g_yy, or k_zz
  OdaeValues values(const InitialState& state) const;
  std::vector<Problem> not_finite_at_start(const OdaeValues& at) const;
  const std::string& text_of(Index constraint) const {
    return system_.holonomic()[static_cast<std::size_t>(constraint)].text;
  }

  Function<double> function_;                     // everything in OdaeValues
  RoundingBounds position_bounds_, rate_bounds_;  // of g and of k
};

/// The derivatives live in a graph of their own: the system's may be in use by other threads.
void OdaeEvaluator::make_functions() {
  Graph graph;
  Substitution copy(graph);
  const ExprMatrix inputs = copied(copy, state_blocks(system_));
  const std::vector<Expr> reactions = copy(system_.position_reactions());
  SparseMatrix G;
  for (const HolonomicConstraint& constraint : system_.holonomic()) G.push_back(constraint.G);
  function_ =
      Function<double>(inputs, {copy(system_.velocities()), copy(system_.momenta()), copy(system_.forces()), reactions,
                                copy(values_of(system_.holonomic())), copy(values_of(system_.velocity_level())),
                                copy(system_.acceleration_rhs()), copy(system_.constraint_rhs()), copy(entries_of(G)),
                                copy(entries_of(gradients_of(system_.velocity_level()))),
                                copy(entries_of(system_.mass())), dense_jacobian(graph, reactions, inputs[3])});
  position_bounds_ = make_bounds(values_of(system_.holonomic()));
  rate_bounds_ = make_bounds(values_of(system_.velocity_level()));
}

OdaeEvaluator::Curvature OdaeEvaluator::make_curvature(bool of_rates) const {
  Graph graph;
  Substitution copy(graph);
  const std::vector<Expr> variables = copy(of_rates ? system_.v() : system_.q());
  std::vector<std::vector<Entry>> hessians;
  for (std::size_t i = 0; i < system_.holonomic().size(); ++i) {
    hessians.push_back(hessian(copy(of_rates ? system_.velocity_level()[i].k : system_.holonomic()[i].g), variables));
  }
  return ContinuousEvaluator::make_curvature(copy, hessians);
}

OdaeValues OdaeEvaluator::values(const InitialState& state) const {
  const auto ny = static_cast<Index>(state.q.size()), nz = static_cast<Index>(state.v.size());
  const auto m = static_cast<Index>(state.z.size());
  const Evaluation<double> here = at(function_, state);
  OutputReader read(here);
  OdaeValues result;
  result.velocities = read.vector();
  result.momenta = read.vector();
  result.forces = read.vector();
  result.reactions = read.vector();
  result.g = read.vector();
  result.k = read.vector();
  result.rhs = read.vector();
  result.gamma = read.vector();
  result.G = read.matrix(m, ny);
  result.K = read.matrix(m, nz);
  result.mass = read.matrix(nz, nz);
  result.reaction_slope = read.matrix(nz, m);
  return result;
}

std::vector<Problem> OdaeEvaluator::not_finite_at_start(const OdaeValues& at) const {
  std::vector<Problem> problems;
  const auto report = [&](const std::string& what) {
    problems.push_back(
        {what + " is not finite at the initial state", {}, "check the initial values and the parameters"});
  };
  for (Index i = 0; i < at.velocities.size(); ++i) {
    if (!std::isfinite(at.velocities[i])) {
      report("the rate v of '" + system_.coordinates()[static_cast<std::size_t>(i)] + "'");
    }
  }
  for (Index i = 0; i < at.momenta.size(); ++i) {
    const std::string number = " number " + std::to_string(i + 1);
    if (!std::isfinite(at.momenta[i])) report("p" + number);
    if (!std::isfinite(at.forces[i])) report("f" + number);
    if (!std::isfinite(at.reactions[i]) || !at.reaction_slope.row(i).allFinite()) report("r" + number);
  }
  for (Index i = 0; i < at.g.size(); ++i) {
    if (!std::isfinite(at.g[i])) {
      report("constraint '" + text_of(i) + "'");
    } else if (!at.G.row(i).allFinite() || !std::isfinite(at.k[i])) {
      report("a derivative of constraint '" + text_of(i) + "'");
    }
  }
  if (!problems.empty()) return problems;
  if (!at.mass.allFinite() || !at.rhs.allFinite()) report("a derivative of p");
  if (!at.K.allFinite() || !at.gamma.allFinite()) report("a second derivative of a constraint");
  return problems;
}

ContinuousState OdaeEvaluator::evaluate(const InitialState& state, std::vector<Problem>& problems) const {
  require_shape(state);
  const OdaeValues at = values(state);
  ContinuousState result;
  result.energy = std::numeric_limits<double>::quiet_NaN();
  result.constraints.assign(at.k.begin(), at.k.end());
  result.positions.assign(at.g.begin(), at.g.end());
  for (const VectorXd& violations : {at.k, at.g}) {
    if (violations.size() > 0) {
      result.max_constraint = std::max(result.max_constraint, violations.cwiseAbs().maxCoeff());
    }
  }
  std::vector<Problem> found = not_finite(state);
  if (found.empty()) found = not_finite_at_start(at);
  Regularity momenta;
  if (found.empty()) {
    momenta = momentum_regularity(at.mass, system_.velocity_names());
    found = momenta.problems;
  }
  if (found.empty()) {
    Motion solution = motion(state, momenta.condition);
    InitialState there = state;
    if (solution.is_found) there.z.assign(solution.lambda.begin(), solution.lambda.end());
    const Regularity regular =
        reaction_regularity(at.mass, at.K, values(there).reaction_slope, system_.velocity_level());
    found = regular.problems;
    result.constraint_rank = regular.rank;
    result.condition = momenta.condition * regular.condition;
    result.cause = momenta.condition > regular.condition ? momenta.cause : regular.cause;
    if (found.empty() && result.condition > most_condition_in_double) solution = motion(state, result.condition);
    if (found.empty() && !solution.is_found) {
      found.push_back({"no multipliers " + list_of(system_.multiplier_names()) + " were found near the given ones",
                       {},
                       "give other values of lambda under [initial], or start elsewhere"});
    }
    if (found.empty()) {
      result.rates.assign(at.velocities.begin(), at.velocities.end());
      result.accelerations.assign(solution.a.begin(), solution.a.end());
      result.multipliers.assign(solution.lambda.begin(), solution.lambda.end());
    }
  }
  problems.insert(problems.end(), found.begin(), found.end());
  return result;
}

ContinuousState OdaeEvaluator::require_consistent(const InitialState& state) const {
  std::vector<Problem> problems;
  ContinuousState result = evaluate(state, problems);
  const OdaeValues at = values(state);
  const auto add = [&](const std::string& what, double value, double rounding, const std::string& remedy) {
    if (!std::isfinite(value) || std::abs(value) <= rounding) return;
    problems.push_back(
        {what + " is violated by " + to_short_text(std::abs(value)) + " at the initial state", {}, remedy});
  };
  const VectorXd g_rounding = rounding(position_bounds_, state), k_rounding = rounding(rate_bounds_, state);
  for (Index i = 0; i < at.g.size(); ++i) {
    add("constraint '" + text_of(i) + "'", at.g[i], g_rounding[i],
        "give consistent y, or use " + option("project") + " to take the nearest");
  }
  for (Index i = 0; i < at.k.size(); ++i) {
    add("the derivative g_t + g_y v = 0 of '" + text_of(i) + "'", at.k[i], k_rounding[i],
        "give consistent z, or use " + option("project") + " to take the nearest");
  }
  refuse(std::move(problems));
  return result;
}

InitialState OdaeEvaluator::project(const InitialState& state) const {
  require_shape(state);
  refuse(not_finite(state));
  refuse(not_finite_at_start(values(state)));
  InitialState result = state;
  const auto move_onto = [&](std::vector<double> InitialState::*variables, bool is_rate, const char* failure) {
    const auto moved = [&](const VectorXd& x) {
      InitialState there = result;
      (there.*variables).assign(x.begin(), x.end());
      return there;
    };
    const VectorXd start = as_vector(result.*variables);
    const Index n = start.size();
    NearestProblem nearest;
    nearest.metric = unit_metric(n);
    nearest.values = [&](const VectorXd& x) -> NearestProblem::Values {
      const OdaeValues at = values(moved(x));
      const VectorXd& violation = is_rate ? at.k : at.g;
      const MatrixXd& derivative = is_rate ? at.K : at.G;
      return {violation, derivative.sparseView(), rounding(is_rate ? rate_bounds_ : position_bounds_, moved(x))};
    };
    const Curvature curved = make_curvature(is_rate);
    if (!curved.entries.empty()) {
      nearest.curvature = [&, n](const VectorXd& x, const VectorXd& multipliers) {
        return curvature(curved, moved(x), multipliers, n);
      };
    }
    const auto x = nearest_point(nearest, start);
    if (!x) throw InputError(failure, "start closer to the constraints, or check that they can be satisfied");
    result = moved(*x);
  };
  move_onto(&InitialState::q, false, "no y that satisfies the constraints was found near the given one");
  move_onto(&InitialState::v, true, "no z that satisfies g_t + g_y v = 0 was found near the given one");
  return result;
}

}  // namespace

std::shared_ptr<const ContinuousEvaluator> odae_evaluator(const System& system, std::vector<double> parameters) {
  return std::make_shared<OdaeEvaluator>(system, std::move(parameters));
}

}  // namespace noslip

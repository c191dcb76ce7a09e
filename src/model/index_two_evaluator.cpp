#include "model/index_two_evaluator.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>

#include "model/nearest.hpp"
#include "model/regularity.hpp"
#include "model/scaled_solution.hpp"
#include "model/system_data.hpp"

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Problem not_finite_problem(const std::string& what) {
  Problem problem;
  problem.what = what + " is not finite at the initial state";
  problem.remedy = "check the initial values and the parameters";
  return problem;
}

}  // namespace

std::vector<Problem> IndexTwoEvaluator::not_finite_constraints(const IndexTwoValues& at) const {
  std::vector<Problem> problems;
  for (Index i = 0; i < at.g.size(); ++i) {
    if (!std::isfinite(at.g[i])) {
      problems.push_back(not_finite_problem("constraint '" + text_of(i) + "'"));
    } else if (!at.g_y.row(i).allFinite() || !std::isfinite(at.g_t[i])) {
      problems.push_back(not_finite_problem("a derivative of constraint '" + text_of(i) + "'"));
    }
  }
  return problems;
}

std::vector<Problem> IndexTwoEvaluator::not_finite_at_start(const IndexTwoValues& at) const {
  std::vector<Problem> problems;
  for (Index i = 0; i < at.f.size(); ++i) {
    if (std::isfinite(at.f[i])) continue;
    const std::string& name = system_.coordinates()[static_cast<std::size_t>(i)];
    problems.push_back(not_finite_problem("the rate f of '" + name + "'"));
  }
  const std::vector<Problem> of_g = not_finite_constraints(at);
  problems.insert(problems.end(), of_g.begin(), of_g.end());
  if (!problems.empty()) return problems;
  for (Index i = 0; i < at.hidden.size(); ++i) {
    if (std::isfinite(at.hidden[i]) && std::isfinite(at.hidden_t[i]) && at.hidden_y.row(i).allFinite() &&
        at.hidden_z.row(i).allFinite()) {
      continue;
    }
    problems.push_back(not_finite_problem("a derivative of the hidden constraint of '" + text_of(i) + "'"));
  }
  return problems;
}

/// "z1 = 0.5 and z2 = 1", or just "z" where there are many.
std::string IndexTwoEvaluator::named_z(const std::vector<double>& z) const {
  constexpr std::size_t most_shown = 4;
  if (z.size() > most_shown) return "z";
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < z.size(); ++i) {
    texts.push_back(fmt::format("{} = {}", system_.multiplier_names()[i], z[i]));
  }
  return list_of(texts);
}

ContinuousState IndexTwoEvaluator::evaluate(const InitialState& state, std::vector<Problem>& problems) const {
  require_shape(state);
  IndexTwoValues at = values(state);
  ContinuousState result;
  result.energy = std::numeric_limits<double>::quiet_NaN();
  result.constraints.assign(at.g.begin(), at.g.end());
  result.max_constraint = at.g.size() == 0 ? 0 : at.g.cwiseAbs().maxCoeff();

  const auto check_index = [&] {
    Regularity regular = index_regularity(at.g_y, at.f_z, system_.constraints());
    result.constraint_rank = regular.rank;
    result.condition = regular.condition;
    result.cause = std::move(regular.cause);
    return std::move(regular.problems);
  };
  std::vector<Problem> found = not_finite(state);
  if (found.empty()) found = not_finite_at_start(at);
  if (found.empty()) found = check_index();
  if (found.empty()) {
    InitialState solved = state;
    const Motion there = motion(state, result.condition);
    if (there.is_found) {
      solved.z.assign(there.lambda.begin(), there.lambda.end());
      at = values(solved);
      found = check_index();
    } else {
      found.push_back({"no z near the initial " + named_z(state.z) + " satisfies the hidden constraint",
                       {},
                       "start from other values of z, or with other values of y"});
    }
    if (found.empty()) {
      const VectorXd rates = solve_scaled(at.hidden_z, -(at.hidden_t + at.hidden_y * at.f));
      result.multipliers = solved.z;
      result.rates.assign(at.f.begin(), at.f.end());
      result.multiplier_rates.assign(rates.begin(), rates.end());
    }
  }
  problems.insert(problems.end(), found.begin(), found.end());
  return result;
}

ContinuousState IndexTwoEvaluator::require_consistent(const InitialState& state) const {
  std::vector<Problem> problems;
  ContinuousState solution = evaluate(state, problems);
  const IndexTwoValues at = values(state);
  const auto is_violated = [](double value, double rounding) {
    return std::isfinite(value) && std::abs(value) > rounding;
  };
  bool is_on_g = true;
  for (Index i = 0; i < at.g.size(); ++i) {
    if (!is_violated(at.g[i], at.g_rounding[i])) continue;
    is_on_g = false;
    problems.push_back(
        {"constraint '" + text_of(i) + "' is violated by " + to_short_text(std::abs(at.g[i])) + " at the initial state",
         {},
         "give consistent y, or use " + option("project") + " to take the nearest"});
  }
  // Away from g = 0 the z that belongs to y is of no use.
  const std::string found = is_on_g && !solution.multipliers.empty() ? named_z(solution.multipliers) : "z";
  for (Index i = 0; i < at.hidden.size(); ++i) {
    if (!is_violated(at.hidden[i], at.hidden_rounding[i])) continue;
    problems.push_back({"the hidden constraint g_t + g_y f = 0 of '" + text_of(i) + "' is violated by " +
                            to_short_text(std::abs(at.hidden[i])) + " at the initial state",
                        {},
                        found == "z" ? "give consistent z, or use " + option("project") + " to find one from here"
                                     : "give " + found + " (which " + option("project") +
                                           " finds from here), or the value of another branch"});
  }
  refuse(std::move(problems));
  return solution;
}

InitialState IndexTwoEvaluator::project(const InitialState& state) const {
  require_shape(state);
  refuse(not_finite(state));
  refuse(not_finite_constraints(values(state)));
  const auto moved = [&](const VectorXd& y) {
    InitialState there = state;
    there.q.assign(y.begin(), y.end());
    return there;
  };
  const auto n = static_cast<Index>(state.q.size());
  NearestProblem nearest;
  nearest.metric = unit_metric(n);
  nearest.values = [&](const VectorXd& y) -> NearestProblem::Values {
    const IndexTwoValues at = values(moved(y));
    return {at.g, at.g_y.sparseView(), at.g_rounding};
  };
  const Curvature second = make_curvature();
  if (!second.entries.empty()) {
    nearest.curvature = [&](const VectorXd& y, const VectorXd& multipliers) {
      return curvature(second, moved(y), multipliers, state.q.size());
    };
  }
  const auto y = nearest_point(nearest, as_vector(state.q));
  if (!y) {
    throw InputError("no y that satisfies the constraints was found near the given one",
                     "start closer to the constraints, or check that they can be satisfied at this time");
  }
  InitialState result = moved(*y);
  std::vector<Problem> problems;
  const ContinuousState solution = evaluate(result, problems);
  refuse(std::move(problems));
  result.z = solution.multipliers;
  return result;
}

std::shared_ptr<const ContinuousEvaluator> index_two_evaluator(const System& system, std::vector<double> parameters) {
  return std::make_shared<IndexTwoEvaluator>(system, std::move(parameters));
}

}  // namespace noslip

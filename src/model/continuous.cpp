#include <noslip/model/continuous.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/evaluator.hpp"
#include "model/kind/kind.hpp"

#include <noslip/core/option_name.hpp>

namespace noslip {

Continuous::Continuous(const System& system, std::vector<double> parameter_values) {
  if (parameter_values.size() != system.parameters().size()) {
    throw InputError(std::to_string(parameter_values.size()) + " parameter values for " +
                         std::to_string(system.parameters().size()) + " parameters of '" + system.name() + "'",
                     "take them from System::parameter_values");
  }
  evaluator_ = system.data().kind->evaluator(system, std::move(parameter_values));
}

ContinuousState Continuous::evaluate(const InitialState& state, std::vector<Problem>& problems) const {
  return evaluator_->evaluate(state, problems);
}

int digits_left(double condition, double epsilon) {
  const double digits = -std::log10(epsilon * condition);
  return digits > 0 ? static_cast<int>(digits) : 0;
}

std::optional<Warning> condition_warning(const ContinuousState& state, double t, double epsilon) {
  constexpr int enough = 8;
  if (std::isnan(state.condition) || digits_left(state.condition, epsilon) >= enough) return std::nullopt;
  const int left = digits_left(state.condition, epsilon), all = digits_left(1, epsilon) + 1;
  const std::string numbers = state.multipliers.empty() ? "accelerations" : "multipliers";
  const std::string right = left == 0 ? "without a digit that is sure to be right"
                                      : fmt::format("with {} of {} digits that are sure to be right", left, all);
  return Warning{"condition",
                 fmt::format("the equations of motion are ill-conditioned at the initial state: {}{}condition {:.1e}, "
                             "{} {}; change the system, or use {}",
                             state.cause, state.cause.empty() ? "" : "; ", state.condition, numbers, right,
                             option("precision", "quad")),
                 t};
}

InitialState Continuous::project(const InitialState& state) const { return evaluator_->project(state); }

ContinuousState Continuous::require_consistent(const InitialState& state) const {
  return evaluator_->require_consistent(state);
}

std::vector<Tape::Input> ContinuousEvaluator::inputs() const {
  std::vector<Tape::Input> result{{system_.t(), 0}};
  const auto add = [&](Expr symbol) { result.push_back({symbol, static_cast<std::uint32_t>(result.size())}); };
  for (const auto* symbols : {&system_.q(), &system_.v(), &system_.z()}) {
    for (const Expr symbol : *symbols) add(symbol);
  }
  for (const Parameter& parameter : system_.parameters()) add(parameter.symbol);
  return result;
}

std::size_t ContinuousEvaluator::input_count() const {
  return 1 + system_.q().size() + system_.v().size() + system_.z().size() + parameters_.size();
}

std::vector<double> ContinuousEvaluator::workspace(const InitialState& state, std::size_t outputs) const {
  std::vector<double> result;
  result.reserve(input_count() + outputs);
  result.push_back(state.t);
  for (const auto* values : {&state.q, &state.v, &state.z, &parameters_}) {
    result.insert(result.end(), values->begin(), values->end());
  }
  result.resize(input_count() + outputs);
  return result;
}

ContinuousEvaluator::Curvature ContinuousEvaluator::make_curvature(
    Substitution& copy, const std::vector<std::vector<Entry>>& hessians) const {
  std::vector<Tape::Input> given = inputs();
  for (Tape::Input& input : given) input.symbol = copy(input.symbol);
  std::vector<Tape::Output> outputs;
  Curvature result;
  for (std::size_t i = 0; i < hessians.size(); ++i) {
    for (const Entry& entry : hessians[i]) {
      outputs.push_back({entry.value, static_cast<std::uint32_t>(given.size() + outputs.size())});
      result.entries.push_back({static_cast<int>(i), entry.row, entry.column});
    }
  }
  if (!outputs.empty()) result.kernel = Kernel<double>(Tape(given, outputs), Backend::interpreter);
  return result;
}

Eigen::MatrixXd ContinuousEvaluator::curvature(const Curvature& of, const InitialState& state,
                                               const Eigen::VectorXd& multipliers, std::size_t size) const {
  const auto n = static_cast<Eigen::Index>(size);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n, n);
  std::vector<double> work = workspace(state, of.entries.size());
  std::vector<double> scratch(of.kernel.scratch_size());
  of.kernel(work.data(), scratch.data());
  for (std::size_t i = 0; i < of.entries.size(); ++i) {
    const Curvature::Place& entry = of.entries[i];
    result(entry.row, entry.column) += multipliers[entry.constraint] * work[input_count() + i];
  }
  return result;
}

Eigen::VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<double> ContinuousEvaluator::input_errors(const InitialState& state) const {
  std::vector<double> result = workspace(state, 0);
  for (double& value : result) value = RoundingBounds::unit * std::abs(value);
  // A number that is tiny beside others of its kind may be the rest of numbers that cancelled, and be meant as zero:
  // sin(pi) is 1.2e-16.
  std::size_t slot = 1;
  for (const std::vector<double>* block : {&state.q, &state.v, &state.z}) {
    double largest = 0;
    for (const double value : *block) largest = std::max(largest, std::abs(value));
    const double tiny = 2 * RoundingBounds::unit * std::min(largest, 1.0);
    for (const double value : *block) {
      if (std::abs(value) < tiny) result[slot] = std::abs(value);
      ++slot;
    }
  }
  // The entries of a rotation matrix are what is left of others of size one.
  for (const Factor& factor : system_.factors()) {
    for (std::size_t i = 0; factor.is_matrix() && i < factor.size; ++i) {
      if (i % factor.columns() < 3) result[1 + factor.first + i] = RoundingBounds::unit;
    }
  }
  return result;
}

RoundingBounds ContinuousEvaluator::make_bounds(const std::vector<Expr>& functions) const {
  std::vector<Expr> symbols;
  for (const Tape::Input& input : inputs()) symbols.push_back(input.symbol);
  return RoundingBounds(functions, symbols);
}

std::vector<Problem> ContinuousEvaluator::not_finite(const InitialState& state) const {
  std::vector<Problem> problems;
  const auto check = [&](const std::string& name, double number) {
    if (std::isfinite(number)) return;
    Problem problem;
    problem.what = "the initial value of " + name + " is " + to_text(number);
    problem.remedy = "give a finite number";
    problems.push_back(std::move(problem));
  };
  check("t", state.t);
  for (std::size_t i = 0; i < state.q.size(); ++i) check(system_.coordinates()[i], state.q[i]);
  for (std::size_t i = 0; i < state.v.size(); ++i) check(system_.v()[i].name(), state.v[i]);
  for (std::size_t i = 0; i < state.z.size(); ++i) check(system_.z()[i].name(), state.z[i]);
  return problems;
}

}  // namespace noslip

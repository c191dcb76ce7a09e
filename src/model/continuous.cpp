#include <noslip/model/continuous.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/option_name.hpp>

#include "model/conditioning.hpp"
#include "model/evaluator.hpp"
#include "model/kind/kind.hpp"

namespace noslip {

Continuous::Continuous(const System& system, std::vector<double> parameter_values) {
  const DefaultArithmetic arithmetic;
  system.require_parameter_count(parameter_values.size());
  evaluator_ = system.data().kind->evaluator(system, std::move(parameter_values));
}

Continuous Continuous::with_parameters(std::vector<double> parameter_values) const {
  const DefaultArithmetic arithmetic;
  evaluator_->system().require_parameter_count(parameter_values.size());
  return Continuous(evaluator_->with_parameters(std::move(parameter_values)));
}

ContinuousState Continuous::evaluate(const InitialState& state, std::vector<Problem>& problems) const {
  const DefaultArithmetic arithmetic;
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

InitialState Continuous::project(const InitialState& state) const {
  const DefaultArithmetic arithmetic;
  return evaluator_->project(state);
}

ContinuousState Continuous::require_consistent(const InitialState& state) const {
  const DefaultArithmetic arithmetic;
  return evaluator_->require_consistent(state);
}

template <class T>
const EquationsOfMotion<T>& ContinuousEvaluator::equations() const {
  return std::get<Lazy<EquationsOfMotion<T>>>(*equations_).get([&] { return EquationsOfMotion<T>(system_); });
}

template <class T>
const EquationsOfMotion<T>& Continuous::equations() const {
  return evaluator_->equations<T>();
}
template const EquationsOfMotion<double>& Continuous::equations() const;
template const EquationsOfMotion<long double>& Continuous::equations() const;
template const EquationsOfMotion<quad>& Continuous::equations() const;

std::vector<double> ContinuousEvaluator::numbers(const InitialState& state) const {
  std::vector<double> result{state.t};
  for (const auto* values : {&state.q, &state.v, &state.z, &parameters_}) {
    result.insert(result.end(), values->begin(), values->end());
  }
  return result;
}

template <class T>
ContinuousEvaluator::Motion ContinuousEvaluator::motion_in(const InitialState& state) const {
  std::vector<T> variables(state.q.begin(), state.q.end()), a(system_.mass().size());
  std::vector<T> lambda(system_.multiplier_names().size());
  variables.insert(variables.end(), state.v.begin(), state.v.end());
  if (system_.has_implicit_momenta()) {
    variables.insert(variables.end(), state.z.begin(), state.z.end());
  } else {
    std::copy(state.z.begin(), state.z.end(), lambda.begin());
  }
  MotionSolver<T> solver(equations<T>(), std::vector<T>(parameters_.begin(), parameters_.end()));
  Motion result;
  result.is_found = solver.solve(T(state.t), variables, a, lambda);
  const auto rounded = [](std::span<const T> values) {
    Eigen::VectorXd numbers(static_cast<Eigen::Index>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      numbers[static_cast<Eigen::Index>(i)] = static_cast<double>(values[i]);
    }
    return numbers;
  };
  result.a = rounded(a);
  result.lambda = rounded(lambda);
  result.ideal_lambda = rounded(solver.ideal_multipliers());
  return result;
}

ContinuousEvaluator::Motion ContinuousEvaluator::motion(const InitialState& state, double condition) const {
  if (condition <= most_condition_in_double) {
    const Motion found = motion_in<double>(state);
    if (found.is_found) return found;  // multipliers that are zero but for rounding need more digits
  }
  return motion_in<quad>(state);
}

ContinuousEvaluator::Curvature ContinuousEvaluator::make_curvature(
    Substitution& copy, const std::vector<std::vector<Entry>>& hessians) const {
  std::vector<Expr> entries;
  Curvature result;
  for (std::size_t i = 0; i < hessians.size(); ++i) {
    for (const Entry& entry : hessians[i]) {
      entries.push_back(entry.value);
      result.entries.push_back({static_cast<int>(i), entry.row, entry.column});
    }
  }
  if (!entries.empty()) result.function = Function<double>(copied(copy, state_blocks(system_)), {entries});
  return result;
}

SparseRows ContinuousEvaluator::curvature(const Curvature& of, const InitialState& state,
                                          const Eigen::VectorXd& multipliers, std::size_t size) const {
  const auto n = static_cast<Eigen::Index>(size);
  std::vector<Eigen::Triplet<double>> entries;
  const Evaluation<double> here = at(of.function, state);
  for (std::size_t i = 0; i < of.entries.size(); ++i) {
    const Curvature::Place& entry = of.entries[i];
    entries.emplace_back(entry.row, entry.column, multipliers[entry.constraint] * here.output(0)[i]);
  }
  SparseRows result(n, n);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

Eigen::VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<double> ContinuousEvaluator::input_errors(const InitialState& state) const {
  std::vector<double> result = numbers(state);
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
  return RoundingBounds(functions, entries_of(state_blocks(system_)));
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

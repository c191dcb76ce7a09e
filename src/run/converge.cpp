#include <noslip/run/converge.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/names.hpp>

#include "run/exact.hpp"
#include "run/method_rows.hpp"
#include "run/reference.hpp"
#include "run/study.hpp"

namespace noslip {

namespace {

void check_steps(const StudyRuns& runs, const std::vector<quad>& steps, std::vector<Problem>& problems) {
  if (steps.empty())
    problems.push_back({"no steps are given", {}, "give two or more, for example 0.1, 0.05 and 0.025"});
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    if (std::find(steps.begin(), step, *step) != step) {
      problems.push_back(
          {fmt::format("the step {} is given twice", to_text(static_cast<double>(*step))), {}, "give it once"});
    } else {
      runs.check_step(*step, problems);
    }
  }
}

class Study {
 public:
  Study(const System& system, const InitialState* initial, const ConvergeOptions& options)
      : options_(options), runs_(system, initial, common_options(options), options.progress) {
    std::vector<Problem> problems;
    for (std::shared_ptr<const Method>& method : find_methods(system, options.methods, problems)) {
      methods_.emplace_back(system, std::move(method), options.steps);
    }
    runs_.check_end(problems);
    check_steps(runs_, options.steps, problems);
    if (!problems.empty()) throw InputError(std::move(problems));
    result_.system = system.name();
    result_.until = static_cast<double>(options.until);
    choose_reference();
  }

  Convergence run() {
    for (MethodRows& rows : methods_) rows.run(runs_, options_.precision.value_or(Precision::double_precision));
    if (exact_) exact_state_ = exact_->at(options_.until, best_multipliers());
    bool has_changed = true;
    while (has_changed) {
      if (reference_) reference_->refine([this](const QuadState& state) { return needed(state); });
      if (reference_ && reference_->outcome().status != Status::done) break;
      const QuadState& reference = reference_ ? reference_->state() : exact_state_;
      const StateNumbers uncertainty = reference_ ? reference_->error() : StateNumbers{0, 0, 0};
      const bool multipliers_gain = !reference_ || reference_->multipliers_gain();
      has_changed = false;
      for (MethodRows& rows : methods_) {
        rows.measure(reference, uncertainty);
        if (options_.precision) continue;
        has_changed = rows.repeat_with_more_digits(runs_, multipliers_gain) || has_changed;
      }
    }
    describe();
    return std::move(result_);
  }

 private:
  static RunOptions common_options(const ConvergeOptions& options) {
    RunOptions common;
    common.until = options.until;
    common.set = options.set;
    common.init = options.init;
    common.control = options.control;
    common.project = options.project;
    common.backend = options.backend;
    return common;
  }

  void choose_reference() {
    exact_ = ExactSolution::of(runs_.system(), options_.set);
    if (exact_ && exact_->passes(runs_.start())) return;
    if (!runs_.system().exact().empty()) {
      result_.notes.push_back(fmt::format("{}; errors are taken against a computed reference",
                                          exact_
                                              ? "the exact solution of the system does not start at these initial data"
                                              : "the [exact] table does not name all coordinates"));
    }
    exact_.reset();
    int order = 0;
    for (const MethodRows& rows : methods_) order = std::max(order, rows.order());
    const auto [least, most] = std::minmax_element(options_.steps.begin(), options_.steps.end());
    reference_.emplace(runs_, order + 2, *most, *least);
  }

  /// Those of the run that should be the best: where a state has several multipliers they tell which are meant.
  std::vector<quad> best_multipliers() const {
    const MethodRows* best = &methods_.front();
    for (const MethodRows& rows : methods_) {
      if (rows.order() > best->order()) best = &rows;
    }
    return best->finest_multipliers();
  }

  StateNumbers needed(const QuadState& reference) const {
    StateNumbers least;
    for (const MethodRows& rows : methods_) {
      const StateNumbers one = rows.needed(reference);
      for (const auto part : state_parts) least.*part = std::fmin(least.*part, one.*part);
    }
    return least;
  }

  void describe() {
    result_.reference.is_exact = !reference_;
    if (reference_) {
      result_.reference = reference_->describe();
      result_.outcome = reference_->outcome();
      if (result_.outcome.status == Status::failed) {
        result_.outcome.message =
            fmt::format("the reference ({}) failed: {}", result_.reference.text(), result_.outcome.message);
      }
    }
    if (runs_.stopped()) result_.outcome = {Status::interrupted, "interrupted before all runs were finished"};
    std::vector<std::string> uneven;
    for (const quad step : options_.steps) {
      if (!runs_.divides(step)) uneven.push_back(to_text(static_cast<double>(step)));
    }
    if (!uneven.empty()) {
      result_.notes.push_back(fmt::format(
          "the time is no multiple of the step{} {}: the last step is shorter there, which disturbs the slopes",
          uneven.size() > 1 ? "s" : "", list_of(uneven)));
    }
    const bool may_add_digits = options_.precision && *options_.precision != Precision::quadruple;
    for (const MethodRows& rows : methods_) result_.results.push_back(rows.result(may_add_digits));
  }

  const ConvergeOptions& options_;
  StudyRuns runs_;
  std::vector<MethodRows> methods_;
  std::optional<ExactSolution> exact_;  // if it is used
  QuadState exact_state_;               // at the end time
  std::optional<Reference> reference_;  // otherwise
  Convergence result_;
};

}  // namespace

std::string ConvergeReference::text() const {
  return is_exact ? "the exact solution"
                  : fmt::format("{} with step {} in {} precision", method, to_short_text(step), to_text(precision));
}

Convergence converge(const System& system, const InitialState& initial, const ConvergeOptions& options) {
  const DefaultArithmetic arithmetic;
  return Study(system, &initial, options).run();
}

Convergence converge(const System& system, const ConvergeOptions& options) {
  const DefaultArithmetic arithmetic;
  return Study(system, nullptr, options).run();
}

}  // namespace noslip

#include "run/study.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/options.hpp>
#include <noslip/core/stopping.hpp>

#include "run/setup.hpp"
#include "run/step_count.hpp"

namespace noslip {

namespace {

double largest(const std::vector<quad>& a, const std::vector<quad>& b) {
  if (a.empty() || a.size() != b.size()) return std::numeric_limits<double>::quiet_NaN();
  quad most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const quad difference = a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
    if (!(difference <= most)) most = difference;
    if (most != most) break;
  }
  return static_cast<double>(most);
}

}  // namespace

RunOptions options_of_runs(const CompareOptions& options) {
  RunOptions common;
  common.step = options.step;
  common.until = options.until;
  common.set = options.set;
  common.init = options.init;
  common.control = options.control;
  common.project = options.project;
  common.backend = options.backend;
  common.precision = options.precision;
  return common;
}

StateNumbers distance(const QuadState& a, const QuadState& b) {
  return {largest(a.q, b.q), largest(a.v, b.v), largest(a.multipliers, b.multipliers)};
}

StateNumbers size_of(const QuadState& state) {
  QuadState zero = state;
  for (std::vector<quad>* values : {&zero.q, &zero.v, &zero.multipliers}) std::fill(values->begin(), values->end(), 0);
  return distance(state, zero);
}

StateNumbers larger(const StateNumbers& a, const StateNumbers& b) {
  StateNumbers result;
  for (const auto part : state_parts) result.*part = std::fmax(a.*part, b.*part);
  return result;
}

double unit_of(Precision precision) {
  switch (precision) {
    case Precision::long_double: return std::ldexp(1.0, -63);
    case Precision::quadruple: return std::ldexp(1.0, -112);
    case Precision::double_precision: break;
  }
  return std::numeric_limits<double>::epsilon();
}

Precision next_precision(Precision precision) {
  return precision == Precision::double_precision ? Precision::long_double : Precision::quadruple;
}

std::vector<std::shared_ptr<const Method>> find_methods(const System& system, const std::vector<std::string>& names,
                                                        std::vector<Problem>& problems) {
  std::vector<std::shared_ptr<const Method>> methods;
  if (names.empty()) problems.push_back({"no method is given", {}, "name one, for example gauss:2"});
  for (const std::string& name : names) {
    try {
      std::shared_ptr<const Method> method = find_method(name);
      const auto is_same = [&](const auto& known) { return known->traits().name == method->traits().name; };
      if (std::any_of(methods.begin(), methods.end(), is_same)) {
        problems.push_back({fmt::format("method '{}' is given twice", name), {}, "name it once"});
      }
      if (const std::string reason = method->why_not(system); !reason.empty()) {
        problems.push_back({fmt::format("method '{}' cannot integrate system '{}': {}", name, system.name(), reason),
                            {},
                            "leave it out; noslip methods SYSTEM tells which methods can"});
      }
      methods.push_back(std::move(method));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  return methods;
}

StudyRuns::StudyRuns(const System& system, const InitialState* initial, RunOptions common, StudyProgress progress)
    : system_(system), initial_(initial), common_(std::move(common)), progress_(std::move(progress)) {
  const InitialStateQuad start = given_start(system, initial, common_.set, common_.init);
  begin_ = start.t;
  start_ = to_double(start);
  if (common_.project) start_ = Continuous(system, system.parameter_values(common_.set)).project(start_);
}

Trajectory StudyRuns::run(const std::string& method, quad step, Precision precision) {
  if (stopped_) {
    Trajectory nothing;
    nothing.outcome = {Status::interrupted, "interrupted before the first step"};
    return nothing;
  }
  RunOptions options = common_;
  options.method = method;
  options.step = step;
  options.precision = precision;
  if (precision != Precision::double_precision && options.backend == Backend::jit) {
    options.backend = Backend::automatic;  // there is no machine code with more digits
  }
  if (progress_) {
    options.progress = [this, what = fmt::format("{}, step {}, {}", method, to_short_text(static_cast<double>(step)),
                                                 to_text(precision))](long long done, long long all) {
      if (!progress_(what, done, all)) stopped_ = true;
      return !stopped_;
    };
  }
  Trajectory run = initial_ != nullptr ? integrate(system_, *initial_, options) : integrate(system_, options);
  if (run.outcome.status == Status::interrupted) stopped_ = true;  // perhaps before it began
  return run;
}

BenchResult StudyRuns::bench(const RunOptions& options) {
  try {
    if (initial_ != nullptr) return noslip::bench(system_, *initial_, options, 1);
    const std::vector<double> parameters = system_.parameter_values(options.set);
    return noslip::bench(system_, system_.initial_state(parameters), options, 1);
  } catch (const Interrupted& interrupted) {
    stopped_ = true;
    BenchResult nothing;
    nothing.outcome = {Status::interrupted, interrupted.what()};
    return nothing;
  }
}

void StudyRuns::check_end(std::vector<Problem>& problems) const {
  const double end = static_cast<double>(common_.until);
  if (end > start_.t && std::isfinite(end)) return;
  problems.push_back({fmt::format("the end time {} is not after the initial time {}", to_text(end), to_text(start_.t)),
                      {},
                      "give a later time"});
}

void StudyRuns::check_step(quad given, std::vector<Problem>& problems) const {
  const double step = static_cast<double>(given), end = static_cast<double>(common_.until);
  const auto refuse = [&](std::string what, std::string remedy) {
    problems.push_back({std::move(what), {}, std::move(remedy)});
  };
  if (!option_named("step").holds(step)) {
    refuse(fmt::format("the step is {}", to_text(step)), "give a positive number in the time unit of the system");
  } else if (start_.t + step == start_.t) {
    refuse(fmt::format("the step {} is lost in the rounding of the initial time {}", to_text(step), to_text(start_.t)),
           "use a larger step, or start at t = 0");
  } else if ((end - start_.t) / step > option_named("steps").most) {
    refuse(fmt::format("step {} up to the time {} makes more than 2^53 steps", to_text(step), to_text(end)),
           "use a larger step or an earlier end");
  }
}

bool StudyRuns::divides(quad step) const {
  RunOptions options = common_;
  options.step = step;
  return count_steps(begin_, options).parts == 0;
}

}  // namespace noslip

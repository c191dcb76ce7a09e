#include <noslip/run/compare.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>

#include "run/exact.hpp"
#include "run/study.hpp"

namespace noslip {

namespace {

/// Long enough to be measured; where that leads into a region that the run does not reach, as long as the run.
double cost_of(StudyRuns& runs, const std::string& method, long long steps) {
  RunOptions options = runs.common();
  options.method = method;
  options.until = std::numeric_limits<double>::quiet_NaN();
  const BenchResult many = runs.bench(options);
  if (many.outcome.status != Status::failed) return many.nanoseconds_per_step;
  options.steps = steps;
  return runs.bench(options).nanoseconds_per_step;
}

Comparison compare_any(const System& system, const InitialState* initial, const CompareOptions& options) {
  const DefaultArithmetic arithmetic;
  StudyRuns runs(system, initial, options_of_runs(options), options.progress);
  std::vector<Problem> problems;
  const auto methods = find_methods(system, options.methods, problems);
  runs.check_end(problems);
  runs.check_step(options.step, problems);
  if (!problems.empty()) throw InputError(std::move(problems));

  Comparison result;
  result.system = system.name();
  result.step = static_cast<double>(options.step);
  result.until = static_cast<double>(options.until);
  std::optional<ExactSolution> exact = ExactSolution::of(system, options.set);
  if (exact && !exact->passes(runs.start())) {
    result.notes.emplace_back("the exact solution of the system does not start at these initial data: no errors");
    exact.reset();
  }
  result.has_exact = exact.has_value();
  if (system.sampled() != nullptr || !options.control.series.empty() || !options.control.controllers.empty()) {
    result.notes.emplace_back("the cost is that of steps alone: inputs keep their values while it is measured");
  }
  for (const auto& method : methods) {
    CompareResult one;
    one.run = runs.run(method->traits().name, options.step, options.precision);
    if (runs.stopped()) break;
    if (one.run.outcome.status == Status::done) {
      const QuadState& end = one.run.last_quad;
      if (exact) one.error = distance(end, exact->at(options.until, end.multipliers));
      one.nanoseconds_per_step = cost_of(runs, method->traits().name, one.run.steps);
      if (runs.stopped()) break;
    }
    result.results.push_back(std::move(one));
  }
  if (runs.stopped()) {
    result.outcome = {Status::interrupted,
                      fmt::format("interrupted after {} of {} methods", result.results.size(), methods.size())};
  }
  const auto cost = [](const CompareResult& one) {
    return std::isnan(one.nanoseconds_per_step) ? std::numeric_limits<double>::infinity() : one.nanoseconds_per_step;
  };
  std::stable_sort(result.results.begin(), result.results.end(),
                   [&](const CompareResult& a, const CompareResult& b) { return cost(a) < cost(b); });
  return result;
}

}  // namespace

Comparison compare(const System& system, const InitialState& initial, const CompareOptions& options) {
  return compare_any(system, &initial, options);
}

Comparison compare(const System& system, const CompareOptions& options) {
  return compare_any(system, nullptr, options);
}

}  // namespace noslip

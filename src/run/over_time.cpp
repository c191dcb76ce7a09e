#include <noslip/run/over_time.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>

#include "run/study.hpp"

namespace noslip {

namespace {

ComparisonOverTime compare_all_times(const System& system, const InitialState* initial, const CompareOptions& options) {
  ErrorsOverTime* watched = nullptr;  // what the run at hand is written to
  RunOptions common = options_of_runs(options);
  common.every = 1;
  common.sink = [&watched](const Sample& sample) { watched->add(sample); };
  StudyRuns runs(system, initial, std::move(common), options.progress);
  std::vector<Problem> problems;
  const auto methods = find_methods(system, options.methods, problems);
  runs.check_end(problems);
  runs.check_step(options.step, problems);
  if (!problems.empty()) throw InputError(std::move(problems));

  ComparisonOverTime result;
  Comparison& comparison = result.comparison;
  comparison.system = system.name();
  comparison.step = static_cast<double>(options.step);
  comparison.until = static_cast<double>(options.until);
  for (const auto& method : methods) {
    ErrorsOverTime errors(runs.start().t, comparison.until);
    watched = &errors;
    CompareResult one;
    one.run = runs.run(method->traits().name, options.step, options.precision);
    if (runs.stopped()) break;
    if (one.run.outcome.status == Status::done) one.error.q = one.run.error_at_end;
    comparison.has_exact = comparison.has_exact || !std::isnan(one.run.error_at_end);
    comparison.results.push_back(std::move(one));
    result.errors.push_back(std::move(errors));
  }
  if (runs.stopped()) {
    comparison.outcome = {Status::interrupted,
                          fmt::format("interrupted after {} of {} methods", comparison.results.size(), methods.size())};
  }
  return result;
}

}  // namespace

ErrorsOverTime::ErrorsOverTime(double begin, double end, int spans) : begin_(begin), end_(end), spans_(spans) {}

void ErrorsOverTime::Envelope::add(int in_span, Point point) {
  if (in_span != span) {
    points.push_back(point);
  } else if (point.error > points.back().error) {
    points.back() = point;
  }
  span = in_span;
}

void ErrorsOverTime::add(const Sample& sample) {
  if (!std::exchange(has_begun_, true)) {
    initial_energy_ = sample.energy;
    return;
  }
  const double share = (sample.t - begin_) / (end_ - begin_);
  const int span = std::clamp(static_cast<int>(share * spans_), 0, spans_ - 1);
  if (!std::isnan(sample.energy)) {
    energy_.add(span, {sample.t, std::fabs(sample.energy - sample.work - initial_energy_)});
  }
  constraints_.add(span, {sample.t, sample.max_constraint});
}

ComparisonOverTime compare_over_time(const System& system, const InitialState& initial, const CompareOptions& options) {
  const DefaultArithmetic arithmetic;
  return compare_all_times(system, &initial, options);
}

ComparisonOverTime compare_over_time(const System& system, const CompareOptions& options) {
  const DefaultArithmetic arithmetic;
  return compare_all_times(system, nullptr, options);
}

}  // namespace noslip

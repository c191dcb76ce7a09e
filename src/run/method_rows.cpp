#include "run/method_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

namespace noslip {

namespace {

/// An error this many times the bound on rounding is measured to a percent.
constexpr double trusted = 100;
/// An error this many times the floor still counts for the order.
constexpr double least_above_floor = 10;
/// What the reference may be wrong by, relative to an error.
constexpr double share_of_reference = 1e-3;

using Points = std::vector<std::pair<double, double>>;  // step, error

/// Slope of log(error) over log(step); NaN with fewer than two points.
double fitted_slope(const Points& points) {
  if (points.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const double count = static_cast<double>(points.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [step, error] : points) {
    x += std::log(step) / count;
    y += std::log(error) / count;
  }
  for (const auto& [step, error] : points) {
    xx += (std::log(step) - x) * (std::log(step) - x);
    xy += (std::log(step) - x) * (std::log(error) - y);
  }
  return xy / xx;
}

/// Why there are too few points, and what to do.
std::string why_no_order(std::size_t measured, std::size_t above, bool may_add_digits) {
  if (measured == 1) return "one error makes no slope; give two steps or more";
  const std::string advice = may_add_digits ? "give larger steps or more digits" : "give larger steps";
  if (above == 1) return fmt::format("only one of {} errors is above rounding; {}", measured, advice);
  if (may_add_digits) return "all errors are rounding; " + advice;
  return "all errors are as small as rounding and the uncertainty of the reference: the method is exact here, the "
         "steps are too small, or the solution is too sensitive for a reference";
}

}  // namespace

bool is_above_floor(double error, double floor) { return error > least_above_floor * floor; }

MethodRows::MethodRows(const System& system, std::shared_ptr<const Method> method, const std::vector<quad>& steps)
    : method_(std::move(method)),
      order_(method_->traits().order_on(system)),
      multiplier_order_(method_->traits().multiplier_order_on(system)),
      rows_(steps.size()),
      by_size_(steps.size()) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    rows_[i].step = steps[i];
    rows_[i].shown.step = static_cast<double>(steps[i]);
    rows_[i].shown.outcome = {Status::interrupted, "not run"};
  }
  std::iota(by_size_.begin(), by_size_.end(), 0);
  std::sort(by_size_.begin(), by_size_.end(), [&](std::size_t a, std::size_t b) { return steps[a] > steps[b]; });
}

Trajectory MethodRows::execute(StudyRuns& runs, std::size_t index, Precision precision) {
  Row& row = rows_[index];
  Trajectory run = runs.run(name(), row.step, precision);
  if (run.outcome.status == Status::interrupted && row.is_done()) return run;  // the row with fewer digits stands
  row.precision = precision;
  row.state = run.last_quad;
  row.shown = {row.shown.step, run.steps, precision, {}, {}, run.outcome};
  row.is_divided = std::any_of(run.warnings.begin(), run.warnings.end(),
                               [](const Warning& warning) { return warning.code == "inputs"; });
  return run;
}

void MethodRows::run(StudyRuns& runs, Precision precision) {
  Trajectory shortest;  // the run with the largest step
  for (const std::size_t i : by_size_) {
    Trajectory run = execute(runs, i, precision);
    if (i == by_size_.front()) shortest = std::move(run);
  }
  const quad step = rows_[by_size_.front()].step;
  if (precision != Precision::double_precision) shortest = runs.run(name(), step, Precision::double_precision);
  rounding_ = Rounding::measure(runs, name(), step, shortest);
}

std::vector<quad> MethodRows::finest_multipliers() const {
  for (auto i = by_size_.rbegin(); i != by_size_.rend(); ++i) {
    if (rows_[*i].is_done()) return rows_[*i].state.multipliers;
  }
  return {};
}

StateNumbers MethodRows::needed(const QuadState& reference) const {
  constexpr double none = std::numeric_limits<double>::infinity();
  StateNumbers least{none, none, none};
  for (const Row& row : rows_) {
    if (!row.is_done()) continue;
    const StateNumbers error = distance(row.state, reference);
    const StateNumbers rounded = rounding_of(row);
    for (const auto part : state_parts) {
      least.*part = std::fmin(least.*part, std::fmax(share_of_reference * (error.*part), rounded.*part));
    }
  }
  return least;
}

void MethodRows::measure(const QuadState& reference, const StateNumbers& uncertainty) {
  for (Row& row : rows_) {
    if (!row.is_done()) continue;
    row.shown.error = distance(row.state, reference);
    row.shown.floor = rounding_of(row);
    for (const auto part : state_parts) row.shown.floor.*part += uncertainty.*part;
  }
}

bool MethodRows::repeat_with_more_digits(StudyRuns& runs, bool multipliers_gain) {
  bool has_repeated = false;
  for (const auto part : state_parts) {
    const bool is_multipliers = part == &StateNumbers::multipliers;
    if (is_multipliers && !(multipliers_gain && rounding_.multipliers_gain())) continue;
    has_repeated = repeat_one(runs, part) || has_repeated;
  }
  return has_repeated;
}

bool MethodRows::repeat_one(StudyRuns& runs, double StateNumbers::*part) {
  const Row* before = nullptr;
  for (const std::size_t i : by_size_) {
    const Row& row = rows_[i];
    if (!row.is_done()) continue;
    if (std::isnan(row.shown.error.*part)) return false;  // repeated a moment ago, or there is nothing to measure
    if (row.shown.error.*part < trusted * (rounding_of(row).*part)) {
      if (row.precision == Precision::quadruple) return false;
      execute(runs, i, precision_for(row, before, part));
      return !runs.stopped();
    }
    before = &row;
  }
  return false;
}

Precision MethodRows::precision_for(const Row& row, const Row* before, double StateNumbers::*part) const {
  const Precision next = next_precision(row.precision);
  if (before == nullptr || next == Precision::quadruple) return next;
  const double expected = before->shown.error.*part * std::pow(row.shown.step / before->shown.step, order());
  return expected > trusted * (rounding_.after(row.shown.steps, next).*part) ? next : Precision::quadruple;
}

ConvergeResult MethodRows::result(bool may_add_digits) const {
  constexpr std::array<const char*, 3> names{"q", "v", "the multipliers"};
  ConvergeResult result;
  result.method = name();
  result.order_claimed = order();
  result.multiplier_order_claimed = multiplier_order_;
  for (const Row& row : rows_) result.rows.push_back(row.shown);
  std::map<std::string, std::vector<std::string>> missing;  // by reason
  for (std::size_t i = 0; i < state_parts.size(); ++i) {
    const auto part = state_parts[i];
    Points points;
    std::size_t measured = 0;
    for (const ConvergeRow& row : result.rows) {
      if (!std::isnan(row.error.*part)) ++measured;
      if (is_above_floor(row.error.*part, row.floor.*part)) points.emplace_back(row.step, row.error.*part);
    }
    result.order.*part = fitted_slope(points);
    if (measured > 0 && points.size() < 2) {
      missing[why_no_order(measured, points.size(), may_add_digits)].emplace_back(names[i]);
    }
  }
  std::vector<std::string> divided;
  for (const Row& row : rows_) {
    if (row.is_divided) divided.push_back(to_text(row.shown.step));
  }
  if (!divided.empty()) {
    result.notes.push_back(fmt::format(
        "the time between two changes of the inputs is no multiple of the step{} {}: steps are smaller there, which "
        "disturbs the slopes",
        divided.size() > 1 ? "s" : "", list_of(divided)));
  }
  for (const auto& [reason, which] : missing) {
    result.notes.push_back(fmt::format("no order of {}: {}", list_of(which), reason));
  }
  return result;
}

}  // namespace noslip

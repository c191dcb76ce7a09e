#include "run/reference.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace noslip {

namespace {

constexpr int most_parts = 16;

/// The finer of two runs is better than their difference; by how much is not taken on trust in the order, but a method
/// of order two gains this already.
constexpr double gain_of_halving = 4;

/// Stages of each family that give this order at least; a family that does not accept the system is passed over.
std::vector<std::string> candidates(int order) {
  const int stages = (order + 1) / 2;
  std::vector<std::string> names;
  for (const char* family : {"gauss", "srk-gauss"}) {
    // With all stages that there are, the same order has to do.
    for (const int s : {stages, stages - 1}) names.push_back(fmt::format("{}:{}", family, std::max(s, 1)));
  }
  return names;
}

std::shared_ptr<const Method> find_reference_method(const System& system, int order) {
  for (const std::string& name : candidates(order)) {
    try {
      std::shared_ptr<const Method> method = find_method(name);
      if (method->why_not(system).empty()) return method;
    } catch (const InputError&) {
      continue;  // there is no such method: the next one
    }
  }
  throw InputError(
      fmt::format("there is no method of order {} for system '{}', to compute a reference with", order, system.name()),
      "add an [exact] table to the system file, or take methods of lower order");
}

}  // namespace

Reference::Reference(StudyRuns& runs, int order, quad largest_step, quad smallest_step)
    : runs_(runs), largest_step_(largest_step), smallest_step_(smallest_step) {
  method_ = find_reference_method(runs.system(), order)->traits().name;
}

Trajectory Reference::run(int parts, Precision precision) const {
  // Equal steps, also where the smallest step of the study does not divide the time.
  const quad span = runs_.until() - runs_.begin();
  const double count = std::max(1.0, std::ceil(static_cast<double>(span / smallest_step_) * (1 - 1e-12))) * parts;
  return runs_.run(method_, span / count, precision);
}

void Reference::compute(Precision precision) {
  int parts = parts_;
  Trajectory coarse = run(parts, precision), fine = run(2 * parts, precision);
  const auto has = [&](Status status) { return coarse.outcome.status == status || fine.outcome.status == status; };
  while (has(Status::failed) && parts < most_parts) {
    parts *= 2;
    coarse = std::exchange(fine, run(2 * parts, precision));
  }
  if (has(Status::interrupted) && is_computed_) return;
  outcome_ = coarse.outcome.status == Status::done ? fine.outcome : coarse.outcome;
  precision_ = precision;
  parts_ = parts;
  coarse_ = std::move(coarse);
  fine_ = std::move(fine);
  is_computed_ = true;
}

StateNumbers Reference::rounding(Precision precision) const { return rounding_.after(fine_.steps, precision); }

Precision Reference::enough(const StateNumbers& needed) const {
  const auto is_enough = [&](Precision precision) {
    const StateNumbers rounded = rounding(precision);
    return std::none_of(state_parts.begin(), state_parts.end(), [&](const auto part) {
      return rounded.*part > needed.*part && (part != &StateNumbers::multipliers || rounding_.multipliers_gain());
    });
  };
  Precision precision = Precision::double_precision;
  while (precision != Precision::quadruple && !is_enough(precision)) precision = next_precision(precision);
  return precision;
}

void Reference::refine(const std::function<StateNumbers(const QuadState&)>& needed) {
  if (!is_computed_) {
    const Trajectory probe = runs_.run(method_, largest_step_, Precision::double_precision);
    rounding_ = Rounding::measure(runs_, method_, largest_step_, probe);
    compute(Precision::double_precision);
  }
  while (outcome_.status == Status::done && !runs_.stopped()) {
    const StateNumbers goal = needed(state());
    if (const Precision precision = std::max(precision_, enough(goal)); precision != precision_) {
      compute(precision);
      continue;
    }
    const StateNumbers difference = distance(coarse_.last_quad, fine_.last_quad);
    const StateNumbers rounded = rounding(precision_);
    const bool is_good = std::none_of(state_parts.begin(), state_parts.end(), [&](const auto part) {
      return difference.*part / gain_of_halving > std::fmax(goal.*part, rounded.*part);
    });
    if (is_good || parts_ >= most_parts) return;
    Trajectory finer = run(4 * parts_, precision_);
    if (finer.outcome.status != Status::done) return;  // what is there is the best that can be had
    parts_ *= 2;
    coarse_ = std::exchange(fine_, std::move(finer));
  }
}

StateNumbers Reference::error() const {
  StateNumbers difference = distance(coarse_.last_quad, fine_.last_quad);
  for (const auto part : state_parts) difference.*part /= gain_of_halving;
  return larger(difference, rounding(precision_));
}

ConvergeReference Reference::describe() const {
  ConvergeReference description;
  description.method = method_;
  description.precision = precision_;
  description.step = fine_.about.step;
  description.error = error();
  return description;
}

}  // namespace noslip

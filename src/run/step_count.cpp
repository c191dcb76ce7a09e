#include "run/step_count.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/options.hpp>
#include <noslip/core/scalar.hpp>

namespace noslip {

namespace {

/// An end time that was written with 15 digits is off by up to 23 units of relative rounding; this is a little more.
constexpr double units_of_rounding = 32;

/// A rest below this share of a step and the step before it become two of equal size. Divided by a far shorter step,
/// rounding errors of positions are large velocities; where reactions are not linear in the multipliers, such a step
/// has no solution at all.
constexpr double shortest_share = 1.0 / 32;

}  // namespace

StepCount count_steps(quad t0, const RunOptions& options) {
  if (options.steps > 0) return {options.steps, 0};
  const double start = static_cast<double>(t0), until = static_cast<double>(options.until);
  const double step = static_cast<double>(options.step);
  if (std::isnan(until)) throw InputError("the run has no end", "give an end time or a number of steps");
  // Times that agree in all digits of a double may still differ in a run with more of them.
  const bool is_double = options.precision == Precision::double_precision;
  const double span = is_double ? until - start : static_cast<double>(options.until - t0);
  if (span < 0) {
    throw InputError(fmt::format("the end time {} lies before the initial time {}", to_text(until), to_text(start)),
                     "noslip integrates forward in time: choose a later " + option("until"));
  }
  const double ratio = span / step;
  if (ratio > option_named("steps").most) {
    throw InputError(fmt::format("{} steps of size {} up to time {} are too many", to_short_text(ratio, 3),
                                 to_text(step), to_text(until)),
                     "choose a larger " + option("step") + " or an earlier " + option("until"));
  }
  const double times = std::max(std::fabs(start), std::fabs(until)) / step;
  if (const auto all = whole_steps(ratio, times, units_of_rounding)) return {*all, 0};
  const auto whole = static_cast<long long>(std::floor(ratio));
  const bool is_far_too_short = whole > 0 && ratio - std::floor(ratio) < shortest_share;
  return is_far_too_short ? StepCount{whole - 1, 2} : StepCount{whole, 1};
}

}  // namespace noslip

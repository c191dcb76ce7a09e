#include "run/step_count.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/core/scalar.hpp>

namespace noslip {

namespace {

constexpr long long most_steps = 1LL << 53;

}  // namespace

StepCount count_steps(double t0, const RunOptions& options) {
  if (options.steps > 0) return {options.steps, 0};
  if (std::isnan(options.until)) throw InputError("the run has no end", "give an end time or a number of steps");
  const double span = options.until - t0;
  if (span < 0) {
    throw InputError(
        fmt::format("the end time {} lies before the initial time {}", to_text(options.until), to_text(t0)),
        "noslip integrates forward in time: choose a later --until");
  }
  const double ratio = span / options.step;
  if (ratio > static_cast<double>(most_steps)) {
    throw InputError(fmt::format("{} steps of size {} up to time {} are too many", to_short_text(ratio, 3),
                                 to_text(options.step), to_text(options.until)),
                     "choose a larger --step or an earlier --until");
  }
  const double nearest = std::round(ratio);
  const double rounding = std::min(0.25, 32 * std::numeric_limits<double>::epsilon() * ratio);
  if (std::fabs(ratio - nearest) <= rounding) return {static_cast<long long>(nearest), 0};
  const double whole = std::floor(ratio);
  return {static_cast<long long>(whole), span - whole * options.step};
}

}  // namespace noslip

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
                     "noslip integrates forward in time: choose a later --until");
  }
  const double ratio = span / step;
  if (ratio > static_cast<double>(most_steps)) {
    throw InputError(fmt::format("{} steps of size {} up to time {} are too many", to_short_text(ratio, 3),
                                 to_text(step), to_text(until)),
                     "choose a larger --step or an earlier --until");
  }
  const double nearest = std::round(ratio);
  const double rounding = std::min(0.25, 32 * std::numeric_limits<double>::epsilon() * ratio);
  if (std::fabs(ratio - nearest) <= rounding) return {static_cast<long long>(nearest), 0};
  const double whole = std::floor(ratio);
  return {static_cast<long long>(whole), span - whole * step};
}

}  // namespace noslip

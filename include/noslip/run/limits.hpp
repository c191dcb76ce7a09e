// The ranges of what a caller may ask for.
#pragma once

namespace noslip {

/// Methods form h^2 and 1/h^2; outside of this range that overflows.
constexpr double smallest_step_allowed = 1e-100, largest_step_allowed = 1e100;
/// Of a run: up to here whole numbers are doubles.
constexpr long long most_steps = 1LL << 53;
constexpr int most_looks_per_step = 1000;

}  // namespace noslip

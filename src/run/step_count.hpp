// How many steps a run takes.
#pragma once

#include <noslip/run/run.hpp>

namespace noslip {

/// Steps of size h, and the size of a last one that is shorter, or longer by a few percent (0: none).
struct StepCount {
  long long whole = 0;
  double last = 0;
};

/// From RunOptions::steps or ::until for a run that starts at t0. What rounding leaves of (until - t0)/h is no step of
/// its own: the last whole step then ends at `until`. InputError where there is no end, where it lies before t0, or is
/// out of reach.
StepCount count_steps(double t0, const RunOptions& options);

}  // namespace noslip

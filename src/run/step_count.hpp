// How many steps a run takes.
#pragma once

#include <noslip/run/run.hpp>

namespace noslip {

/// Steps of size h, and the size of a shorter last one (0: none).
struct StepCount {
  long long whole = 0;
  double last = 0;
};

/// From RunOptions::steps or ::until for a run that starts at t0. InputError where there is no end, where it lies
/// before t0, or is out of reach.
StepCount count_steps(quad t0, const RunOptions& options);

}  // namespace noslip

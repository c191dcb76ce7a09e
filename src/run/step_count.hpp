// How many steps a run takes, if nothing happens between its start and its end.
#pragma once

#include <noslip/run/run.hpp>

#include "run/step_grid.hpp"

namespace noslip {

/// Steps of size h, and what is left up to the end in one step that is shorter, or in two where that would be far too
/// short to mean anything.
struct StepCount {
  long long whole = 0;
  int parts = 0;  ///< shorter steps at the end: 0, 1 or 2 of equal size

  long long all() const { return whole + parts; }
  /// The first step that would be another one in a run that ends later.
  long long first_for_end() const { return parts > 0 ? whole : whole - 1; }
  /// When step number i begins (or step i - 1 ends), in a run from t0 with steps of size h up to `until`.
  template <class T>
  T time(long long i, T t0, T h, T until) const {
    if (i <= whole) return t0 + T(i) * h;
    return StepGrid<T>(t0 + T(whole) * h, until, static_cast<long long>(parts)).time(i - whole);
  }
};

/// From RunOptions::steps or ::until for a run that starts at t0. What rounding leaves of (until - t0)/h is not a step
/// of its own: the last whole step then ends at `until`. InputError where there is no end, where it lies before t0, or
/// is out of reach.
StepCount count_steps(quad t0, const RunOptions& options);

}  // namespace noslip

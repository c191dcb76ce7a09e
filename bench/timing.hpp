// Wall times of short programs on a noisy machine: the shortest of many calls.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds of the shortest call of at least `calls`; goes on for `budget` seconds, but not beyond 1000 calls.
template <class Action>
double shortest_seconds(Action&& action, int calls, double budget = 0) {
  double shortest = std::numeric_limits<double>::max();
  const double start = seconds_now();
  int done = 0;
  do {
    const double before = seconds_now();
    action();
    shortest = std::min(shortest, seconds_now() - before);
    ++done;
  } while (done < calls || (seconds_now() - start < budget && done < 1000));
  return shortest;
}

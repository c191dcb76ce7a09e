// The fastest of several programs at the same error.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <noslip/run/run.hpp>

struct Best {
  std::string method = "none";
  double setting = 0;  ///< step size or tolerance
  double seconds = std::numeric_limits<double>::infinity(), error = 0;
};

/// Step sizes or tolerances, from the largest on, each divided by the quotient.
struct Settings {
  double largest, smallest, quotient;
};

/// The largest setting with error(setting) <= limit is the new best if seconds(setting) says so.
template <class Error, class Seconds>
void try_settings(const std::string& method, const Settings& settings, double limit, Error&& error, Seconds&& seconds,
                  Best& best) {
  for (double setting = settings.largest; setting > settings.smallest; setting /= settings.quotient) {
    const double reached = error(setting);
    if (!(reached <= limit)) continue;
    const double needed = seconds(setting);
    if (needed < best.seconds) best = {method, setting, needed, reached};
    return;
  }
}

/// A run over a span in steps of about this size.
inline noslip::RunOptions options_of(const std::string& method, double span, double step) {
  noslip::RunOptions options;
  options.method = method;
  options.steps = std::lround(span / step);
  options.step = span / static_cast<double>(options.steps);
  return options;
}

/// Seconds of a run without storing or monitoring: the shortest of three.
inline double seconds_of(const noslip::System& system, const noslip::RunOptions& options) {
  const auto initial = system.initial_state(system.parameter_values());
  double nanoseconds = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3; ++round) {
    nanoseconds = std::min(nanoseconds, noslip::bench(system, initial, options, 1).nanoseconds_per_step);
  }
  return nanoseconds * 1e-9 * static_cast<double>(options.steps);
}

/// The same for a method of noslip and its step sizes; error(run) is the error of a run that came to its end.
template <class Error>
void try_method(const noslip::System& system, const std::string& method, double span, const Settings& steps,
                double limit, Error&& error, Best& best) {
  Best mine;
  try_settings(
      method, steps, limit,
      [&](double step) {
        const noslip::Trajectory run = noslip::integrate(system, options_of(method, span, step));
        const bool is_done = run.outcome.status == noslip::Status::done;
        return is_done ? error(run) : std::numeric_limits<double>::infinity();
      },
      [&](double step) { return seconds_of(system, options_of(method, span, step)); }, mine);
  if (!(mine.seconds < best.seconds)) return;
  best = mine;
  best.setting = static_cast<double>(options_of(method, span, mine.setting).step);
}

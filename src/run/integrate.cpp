// The verb `integrate`.
#include <optional>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/stopping.hpp>
#include <noslip/run/run.hpp>

#include "run/integration.hpp"

namespace noslip {

namespace {

/// Once it is prepared, a run that is stopped ends as a whole.
template <class T>
Trajectory run_as(const System& system, const InitialState* initial, const RunOptions& options) {
  std::optional<Integration<T>> prepared;
  try {
    const StopScope scope(options.stop);
    prepared.emplace(system, initial, options);
  } catch (const Interrupted& interrupted) {
    Trajectory nothing;
    nothing.outcome = {Status::interrupted, interrupted.what()};
    return nothing;
  }
  const StopShield shield;
  return prepared->run();
}

Trajectory run_in_precision(const System& system, const InitialState* initial, const RunOptions& options) {
  switch (options.precision) {
    case Precision::long_double: return run_as<long double>(system, initial, options);
    case Precision::quadruple: return run_as<quad>(system, initial, options);
    case Precision::double_precision: break;
  }
  return run_as<double>(system, initial, options);
}

Trajectory integrate_any(const System& system, const InitialState* initial, const RunOptions& options) {
  const DefaultArithmetic arithmetic;
  options.check();
  options.control.check(system);
  std::vector<std::string> linear;
  for (const InputSeries& series : options.control.series) {
    if (series.is_linear) linear.push_back(series.input);
  }
  if (linear.empty()) return run_in_precision(system, initial, options);
  Trajectory run = run_in_precision(with_linear_inputs(system, linear), initial, options);
  run.about.columns = row_columns(system);
  return run;
}

}  // namespace

Trajectory integrate(const System& system, const InitialState& initial, const RunOptions& options) {
  return integrate_any(system, &initial, options);
}

Trajectory integrate(const System& system, const RunOptions& options) {
  return integrate_any(system, nullptr, options);
}

}  // namespace noslip

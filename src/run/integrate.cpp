// The verb `integrate`.
#include <noslip/run/run.hpp>

#include "run/integration.hpp"

namespace noslip {

namespace {

Trajectory run_in_precision(const System& system, const InitialState* initial, const RunOptions& options) {
  switch (options.precision) {
    case Precision::long_double: return Integration<long double>(system, initial, options).run();
    case Precision::quadruple: return Integration<quad>(system, initial, options).run();
    case Precision::double_precision: break;
  }
  return Integration<double>(system, initial, options).run();
}

Trajectory integrate_any(const System& system, const InitialState* initial, const RunOptions& options) {
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

// The verb `integrate`.
#include <noslip/run/run.hpp>

#include "run/integration.hpp"

namespace noslip {

namespace {

/// With inputs that are linear in time where a series wants that.
struct ControlledSystem {
  ControlledSystem(const System& given, const RunOptions& options) : system(given) {
    std::vector<std::string> linear;
    for (const InputSeries& series : options.control.series) {
      if (series.is_linear) linear.push_back(series.input);
    }
    if (!linear.empty()) system = with_linear_inputs(given, linear);
  }
  System system;
};

Trajectory integrate_any(const System& given, const InitialState* initial, const RunOptions& options) {
  options.check();
  const ControlledSystem controlled(given, options);
  const System& system = controlled.system;
  switch (options.precision) {
    case Precision::long_double: return Integration<long double>(system, initial, options).run();
    case Precision::quadruple: return Integration<quad>(system, initial, options).run();
    case Precision::double_precision: break;
  }
  return Integration<double>(system, initial, options).run();
}

}  // namespace

Trajectory integrate(const System& system, const InitialState& initial, const RunOptions& options) {
  return integrate_any(system, &initial, options);
}

Trajectory integrate(const System& system, const RunOptions& options) {
  return integrate_any(system, nullptr, options);
}

}  // namespace noslip

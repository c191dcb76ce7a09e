// What the outside does to a system while it moves: values of inputs, over time, and controllers.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <noslip/core/given.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

/// Values of an input at times that increase. Each holds until the next one, the first also before it, and the last for
/// ever; or they are joined by straight lines between the first and the last.
struct InputSeries {
  std::string input;
  NumberList times, values;
  bool is_linear = false;
};

/// A digital controller in C++, as [sampled] is one in a system file: called at t0, t0 + every, ... with what the
/// system is then. It writes the inputs (in the order of System::inputs(), there as they are); what it writes acts from
/// `delay` later on, until the next one.
struct Controller {
  double every = 0, delay = 0;
  std::function<void(double t, std::span<const double> q, std::span<const double> v, std::span<double> inputs)> act;
  std::vector<std::string> inputs = {};  ///< that it gives; empty: all
};

struct Control {
  Settings inputs = {};  ///< values that differ from the defaults
  std::vector<InputSeries> series = {};
  std::vector<Controller> controllers = {};

  bool empty() const { return inputs.empty() && series.empty() && controllers.empty(); }
  /// InputError, all problems at once: inputs that the system does not have, that two want to give, series and times
  /// that make no sense.
  void check(const System& system) const;
};

/// The system with inputs that change at a constant rate: each of these is `NAME_at + NAME_rate*(t - NAME_since)`,
/// three inputs in its place. What is linear in Control::series needs it; integrate does it by itself. InputError for
/// names of no inputs, and for those that are given twice. For the same system and inputs the result is the same system for a while, with the same programs.
System with_linear_inputs(const System& system, const std::vector<std::string>& inputs);

}  // namespace noslip

// What the outside does to a system while it moves: values of inputs, over time, and controllers.
//
// Times that differ by rounding error only are one moment. If several things happen at one moment, their order is:
//
// 1. events that act (Event::act) change the state, parameters and inputs;
// 2. series change their inputs;
// 3. each controller, first that of the system file, then those in C++ in their order: it samples, and then what it has
//    computed earlier and is due now acts. With delay 0 that is what it has just computed. A sample sees the inputs as
//    they are then: with changes of series and of controllers before it, but without results of its own that begin to
//    act at this moment;
// 4. events whose function has jumped because an input has changed happen, and act.
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
/// `delay` later on, until the next one. An action of an event may change an input of a controller: that holds until
/// the next result acts.
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

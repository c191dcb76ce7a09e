// Functions in Python that noslip calls while a run goes on: controllers, events and their actions, progress.
#pragma once

#include <functional>
#include <vector>

#include <noslip/run/control.hpp>
#include <noslip/run/event.hpp>

#include "call.hpp"
#include "common.hpp"

namespace noslip::python {

/// A digital controller as Controller, with a function in Python.
struct PyController {
  py::object act;
  double every = 0, delay = 0;
  std::vector<std::string> inputs = {};
};

/// An event as Event, with functions in Python.
struct PyEvent {
  py::object when;  ///< a text or a function
  std::string direction = "both";
  long long stop = 0;
  py::object act;
  std::string name = {};
};

/// Numbers, series (times, values[, "linear"]) and controllers by name, and controllers of all inputs in a list under
/// the name None. True if there are functions in Python.
bool read_inputs(const py::object& given, const System& system, const Settings& names, Control& control,
                 std::vector<Problem>& problems);
/// Texts as the tool has them, functions, and Event objects. True if there are functions in Python.
bool read_events(const py::object& given, std::vector<Event>& events, std::vector<Problem>& problems);
/// RunOptions::progress with a function of (done, all), or None; it also ends the run at Ctrl-C.
std::function<bool(long long, long long)> read_progress(const py::object& given, Call& call);

}  // namespace noslip::python

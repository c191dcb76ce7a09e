// Functions in Python that noslip calls while a run goes on: controllers, events and their actions, progress.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <noslip/run/control.hpp>
#include <noslip/run/event.hpp>

#include "call.hpp"
#include "common.hpp"
#include "options.hpp"

namespace noslip::python {

/// A Python object that threads without the GIL may copy and forget.
class Held {
 public:
  explicit Held(py::object object)
      : object_(new py::object(std::move(object)), [](py::object* held) {
          const py::gil_scoped_acquire lock;
          delete held;
        }) {}
  const py::object& operator*() const { return *object_; }

 private:
  std::shared_ptr<py::object> object_;
};

/// A digital controller as Controller, with a function in Python.
struct PyController {
  py::object act;
  double every = 0, delay = 0;
  std::vector<std::string> inputs = {};
};

/// An event as Event, with functions in Python.
struct PyEvent {
  py::object when;  ///< a text or a function
  Crossing direction = Crossing::both;
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
/// The function that is told how far something is, or None. InputError for anything else.
py::object progress_of(const Given& given);
/// Whether it goes on after such a function has returned this: None, or something true.
bool goes_on(const py::object& result);
/// RunOptions::progress with such a function of (done, all), or None; it also ends the run at Ctrl-C.
std::function<bool(long long, long long)> read_progress(const py::object& progress, Call& call);

}  // namespace noslip::python

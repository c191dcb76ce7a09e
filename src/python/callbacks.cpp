#include "callbacks.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/short_text.hpp>
#include <noslip/run/event_text.hpp>
#include <noslip/run/given_options.hpp>

#include "values.hpp"

namespace noslip::python {
namespace {

double as_double(const py::object& value, const char* what) {
  const bool is_complex = PyComplex_Check(value.ptr());
  const double number = is_complex ? -1 : PyFloat_AsDouble(value.ptr());
  if (is_complex || (number == -1 && PyErr_Occurred() != nullptr)) {
    if (!is_complex && PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
    PyErr_Clear();
    throw InputError(fmt::format("{}: {} is not a number", what, shown(value)), "the function has to return a number");
  }
  return number;
}

/// What a controller has returned, into its inputs: nothing (it has changed the array), a number, a dict, a sequence.
void take_result(const py::object& result, const std::vector<std::size_t>& places, const std::vector<std::string>& names,
                 const py::array_t<double>& given, std::span<double> inputs) {
  if (result.is_none()) {
    for (const std::size_t place : places) inputs[place] = given.data()[place];
    return;
  }
  if (py::isinstance<py::dict>(result)) {
    for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(result)) {
      const std::string key = text_of(py::str(name));
      bool found = false;
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (names[i] != key) continue;
        inputs[places[i]] = as_double(py::reinterpret_borrow<py::object>(value), "controller");
        found = true;
      }
      if (found) continue;
      const std::string guess = did_you_mean(key, names);
      throw InputError(fmt::format("controller: it does not give the input '{}'", shortened(key)),
                       guess.empty() ? "its inputs are " + list_of(names) : guess);
    }
    return;
  }
  if (py::isinstance<py::sequence>(result) && !PyUnicode_Check(result.ptr()) &&
      !(py::isinstance<py::array>(result) && py::reinterpret_borrow<py::array>(result).ndim() == 0)) {
    const auto values = py::reinterpret_borrow<py::sequence>(result);
    if (values.size() != places.size()) {
      throw InputError(fmt::format("controller: it has returned {} numbers for {} inputs", values.size(), places.size()),
                       "return one number for each input, in the order of " + list_of(names));
    }
    for (std::size_t i = 0; i < places.size(); ++i) inputs[places[i]] = as_double(values[i], "controller");
    return;
  }
  if (places.size() != 1) {
    throw InputError(fmt::format("controller: it has returned {} for {} inputs", shown(result), places.size()),
                     "return one number for each input, a dict, or nothing after setting inputs[...]");
  }
  inputs[places[0]] = as_double(result, "controller");
}

/// How many arguments without a default a function takes: three or four.
bool takes_inputs(const py::object& function) {
  try {
    const py::object signature = py::module_::import("inspect").attr("signature")(function);
    const py::object parameters = signature.attr("parameters");
    int count = 0;
    for (const py::handle parameter : py::list(parameters.attr("values")())) {
      const int kind = py::cast<int>(parameter.attr("kind"));
      if (kind == 2) return true;  // *arguments
      if (kind <= 1) ++count;
    }
    return count >= 4;
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    return false;  // built in: its signature is not known
  }
}

Controller make_controller(const PyController& given, const System& system, const std::string& own_input) {
  Controller controller;
  controller.every = given.every;
  controller.delay = given.delay;
  controller.inputs = given.inputs;
  if (controller.inputs.empty() && !own_input.empty()) controller.inputs = {own_input};
  std::vector<std::size_t> places;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < system.inputs().size(); ++i) {
    if (controller.inputs.empty()) {
      places.push_back(i);
      names.push_back(system.inputs()[i].name);
    }
  }
  for (const std::string& name : controller.inputs) {
    for (std::size_t i = 0; i < system.inputs().size(); ++i) {
      if (system.inputs()[i].name != name) continue;
      places.push_back(i);
      names.push_back(name);
    }
  }
  const bool has_four = takes_inputs(given.act);
  controller.act = [held = Held(given.act), places, names, has_four](double t, std::span<const double> q, std::span<const double> v,
                                                                     std::span<double> inputs) {
    const py::gil_scoped_acquire lock;
    py::array_t<double> values(static_cast<py::ssize_t>(inputs.size()), inputs.data());
    const py::object result = has_four ? (*held)(t, copy_of(q), copy_of(v), values) : (*held)(t, copy_of(q), copy_of(v));
    take_result(result, places, names, values, inputs);
  };
  return controller;
}

bool is_series(const py::object& value) {
  if (!py::isinstance<py::tuple>(value) && !py::isinstance<py::list>(value)) return false;
  const auto size = py::len(value);
  return size == 2 || size == 3;
}

InputSeries read_series(const std::string& name, const py::sequence& given, std::vector<Problem>& problems) {
  InputSeries series{.input = name, .times = {}, .values = {}};
  const std::string what = fmt::format("inputs: {}", shortened(name));
  series.times = numbers_of(given[0], {"inputs", name}, problems);
  series.values = numbers_of(given[1], {"inputs", name}, problems);
  if (given.size() == 3) {
    const py::object word = given[2];
    const std::string text = PyUnicode_Check(word.ptr()) ? text_of(word) : std::string();
    series.is_linear = text == "linear";
    if (text != "linear" && text != "held") {
      refuse(problems, fmt::format("{}: {} behind the values is not known", what, shown(word)),
             "write (times, values) or (times, values, \"linear\")");
    }
  }
  return series;
}

}  // namespace

bool read_inputs(const py::object& given, const System& system, const Settings& names, Control& control,
                 std::vector<Problem>& problems) {
  if (given.is_none()) return false;
  const auto add = [&](const std::string& name, const py::object& value) {
    if (!name.empty()) {
      if (const auto wrong = problem_with_input_name(system, name, written(value))) return problems.push_back(*wrong), false;
    }
    if (py::isinstance<PyController>(value)) {
      control.controllers.push_back(make_controller(value.cast<const PyController&>(), system, name));
      return true;
    }
    if (is_series(value)) {
      control.series.push_back(read_series(name, value, problems));
    } else if (PyCallable_Check(value.ptr()) != 0) {
      refuse(problems, fmt::format("inputs: {}: how often the function is called is missing", shortened(name)),
             "write it as noslip.Controller(function, every=0.01)");
    } else if (const auto number = number_of(value, {"inputs", name}, problems, names)) {
      control.inputs[name] = *number;
    }
    return false;
  };
  bool has_functions = false;
  if (py::isinstance<PyController>(given)) {
    has_functions = add("", given);
  } else if (py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given)) {
    for (const py::handle one : given) {
      if (py::isinstance<PyController>(one)) {
        has_functions |= add("", py::reinterpret_borrow<py::object>(one));
      } else {
        refuse(problems, fmt::format("inputs: {} is not a controller", shown(one)), "give values by name, or noslip.Controller objects");
      }
    }
  } else if (py::hasattr(given, "items")) {
    for (const py::handle pair : given.attr("items")()) {
      const auto [name, value] = pair.cast<std::pair<py::object, py::object>>();
      if (const auto known = name_of(name, "inputs", problems)) has_functions |= add(*known, value);
    }
  } else {
    refuse(problems, fmt::format("inputs={}: expected values by name", shown(given)),
           "give a dict, for example inputs={\"tau\": 2}");
  }
  if (problems.empty()) control.check(system);
  return has_functions;
}

namespace {

Event make_event(const PyEvent& given) {
  Event event;
  if (PyUnicode_Check(given.when.ptr())) {
    event.when = text_of(given.when);
  } else {
    event.when = given.name;
    event.function = [held = Held(given.when)](double t, std::span<const double> q, std::span<const double> v) {
      const py::gil_scoped_acquire lock;
      return as_double((*held)(t, copy_of(q), copy_of(v)), "event");
    };
  }
  event.direction = given.direction;
  event.stop_after = given.stop;
  if (!given.act.is_none()) {
    event.act = [held = Held(given.act)](EventChange& change) {
      const py::gil_scoped_acquire lock;
      const py::object seen = py::cast(change);  // a copy: it may outlive the call
      const py::object result = (*held)(seen);
      change = seen.cast<EventChange&>();
    };
  }
  return event;
}

}  // namespace

bool read_events(const py::object& given, std::vector<Event>& events, std::vector<Problem>& problems) {
  if (given.is_none()) return false;
  bool has_functions = false;
  const auto add = [&](const py::object& one) {
    if (PyUnicode_Check(one.ptr())) {
      events.push_back(read_event(text_of(one), "events", problems));
    } else if (py::isinstance<PyEvent>(one)) {
      const auto& event = one.cast<const PyEvent&>();
      has_functions |= !PyUnicode_Check(event.when.ptr()) || !event.act.is_none();
      events.push_back(make_event(event));
    } else if (PyCallable_Check(one.ptr()) != 0) {
      has_functions = true;
      const std::string name = py::hasattr(one, "__name__") ? text_of(py::str(one.attr("__name__"))) : "event";
      events.push_back(make_event({.when = one, .act = py::none(), .name = name}));
    } else {
      refuse(problems, fmt::format("events: {} is neither a text nor a function", shown(one)),
             "write \"x - 1,up,stop\", or noslip.Event(...)");
    }
  };
  if (PyUnicode_Check(given.ptr()) || py::isinstance<PyEvent>(given) || PyCallable_Check(given.ptr()) != 0) {
    add(given);
  } else if (py::isinstance<py::iterable>(given)) {
    for (const py::handle one : given) add(py::reinterpret_borrow<py::object>(one));
  } else {
    add(given);
  }
  return has_functions;
}

bool goes_on(const py::object& result) { return result.is_none() || is_true(result); }

py::object progress_of(const Given& given) {
  py::object progress = given["progress"];
  if (progress.is_none() || PyCallable_Check(progress.ptr()) != 0) return progress;
  throw InputError(fmt::format("progress={}: that is not a function", shown(progress)), "give True, or a function of (done, all)");
}

std::function<bool(long long, long long)> read_progress(const py::object& progress, Call& call) {
  if (progress.is_none()) return [&call](long long, long long) { return !call.is_stopped(); };
  return [&call, held = Held(progress)](long long done, long long all) {
    if (call.is_stopped()) return false;
    const py::gil_scoped_acquire lock;
    return goes_on((*held)(done, all));
  };
}

namespace {

Crossing crossing_of(const std::string& direction, std::vector<Problem>& problems) {
  const std::vector<std::string> choices = {"up", "down", "both"};  // in the order of Crossing
  const auto found = std::find(choices.begin(), choices.end(), direction);
  if (found != choices.end()) return static_cast<Crossing>(found - choices.begin());
  const std::string guess = did_you_mean(direction, choices);
  refuse(problems, fmt::format("direction='{}': unknown choice", shortened(direction)), guess.empty() ? "choose one of " + list_of(choices) : guess);
  return Crossing::both;
}

/// The number of the crossing that ends a run.
long long stop_of(const py::object& given, std::vector<Problem>& problems) {
  if (PyBool_Check(given.ptr())) return is_true(given) ? 1 : 0;
  const auto number = number_of(given, "stop", problems);
  if (!number) return 0;
  const auto value = static_cast<double>(*number);
  if (value >= 0 && value <= 9007199254740992.0 && value == std::floor(value)) return static_cast<long long>(value);
  refuse(problems, fmt::format("stop={}: that is not the number of a crossing", shown(given)), "count from 1, or give 0 to go on");
  return 0;
}

/// Objects that a type holds take part in the collection of cycles: its objects may be reached from these.
template <class Type, auto... held>
py::custom_type_setup collected() {
  return py::custom_type_setup([](PyHeapTypeObject* heap_type) {
    PyTypeObject& type = heap_type->ht_type;
    type.tp_flags |= Py_TPFLAGS_HAVE_GC;
    type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) -> int {
#if PY_VERSION_HEX >= 0x03090000
      Py_VISIT(Py_TYPE(self));
#endif
      auto* const instance = reinterpret_cast<py::detail::instance*>(self);
      if (!instance->get_value_and_holder().holder_constructed()) return 0;
      const auto& value = py::cast<const Type&>(py::handle(self));
      int result = 0;
      ((result = result != 0 || !(value.*held) ? result : visit((value.*held).ptr(), arg)), ...);
      return result;
    };
    type.tp_clear = [](PyObject* self) -> int {
      auto& value = py::cast<Type&>(py::handle(self));
      ((value.*held = py::object()), ...);
      return 0;
    };
  });
}

/// A vector of a change, as an array that can be changed in place.
template <std::vector<double> EventChange::* member>
void bind_vector(py::class_<EventChange>& type, const char* name, const char* doc) {
  type.def_property(
      name,
      [](const py::object& self) {
        auto& values = self.cast<EventChange&>().*member;
        return py::array(py::dtype::of<double>(), {static_cast<py::ssize_t>(values.size())}, {}, values.data(), self);
      },
      [](EventChange& self, const py::object& given) {
        const std::vector<double> values = doubles_of(given, "event");
        if (values.size() != (self.*member).size()) {
          throw InputError(fmt::format("event: {} numbers in the place of {}", values.size(), (self.*member).size()));
        }
        std::copy(values.begin(), values.end(), (self.*member).begin());  // arrays of it stay valid
      },
      doc);
}

}  // namespace

void bind_callbacks(py::module_& module) {
  py::class_<PyController>(module, "Controller", collected<PyController, &PyController::act>(),
                           "A digital controller: a function of (t, q, v) or (t, q, v, inputs) that is called every `every`.\n\n"
                           "What it returns (a number, one for each input, or a dict) acts `delay` later.\n\n"
                           ">>> noslip.Controller(lambda t, q, v: -4 * q[0] - 3 * v[0], every=0.02)\n"
                           "Controller(every=0.02, delay=0.0)")
      .def(py::init([](const py::object& act, const py::object& every, const py::object& delay, const py::object& inputs) {
             std::vector<Problem> problems;
             if (PyCallable_Check(act.ptr()) == 0) refuse(problems, "Controller: " + shown(act) + " is not a function", "give a function of (t, q, v)");
             const auto period = number_of(every, "every", problems), wait = number_of(delay, "delay", problems);
             PyController controller{act, static_cast<double>(period.value_or(0)), static_cast<double>(wait.value_or(0)), texts_of(inputs, "inputs", problems)};
             refuse_all(std::move(problems));
             return controller;
           }),
           py::arg("act"), py::kw_only(), py::arg("every"), py::arg("delay") = 0.0, py::arg("inputs") = py::none())
      .def_readonly("every", &PyController::every)
      .def_readonly("delay", &PyController::delay)
      .def_readonly("inputs", &PyController::inputs)
      .def_readonly("act", &PyController::act)
      .def("__repr__", [](const PyController& self) { return "Controller(every=" + std::string(py::repr(py::float_(self.every))) + ", delay=" + std::string(py::repr(py::float_(self.delay))) + ")"; });

  py::class_<PyEvent>(module, "Event", collected<PyEvent, &PyEvent::when, &PyEvent::act>(),
                      "Where `when`, a text or a function of (t, q, v), changes its sign.\n\n"
                      "`stop` is the number of the crossing that ends the run (0: none). `act` is a function of the Change at hand, which it\n"
                      "may change: the run goes on with what is left in it.\n\n"
                      ">>> noslip.Event(\"x - 1\", direction=\"up\", stop=1)\n"
                      "Event('x - 1', direction='up', stop=1)")
      .def(py::init([](const py::object& when, const std::string& direction, const py::object& stop, const py::object& act, const std::string& name) {
             std::vector<Problem> problems;
             if (!PyUnicode_Check(when.ptr()) && PyCallable_Check(when.ptr()) == 0) {
               refuse(problems, "Event: " + shown(when) + " is neither a text nor a function", "write an expression, or a function of (t, q, v)");
             }
             if (!act.is_none() && PyCallable_Check(act.ptr()) == 0) refuse(problems, "Event: act=" + shown(act) + " is not a function", "give a function of the change");
             const Crossing crossing = crossing_of(direction, problems);
             const long long last = stop_of(stop, problems);
             refuse_all(std::move(problems));
             std::string called = name;
             if (called.empty() && py::hasattr(when, "__name__")) called = text_of(py::str(when.attr("__name__")));
             return PyEvent{when, crossing, last, act, called.empty() ? "event" : called};
           }),
           py::arg("when"), py::kw_only(), py::arg("direction") = "both", py::arg("stop") = 0, py::arg("act") = py::none(),
           py::arg("name") = "")
      .def_readonly("when", &PyEvent::when)
      .def_property_readonly("direction", [](const PyEvent& self) { return to_text(self.direction); })
      .def_readonly("stop", &PyEvent::stop)
      .def_readonly("act", &PyEvent::act)
      .def("__repr__", [](const PyEvent& self) {
        return "Event(" + shown(self.when) + ", direction='" + to_text(self.direction) + "', stop=" + std::to_string(self.stop) + ")";
      });

  py::class_<EventChange> change(module, "Change", "A system at an event, to be changed: the run goes on with what is left in it.");
  change.def_readonly("t", &EventChange::t)
      .def_readonly("number", &EventChange::number, "Number of this crossing of the event, from 1 on.")
      .def_readwrite("projects", &EventChange::projects, "Project changed positions and velocities onto the constraints.")
      .def_readwrite("stops", &EventChange::stops, "End the run here.");
  bind_vector<&EventChange::q>(change, "q", "Positions.");
  bind_vector<&EventChange::v>(change, "v", "Velocities.");
  bind_vector<&EventChange::parameters>(change, "parameters", "In the order of System.parameters.");
  bind_vector<&EventChange::inputs>(change, "inputs", "In the order of System.inputs.");
}

}  // namespace noslip::python

// Single steps from Python.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/options.hpp>
#include <noslip/core/short_text.hpp>
#include <noslip/run/stepper.hpp>

#include "call.hpp"
#include "options.hpp"
#include "values.hpp"

namespace noslip::python {
namespace {

/// A whole number of steps.
long long steps_of(const py::object& given) {
  int overflows = 0;
  if (PyLong_CheckExact(given.ptr())) {
    const long long steps = PyLong_AsLongLongAndOverflow(given.ptr(), &overflows);
    if (overflows == 0) return steps;
  }
  std::vector<Problem> problems;
  const auto number = number_of(given, "steps", problems);
  refuse_all(std::move(problems));
  const auto value = static_cast<double>(*number);
  if (value != std::floor(value) || std::abs(value) > option_named("steps").most) {
    throw InputError(fmt::format("advance({}): that is not a number of steps", shown(given)), "give a whole number");
  }
  return static_cast<long long>(value);
}

/// A lock that also knows who has it: a signal handler that runs in the middle of a call, in the same thread, would
/// wait for itself for ever.
class StepperLock {
 public:
  void lock() {
    refuse_own();
    ++waiting_;
    mutex_.lock();
    --waiting_;
    owner_ = std::this_thread::get_id();
  }
  /// For whoever takes the lock again and again: others that wait get it in between, at the latest after a millisecond.
  void let_others() const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
    while (waiting_ > 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  }
  bool try_lock() {
    refuse_own();
    if (!mutex_.try_lock()) return false;
    owner_ = std::this_thread::get_id();
    return true;
  }
  void unlock() {
    owner_ = std::thread::id();
    mutex_.unlock();
  }

 private:
  void refuse_own() const {
    if (owner_ == std::this_thread::get_id()) throw std::runtime_error("the stepper is in the middle of a step: look at it after the call");
  }
  std::mutex mutex_;
  std::atomic<std::thread::id> owner_;
  std::atomic<int> waiting_ = 0;
};

/// A stepper that threads use one after the other.
class PyStepper {
 public:
  PyStepper(PySystem system, ProgramOptions options, double step, const Settings& set)
      : system_(std::move(system)), stepper_(Program<double>(system_.system(), options), step, set) {}

  const PySystem& system() const { return system_; }
  const ProgramOptions& options() const { return stepper_.program().options(); }

  /// `work` with the stepper, while no other thread has it; with the GIL.
  template <class Work>
  auto use(Work&& work) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) {
      const Unlocked free;
      lock.lock();
    }
    return work(stepper_);
  }

  bool step() {
    const Unlocked free;
    const std::lock_guard lock(mutex_);
    return stepper_.step();
  }

  long long advance(const py::object& given) {
    constexpr long long few = 16;
    const long long steps = steps_of(given);
    if (steps < 0) throw InputError(fmt::format("advance({}): a stepper goes forward", steps), "give a negative step to go back in time");
    if (steps <= few) {
      const Unlocked free;
      const std::lock_guard lock(mutex_);
      return stepper_.advance(steps);
    }
    Call call;
    return call([&] {
      long long done = 0, piece = few;
      while (done < steps && !call.is_stopped()) {  // handlers of signals and other threads may look at it here
        mutex_.let_others();
        const std::lock_guard lock(mutex_);
        const auto begin = std::chrono::steady_clock::now();
        const long long wanted = std::min(piece, steps - done), made = stepper_.advance(wanted);
        done += made;
        if (made < wanted) break;
        const auto spent = std::chrono::steady_clock::now() - begin;
        if (spent < std::chrono::milliseconds(5)) piece *= 2;
        if (spent > std::chrono::milliseconds(20)) piece = std::max(1LL, piece / 2);
      }
      return done;
    });
  }

 private:
  PySystem system_;
  Stepper<double> stepper_;
  StepperLock mutex_;
};

/// A number, as every option has it.
double one_number(const py::object& given, const std::string& what) {
  std::vector<Problem> problems;
  const auto number = number_of(given, what, problems);
  refuse_all(std::move(problems));
  return static_cast<double>(*number);
}

/// Parameters or inputs of a stepper, by name.
struct StepperValues {
  py::object stepper;
  bool of_inputs;

  PyStepper& get() const { return stepper.cast<PyStepper&>(); }
  const std::vector<Parameter>& list() const {
    const System& system = get().system().system();
    return of_inputs ? system.inputs() : system.parameters();
  }
  std::size_t place(const std::string& name) const {
    std::vector<std::string> names;
    for (const Parameter& one : list()) names.push_back(one.name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const std::string guess = did_you_mean(name, names);
    throw InputError(fmt::format("there is no {} '{}'", of_inputs ? "input" : "parameter", shortened(name)),
                     !guess.empty()  ? guess
                     : names.empty() ? fmt::format("the system has no {}s", of_inputs ? "input" : "parameter")
                                     : "they are " + list_of(names));
  }
  std::vector<double> values() const {
    return get().use([&](Stepper<double>& stepper_) {
      const auto all = of_inputs ? stepper_.inputs() : stepper_.parameters();
      return std::vector<double>(all.begin(), all.end());
    });
  }
  void set(const std::string& name, const py::object& value) const {
    const double number = one_number(value, shortened(name));
    const std::size_t at = place(name);
    get().use([&](Stepper<double>& stepper_) {
      if (of_inputs) return stepper_.set_input(at, number);
      std::vector<double> all(stepper_.parameters().begin(), stepper_.parameters().end());
      all[at] = number;
      stepper_.set_parameters(all);
    });
  }
};

std::unique_ptr<PyStepper> make_stepper(const PySystem& system, const py::dict& keywords) {
  Given given(keywords);
  Chosen chosen = read_run(system, given, false);
  if (!chosen.options.control.series.empty() || !chosen.options.control.controllers.empty()) {
    refuse(given.problems, "inputs: a stepper has values only", "set stepper.inputs[...] between two steps");
  }
  refuse_all(std::move(given.problems));
  const RunOptions& options = chosen.options;
  Call call;
  return call([&] {
    const ProgramOptions program{.method = options.method, .backend = options.backend, .tolerance = options.tolerance};
    auto made = std::make_unique<PyStepper>(chosen.system, program, static_cast<double>(options.step), options.set);
    return made;
  });
}

/// What options say of the start.
void set_start(PyStepper& self, const PySystem& system, const py::dict& keywords) {
  Given given(keywords);
  Chosen chosen = read_run(system, given, false);
  const System& model = chosen.system.system();
  self.use([&](Stepper<double>& stepper) {
    if (chosen.options.project) stepper.project_states(true);
    if (!chosen.options.init.empty() || chosen.options.project) {
      const std::vector<quad> values = model.parameter_values_quad(chosen.options.set);
      stepper.set_state(to_double(model.with_initial(model.initial_state_quad(values), chosen.options.init, values)));
    }
    for (const auto& [name, value] : chosen.options.control.inputs) stepper.set_input(name, static_cast<double>(value));
  });
}

/// The parts of Stepper::q(): coordinates, then states of first order.
std::span<const double> coordinates_of(const Stepper<double>& stepper) {
  return std::span(stepper.q()).first(stepper.program().system().configuration().size());
}
std::span<const double> states_of(const Stepper<double>& stepper) {
  return std::span(stepper.q()).subspan(stepper.program().system().configuration().size());
}

void set_state(PyStepper& self, const py::object& q, const py::object& v, const py::object& states, const py::object& t) {
  using Numbers = std::optional<std::vector<double>>;
  // All of Python before the stepper is locked: what is given may ask the stepper.
  const Numbers given_q = q.is_none() ? Numbers() : doubles_of(q, "q"), given_v = v.is_none() ? Numbers() : doubles_of(v, "v"),
                given_states = states.is_none() ? Numbers() : doubles_of(states, "states");
  const double given_t = t.is_none() ? 0 : one_number(t, "t");
  self.use([&](Stepper<double>& stepper) {
    const auto chosen = [](const Numbers& given, std::span<const double> now) {
      return given.value_or(std::vector<double>(now.begin(), now.end()));
    };
    std::vector<double> new_q = chosen(given_q, coordinates_of(stepper));
    const std::vector<double> new_v = chosen(given_v, stepper.v()), new_states = chosen(given_states, states_of(stepper));
    new_q.insert(new_q.end(), new_states.begin(), new_states.end());
    const double time = t.is_none() ? stepper.t() : given_t;
    const bool has_implicit_momenta = stepper.program().system().has_implicit_momenta();
    const std::vector<double> z = has_implicit_momenta ? std::vector<double>() : std::vector<double>(stepper.z().begin(), stepper.z().end());
    stepper.set_state(time, new_q, new_v, z);
  });
}

py::bytes save(PyStepper& self) {
  return py::bytes(self.use([](Stepper<double>& stepper) { return stepper.save(); }));
}

py::tuple pickled(const py::object& self_object) {
  auto& self = self_object.cast<PyStepper&>();
  const ProgramOptions& options = self.options();
  const double step = self.use([](Stepper<double>& stepper) { return stepper.step_size(); });
  return py::make_tuple(self.system(), options.method, static_cast<int>(options.backend), options.tolerance, step, save(self));
}

std::unique_ptr<PyStepper> unpickled(const py::tuple& saved) {
  const auto system = saved[0].cast<PySystem>();
  ProgramOptions options{.method = saved[1].cast<std::string>(), .backend = static_cast<Backend>(saved[2].cast<int>()), .tolerance = saved[3].cast<double>()};
  const auto step = saved[4].cast<double>();
  const auto bytes = saved[5].cast<std::string>();
  Call call;
  auto made = call([&] { return std::make_unique<PyStepper>(system, options, step, Settings{}); });
  made->use([&](Stepper<double>& stepper) { stepper.load(bytes); });
  return made;
}

}  // namespace

void bind_stepper(py::module_& module) {
  py::class_<StepperValues>(module, "StepperValues", "Parameters or inputs of a stepper by name; set them between two steps.")
      .def("__getitem__", [](const StepperValues& self, const std::string& name) { return self.values()[self.place(name)]; })
      .def("__setitem__", &StepperValues::set)
      .def("__len__", [](const StepperValues& self) { return self.list().size(); })
      .def("keys", [](const StepperValues& self) {
        py::list names;
        for (const Parameter& one : self.list()) names.append(one.name);
        return names;
      })
      .def("__iter__", [](const py::object& self) { return py::iter(self.attr("keys")()); })
      .def("__repr__", [](const py::object& self) { return py::repr(py::dict(self)); });

  const auto list = [](auto read) {
    return [read](PyStepper& self) { return self.use([&](Stepper<double>& stepper) { return copy_of(read(stepper)); }); };
  };
  const auto number = [](auto read) {
    return [read](PyStepper& self) { return self.use([&](Stepper<double>& stepper) { return read(stepper); }); };
  };
  using S = Stepper<double>;
  py::class_<PyStepper>(module, "Stepper", "One state that moves step by step.")
      .def(py::init([](const PySystem& system, const py::dict& options) {
             auto made = make_stepper(system, options);
             set_start(*made, system, options);
             return made;
           }),
           py::arg("system"), py::arg("options"))
      .def("step", &PyStepper::step, "One step. False if it has no solution: the state is then the last good one.")
      .def("advance", &PyStepper::advance, "So many steps; how many were made.", py::arg("steps"))
      .def_property_readonly("t", number([](S& stepper) { return stepper.t(); }))
      .def_property_readonly("q", list([](S& stepper) { return coordinates_of(stepper); }), "Positions, as a copy.")
      .def_property_readonly("states", list([](S& stepper) { return states_of(stepper); }), "States of first order, as a copy.")
      .def_property_readonly("v", list([](S& stepper) { return stepper.v(); }), "Velocities, as a copy.")
      .def_property_readonly("multipliers", list([](S& stepper) { return stepper.multipliers(); }))
      .def_property_readonly("energy", number([](S& stepper) { return stepper.energy(); }))
      .def_property_readonly("work", number([](S& stepper) { return stepper.work(); }))
      .def_property_readonly("residual", number([](S& stepper) { return stepper.residual(); }), "The largest residual of a constraint.")
      .def_property_readonly("steps", number([](S& stepper) { return stepper.steps(); }), "Since the state or the step size was set.")
      .def_property_readonly("divides_steps", number([](S& stepper) { return stepper.divides_steps(); }))
      .def_property_readonly("status", number([](S& stepper) { return to_text(stepper.outcome().status); }))
      .def_property_readonly("message", number([](S& stepper) { return stepper.outcome().message; }))
      .def_property("step_size", number([](S& stepper) { return stepper.step_size(); }),
                    [](PyStepper& self, const py::object& given) {
                      const double h = one_number(given, "step_size");
                      self.use([&](S& stepper) { stepper.set_step(h); });
                    },
                    "Negative to go back in time.")
      .def_property_readonly("inputs", [](const py::object& self) { return StepperValues{self, true}; })
      .def_property_readonly("parameters", [](const py::object& self) { return StepperValues{self, false}; })
      .def_property_readonly("system", [](const PyStepper& self) { return as_python(self.system()); })
      .def("set_state", &set_state, "From here on; what is not given stays.", py::kw_only(), py::arg("q") = py::none(),
           py::arg("v") = py::none(), py::arg("states") = py::none(), py::arg("t") = py::none())
      .def("project_states", [](PyStepper& self, bool projects) { self.use([&](S& stepper) { stepper.project_states(projects); }); },
           "Project states that violate the constraints instead of refusing them.", py::arg("projects") = true)
      .def("save", &save, "Everything that the next step depends on, as bytes.")
      .def("load", [](PyStepper& self, const std::string& saved) { self.use([&](S& stepper) { stepper.load(saved); }); },
           "Goes on from saved bytes.", py::arg("saved"))
      .def("__copy__", [](const py::object& self) { return unpickled(pickled(self)); })
      .def("__deepcopy__", [](const py::object& self, const py::object&) { return unpickled(pickled(self)); })
      .def("copy", [](const py::object& self) { return unpickled(pickled(self)); }, "Another stepper in the same state.")
      .def(py::pickle(&pickled, &unpickled))
      .def("__repr__", [](PyStepper& self) {
        return fmt::format("<noslip.Stepper of '{}': {}, t = {}>", self.system().system().name(), self.options().method,
                           to_short_text(self.use([](S& stepper) { return stepper.t(); })));
      });
}

}  // namespace noslip::python

// What the files of the Python module share.
//
// The module is a thin layer: it reads Python objects, calls noslip without the lock of the interpreter (call.hpp), and
// gives results out as arrays that are views of their memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace noslip::python {

namespace py = pybind11;

/// A read-only view of numbers that `owner` keeps alive. Shapes and strides are in numbers, not bytes.
py::array view_of(const double* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides, py::handle owner);
/// An array of its own.
py::array copy_of(std::span<const double> values);
/// What a value is for, as messages name it: an option, or a name of one that has values by name.
struct What {
  What(std::string option, std::string key = {}) : name(std::move(option)), of(std::move(key)) {}  // NOLINT: implicit on purpose
  What(const char* option) : name(option) {}                                                       // NOLINT: the same
  std::string name, of;
  /// "`step=0.1`", "`init={"x": 0.1}`"
  std::string told(const std::string& written) const;
  /// "`init`: x"
  std::string title() const { return of.empty() ? "`" + name + "`" : "`" + name + "`: " + of; }
};

using DoubleArray = py::array_t<double, py::array::c_style | py::array::forcecast>;
/// A number, a sequence or an array as an array of doubles. InputError that names `what` if these are no real numbers;
/// truth values, texts and dates are none.
DoubleArray array_of(py::handle values, const What& what);
/// The same in one dimension.
std::vector<double> doubles_of(py::handle values, const What& what);

// Each file adds its part to the module.
void bind_errors(py::module_& module);
void bind_schema(py::module_& module);
void bind_system(py::module_& module);
void bind_expressions(py::module_& module);
void bind_rows(py::module_& module);
void bind_callbacks(py::module_& module);
void bind_run(py::module_& module);
void bind_stepper(py::module_& module);
void bind_ensemble(py::module_& module);
void bind_studies(py::module_& module);

/// Without the lock of the interpreter (GIL) as long as it lives. A thread that comes back when the interpreter is ending
/// never gets the lock again: it waits for the end of the process. (Python would unwind it, through code that cannot be.)
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace noslip::python

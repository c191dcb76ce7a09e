// Exceptions of noslip in Python.
#include <string>

#include <noslip/core/error.hpp>
#include <noslip/core/stopping.hpp>

#include "common.hpp"

namespace noslip::python {
namespace {

PyObject* input_error = nullptr;
PyObject* file_error = nullptr;

PyObject* new_exception(py::module_& module, const char* name, const char* doc, PyObject* base) {
  PyObject* type = PyErr_NewExceptionWithDoc(("noslip." + std::string(name)).c_str(), doc, base, nullptr);
  if (type == nullptr) throw py::error_already_set();
  module.add_object(name, type);
  return type;
}

void raise_input_error(const InputError& error) {
  const py::object raised = py::reinterpret_borrow<py::object>(input_error)(error.what());
  raised.attr("problems") = py::cast(error.problems());
  PyErr_SetObject(input_error, raised.ptr());
}

}  // namespace

void bind_errors(py::module_& module) {
  py::class_<Place>(module, "Place", "A place in a text: file, line and column. 0 means unknown.")
      .def_readonly("file", &Place::file)
      .def_readonly("line", &Place::line)
      .def_readonly("column", &Place::column)
      .def_readonly("source_line", &Place::source_line)
      .def("__repr__", [](const Place& place) {
        return "Place(" + place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ")";
      });
  py::class_<Problem>(module, "Problem", "One thing that is wrong with the input.")
      .def_readonly("what", &Problem::what, "What is wrong, with the value.")
      .def_readonly("where", &Problem::place, "The place in the text.")
      .def_readonly("remedy", &Problem::remedy, "What to do.")
      .def("__str__", [](const Problem& problem) { return to_text(problem); })
      .def("__repr__", [](const Problem& problem) { return "Problem(" + std::string(py::repr(py::str(problem.what))) + ")"; })
      .def(py::pickle(
          [](const Problem& problem) {
            const Place& place = problem.place;
            return py::make_tuple(problem.what, place.file, place.line, place.column, place.source_line, problem.remedy);
          },
          [](const py::tuple& saved) {
            return Problem{saved[0].cast<std::string>(),
                           {saved[1].cast<std::string>(), saved[2].cast<int>(), saved[3].cast<int>(), saved[4].cast<std::string>()},
                           saved[5].cast<std::string>()};
          }));

  input_error = new_exception(module, "InputError",
                              "Bad input: a system, an option or a name. `problems` has all of them, str() is the text that the tool prints.",
                              PyExc_ValueError);
  py::handle(input_error).attr("problems") = py::tuple();
  file_error = new_exception(module, "FileError", "A file that cannot be read or written.", PyExc_OSError);
  new_exception(module, "NumericalError", "A run has failed. `run` is what there is of it. Raised with check=True only.",
                PyExc_ArithmeticError);

  module.def("_refuse", [](const std::string& what, const std::string& remedy) { throw InputError(what, remedy); });
  py::register_exception_translator([](std::exception_ptr raised) {
    try {
      if (raised) std::rethrow_exception(raised);
    } catch (const InputError& error) {
      raise_input_error(error);
    } catch (const FileError& error) {
      PyErr_SetString(file_error, error.what());
    } catch (const Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace noslip::python

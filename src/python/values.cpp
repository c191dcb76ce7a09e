#include "values.hpp"

#include <cmath>

#include <fmt/format.h>

#include <noslip/core/short_text.hpp>
#include <noslip/exec/value_text.hpp>

namespace noslip::python {

void refuse(std::vector<Problem>& problems, std::string what, std::string remedy) {
  problems.push_back({std::move(what), {}, std::move(remedy)});
}

void refuse_all(std::vector<Problem> problems) {
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::string text_of(py::handle text) {
  Py_ssize_t size = 0;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();  // halves of surrogate pairs, which no UTF-8 can hold
  const auto escaped = py::reinterpret_steal<py::object>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!escaped) throw py::error_already_set();
  return std::string(py::reinterpret_borrow<py::bytes>(escaped));
}

std::string shown(py::handle value) {
  try {
    return shortened(text_of(py::repr(value)));
  } catch (const py::error_already_set&) {
    return "an object";
  } catch (const py::cast_error&) {
    return "an object";
  }
}

namespace {

/// As text, for numbers of any size.
std::optional<quad> number_from_text(py::handle value) {
  const quad number = to_quad(std::string(py::str(value)));
  return std::optional(number);
}

std::optional<quad> exact_number(py::handle value) {
  if (PyBool_Check(value.ptr())) return std::nullopt;
  if (PyFloat_Check(value.ptr())) return quad(PyFloat_AS_DOUBLE(value.ptr()));
  if (PyIndex_Check(value.ptr())) {
    const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!whole) throw py::error_already_set();
    int overflows = 0;
    const long long small = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflows);
    return overflows == 0 ? std::optional<quad>(small) : number_from_text(whole);
  }
  if (py::hasattr(value, "numerator") && py::hasattr(value, "denominator")) {
    const auto above = exact_number(value.attr("numerator")), below = exact_number(value.attr("denominator"));
    if (above && below) return *above / *below;
    return std::nullopt;
  }
  if (py::hasattr(value, "as_tuple") && py::hasattr(value, "is_finite")) {  // decimal.Decimal
    if (py::cast<bool>(value.attr("is_finite")())) return number_from_text(value);
  }
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0 && PyErr_ExceptionMatches(PyExc_ValueError) == 0 &&
        PyErr_ExceptionMatches(PyExc_OverflowError) == 0) {
      throw py::error_already_set();
    }
    PyErr_Clear();
    return std::nullopt;
  }
  return quad(number);
}

}  // namespace

std::optional<quad> number_of(py::handle value, const std::string& option, std::vector<Problem>& problems,
                              const Settings& names) {
  if (PyUnicode_Check(value.ptr())) {
    const auto text = text_of(value);
    const Value read = evaluate(text, names);
    if (!read.number) refuse(problems, fmt::format("{}={}: {}", option, shortened(text), read.what), read.remedy);
    return read.number;
  }
  const std::optional<quad> number = exact_number(value);
  if (!number) {
    refuse(problems, fmt::format("{}={}: that is not a number", option, shown(value)), "give a number, or a text such as \"1/10\"");
  } else if (!std::isfinite(static_cast<double>(*number))) {
    refuse(problems, fmt::format("{}={}: the value has to be a finite number", option, shown(value)),
           "write a number such as 0.1, 1/10 or pi/2");
    return std::nullopt;
  }
  return number;
}

Settings settings_of(py::handle values, const std::string& option, std::vector<Problem>& problems, const Settings& names) {
  Settings settings;
  if (values.is_none()) return settings;
  if (!py::hasattr(values, "items")) {
    refuse(problems, fmt::format("{}={}: expected values by name", option, shown(values)),
           fmt::format("give a dict, for example {}={{\"x\": 1}}", option));
    return settings;
  }
  for (const py::handle pair : values.attr("items")()) {
    const auto entry = pair.cast<std::pair<py::object, py::object>>();
    if (!PyUnicode_Check(entry.first.ptr())) {
      refuse(problems, fmt::format("{}: {} is not a name", option, shown(entry.first)), "names are texts");
      continue;
    }
    const auto name = text_of(entry.first);
    if (const auto number = number_of(entry.second, fmt::format("{}: {}", option, shortened(name)), problems, names)) {
      settings[name] = *number;
    }
  }
  return settings;
}

NumberList numbers_of(py::handle values, const std::string& option, std::vector<Problem>& problems) {
  NumberList numbers;
  if (values.is_none()) return numbers;
  if (PyUnicode_Check(values.ptr()) || !py::isinstance<py::iterable>(values)) {
    if (const auto number = number_of(values, option, problems)) numbers.push_back(*number);
    return numbers;
  }
  if (py::isinstance<py::array>(values)) {
    for (const double number : doubles_of(values, option.c_str())) numbers.push_back(number);
    return numbers;
  }
  for (const py::handle value : values) {
    if (const auto number = number_of(value, option, problems)) numbers.push_back(*number);
  }
  return numbers;
}

std::vector<std::string> texts_of(py::handle values, const std::string& option, std::vector<Problem>& problems) {
  std::vector<std::string> texts;
  if (values.is_none()) return texts;
  if (PyUnicode_Check(values.ptr())) return split_outside_brackets(text_of(values), ',');
  if (!py::isinstance<py::iterable>(values)) {
    refuse(problems, fmt::format("{}={}: expected texts", option, shown(values)), "give a list of texts");
    return texts;
  }
  for (const py::handle value : values) {
    if (PyUnicode_Check(value.ptr())) {
      texts.push_back(text_of(value));
    } else {
      refuse(problems, fmt::format("{}: {} is not a text", option, shown(value)), "give a list of texts");
    }
  }
  return texts;
}

std::string path_of(py::handle value) {
  const auto path = py::reinterpret_steal<py::object>(PyOS_FSPath(value.ptr()));
  if (!path) throw py::error_already_set();
  return PyBytes_Check(path.ptr()) ? std::string(py::reinterpret_borrow<py::bytes>(path)) : text_of(path);
}

}  // namespace noslip::python

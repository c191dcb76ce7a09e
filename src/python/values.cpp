#include "values.hpp"

#include <cmath>
#include <limits>

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

/// True if Python has said that a value is none of the kind that was asked for; other exceptions pass.
bool is_refused() {
  if (PyErr_Occurred() == nullptr) return false;
  for (PyObject* const kind : {PyExc_TypeError, PyExc_ValueError, PyExc_OverflowError}) {
    if (PyErr_ExceptionMatches(kind) == 0) continue;
    PyErr_Clear();
    return true;
  }
  throw py::error_already_set();
}

/// As text, for numbers of any size.
quad number_from_text(py::handle value) { return to_quad(std::string(py::str(value))); }

/// An int of any size; an infinite number if it is far outside of the range of numbers.
std::optional<quad> whole_number(py::handle value) {
  const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (is_refused()) return std::nullopt;
  int overflows = 0;
  const long long small = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflows);
  if (overflows == 0) return quad(small);
  constexpr double most_bits = 2000;  // Python refuses to write numbers of many thousand digits
  if (py::cast<double>(whole.attr("bit_length")()) > most_bits) return quad(overflows * std::numeric_limits<double>::infinity());
  return number_from_text(whole);
}

/// The number that an array or a numpy scalar holds, as Python has it; nothing if there is not exactly one real number.
std::optional<py::object> number_inside(py::handle value) {
  if (value.attr("ndim").cast<int>() != 0) return std::nullopt;
  const std::string kind = text_of(value.attr("dtype").attr("kind"));
  if (kind != "i" && kind != "u" && kind != "f") return std::nullopt;
  py::object number = value.attr("item")();
  if (kind != "f" || PyFloat_Check(number.ptr())) return number;
  return py::module_::import("fractions").attr("Fraction")(*number.attr("as_integer_ratio")());  // a long double
}

bool is_of_numpy(py::handle value) {
  return py::isinstance<py::array>(value) || py::isinstance(value, py::module_::import("numpy").attr("generic"));
}

std::optional<quad> exact_number(py::handle value) {
  if (PyBool_Check(value.ptr())) return std::nullopt;
  if (PyFloat_Check(value.ptr())) return quad(PyFloat_AS_DOUBLE(value.ptr()));
  if (PyLong_Check(value.ptr())) return whole_number(value);
  if (is_of_numpy(value)) {
    try {
      const auto inside = number_inside(value);
      return inside && !is_of_numpy(*inside) ? exact_number(*inside) : std::nullopt;
    } catch (py::error_already_set& error) {  // no ratio of whole numbers: NaN or infinite
      if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_OverflowError)) throw;
      return quad(std::numeric_limits<double>::quiet_NaN());
    }
  }
  if (PyIndex_Check(value.ptr())) return whole_number(value);
  if (py::hasattr(value, "numerator") && py::hasattr(value, "denominator")) {
    const py::object above = value.attr("numerator"), below = value.attr("denominator");
    if (PyIndex_Check(above.ptr()) == 0 || PyIndex_Check(below.ptr()) == 0) return std::nullopt;
    const auto over = whole_number(above), under = whole_number(below);
    return over && under ? std::optional(*over / *under) : std::nullopt;
  }
  if (py::hasattr(value, "as_tuple") && py::hasattr(value, "is_finite")) {  // decimal.Decimal
    const py::object is_finite = value.attr("is_finite")();
    if (PyBool_Check(is_finite.ptr()) && py::cast<bool>(is_finite)) return number_from_text(value);
  }
  const double number = PyFloat_AsDouble(value.ptr());
  if (is_refused()) return std::nullopt;
  return quad(number);
}

}  // namespace

std::string What::told(const std::string& written) const {
  return of.empty() ? fmt::format("`{}={}`", name, written) : fmt::format("`{}={{\"{}\": {}}}`", name, shortened(of), written);
}

std::string written(py::handle value) { return PyUnicode_Check(value.ptr()) ? shortened(text_of(value)) : shown(value); }

std::optional<quad> number_of(py::handle value, const What& what, std::vector<Problem>& problems, const Settings& names) {
  if (PyUnicode_Check(value.ptr())) {
    const Value read = evaluate(text_of(value), names);
    if (!read.number) refuse(problems, what.told(written(value)) + ": " + read.what, read.remedy);
    return read.number;
  }
  const std::optional<quad> number = exact_number(value);
  if (!number) {
    refuse(problems, what.told(shown(value)) + ": that is not a number", "give a number, or a text such as \"1/10\"");
  } else if (!std::isfinite(static_cast<double>(*number))) {
    refuse(problems, what.told(shown(value)) + ": the value has to be a finite number", "write a number such as 0.1, 1/10 or pi/2");
    return std::nullopt;
  }
  return number;
}

std::optional<std::string> name_of(py::handle value, const std::string& option, std::vector<Problem>& problems) {
  if (PyUnicode_Check(value.ptr())) return text_of(value);
  if (py::isinstance(value, py::module_::import("noslip._noslip").attr("Expression"))) return text_of(py::str(value));
  refuse(problems, fmt::format("{}: {} is not a name", option, shown(value)), "names are texts");
  return std::nullopt;
}

bool is_true(py::handle value) {
  const int truth = PyObject_IsTrue(value.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth == 1;
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
    const auto name = name_of(entry.first, option, problems);
    if (!name) continue;
    if (const auto number = number_of(entry.second, {option, *name}, problems, names)) {
      settings[*name] = *number;
    }
  }
  return settings;
}

NumberList numbers_of(py::handle values, const What& what, std::vector<Problem>& problems) {
  NumberList numbers;
  if (values.is_none()) return numbers;
  if (PyUnicode_Check(values.ptr()) || !py::isinstance<py::iterable>(values)) {
    if (const auto number = number_of(values, what, problems)) numbers.push_back(*number);
    return numbers;
  }
  if (py::isinstance<py::array>(values)) {
    for (const double number : doubles_of(values, what)) numbers.push_back(number);
    return numbers;
  }
  for (const py::handle value : values) {
    if (const auto number = number_of(value, what, problems)) numbers.push_back(*number);
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
  PyObject* encoded = nullptr;
  if (PyUnicode_FSConverter(value.ptr(), &encoded) == 0) {  // also if a zero byte is in it, which ends names elsewhere
    if (!is_refused()) throw py::error_already_set();
    throw InputError(shown(value) + ": that is not the name of a file", "give a text or a path");
  }
  return std::string(py::reinterpret_steal<py::bytes>(encoded));
}

}  // namespace noslip::python

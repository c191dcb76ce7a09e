#include "common.hpp"

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include <noslip/core/error.hpp>

#include "values.hpp"

namespace noslip::python {

py::array view_of(const double* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides, py::handle owner) {
  static const double nothing = 0;
  for (py::ssize_t& stride : strides) stride *= static_cast<py::ssize_t>(sizeof(double));
  py::array array(py::dtype::of<double>(), std::move(shape), std::move(strides), data != nullptr ? data : &nothing, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::array copy_of(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

DoubleArray array_of(py::handle values, const What& what) {
  const auto refuse_kind = [&] {
    throw InputError(fmt::format("{}: these are not numbers", what.title()), "give a sequence or an array of numbers");
  };
  py::array array = py::array::ensure(values);
  if (!array) {
    PyErr_Clear();
    refuse_kind();
  }
  const char kind = array.dtype().kind();
  if (kind == 'O') {  // Fractions, Decimals and the like: each is a number, or it is refused
    std::vector<Problem> problems;
    std::vector<double> numbers;
    for (const py::handle value : array.attr("flat")) {
      numbers.push_back(static_cast<double>(number_of(value, what, problems).value_or(0)));
    }
    refuse_all(std::move(problems));
    const std::vector<py::ssize_t> shape(array.shape(), array.shape() + array.ndim());
    return DoubleArray(shape, numbers.data());
  }
  if (kind != 'f' && kind != 'i' && kind != 'u') refuse_kind();
  DoubleArray numbers = DoubleArray::ensure(array);
  if (!numbers) throw py::error_already_set();
  return numbers;
}

std::vector<double> doubles_of(py::handle values, const What& what) {
  const DoubleArray array = array_of(values, what);
  if (array.ndim() != 1) throw InputError(fmt::format("{}: the array has {} dimensions", what.title(), array.ndim()), "give one");
  return {array.data(), array.data() + array.size()};
}

Unlocked::~Unlocked() {
#if PY_VERSION_HEX >= 0x030D0000
  const bool is_ending = Py_IsFinalizing() != 0;
#else
  const bool is_ending = _Py_IsFinalizing() != 0;
#endif
  while (is_ending) std::this_thread::sleep_for(std::chrono::hours(1));
  PyEval_RestoreThread(state_);
}

}  // namespace noslip::python

#include "common.hpp"

#include <fmt/format.h>

#include <noslip/core/error.hpp>

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

std::vector<double> doubles_of(py::handle values, const char* what) {
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(values);
  if (!array) {
    PyErr_Clear();
    throw InputError(fmt::format("{}: these are not numbers", what), "give a sequence or an array of numbers");
  }
  if (array.ndim() != 1) throw InputError(fmt::format("{}: the array has {} dimensions", what, array.ndim()), "give one");
  return {array.data(), array.data() + array.size()};
}

}  // namespace noslip::python

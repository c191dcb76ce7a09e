// A run with its rows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/io/data_files.hpp>
#include <noslip/run/run.hpp>

#include "options.hpp"
#include "rows.hpp"

namespace noslip::python {

class PyRun : public Rows {
 public:
  PyRun(Chosen given, std::shared_ptr<const RowContext> context) : Rows(std::move(context)), chosen(std::move(given)) {}

  Chosen chosen;
  Trajectory trajectory;
  bool is_unpickled = false;

  /// The states at times: of all steps if they were kept, otherwise of a second run.
  std::shared_ptr<const DenseOutput> dense();
  /// Functions in Python, which nobody calls after the run. They may own what owns the run.
  void forget_functions();

 private:
  std::shared_ptr<const DenseOutput> dense_;
};

/// A run as Python pickles it: data, options and what it says of itself. Steps that `dense` keeps are not in it.
py::tuple pickled_run(const py::object& self);
/// The same run, and the attributes that a user has given it.
std::pair<std::unique_ptr<PyRun>, py::dict> unpickled_run(const py::tuple& from);

}  // namespace noslip::python

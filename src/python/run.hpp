// A run with its rows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/io/row_sink.hpp>
#include <noslip/run/run.hpp>

#include "options.hpp"
#include "rows.hpp"

namespace noslip::python {

/// Data files of a run, which are opened with the first row.
class DataFiles {
 public:
  DataFiles() = default;
  DataFiles(std::vector<std::string> names, RowFile common);

  bool empty() const { return files_.empty(); }
  void write(std::span<const double> row);
  void close();
  /// For checkpoints: saves where the files are, or goes on from there.
  void carry(Archive& archive);

 private:
  struct File {
    std::string name;
    std::unique_ptr<RowSink> sink;
    std::string saved;
  };
  void open();

  RowFile common_;
  std::vector<File> files_;
};

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

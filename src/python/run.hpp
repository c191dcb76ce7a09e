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
  std::string header;  ///< of a checkpoint: how the run is made again

  /// The states at times: of all steps if they were kept, otherwise of a second run.
  std::shared_ptr<const DenseOutput> dense();

 private:
  std::shared_ptr<const DenseOutput> dense_;
};

}  // namespace noslip::python

// Where rows of numbers go: data files of any format behind one interface.
//
//   const std::unique_ptr<RowSink> sink = open_rows("run.csv", false, row_columns(system));
//   RowReader read(row_columns(system));
//   options.every = 1;
//   options.sink = [&](const Sample& sample) { sink->write(read(sample)); };
//   integrate(system, options);
//   sink->close();
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/run/columns.hpp>

namespace noslip {

/// A file under construction. Rows are written as they come, if the format allows it: memory then does not grow with
/// their number, and what is there after a failure is valid. FileError (io/output_file.hpp) where something cannot be
/// written.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// One number per column (assert).
  virtual void write(std::span<const double> row) = 0;
  /// To be called once, after the last row, also after a failure; FileError if not everything arrived. Without it a
  /// file may lack rows.
  virtual void close() = 0;
};

/// A kind of data file.
struct RowFormat {
  const char* name;    ///< "CSV"
  const char* ending;  ///< of the names of such files, with the dot
  /// Creates the file (see OutputFile) with these columns. Null: this version of noslip cannot.
  std::unique_ptr<RowSink> (*open)(const std::string& file, bool overwrite, const std::vector<Column>& columns);
};

/// All formats. The first is a text, for standard output.
std::span<const RowFormat> row_formats();

/// The format that the ending of the name asks for; for `-`, a device or a pipe the first one. InputError, with the
/// endings that there are, for any other name.
const RowFormat& row_format_of(const std::string& file);

/// A file in the format that its name asks for; `-` is standard output.
std::unique_ptr<RowSink> open_rows(const std::string& file, bool overwrite, const std::vector<Column>& columns);

}  // namespace noslip

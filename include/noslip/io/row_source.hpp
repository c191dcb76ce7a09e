// Rows of numbers out of a data file of noslip, in any of its formats.
//
//   const std::unique_ptr<RowSource> source = open_row_source("run.h5");
//   const std::size_t x = find_column(source->file().columns, "x");
//   source->read([&](std::span<const double> row) { return use(row[x]); });
//
// Files are read strictly: they are exactly as this version of noslip writes them, or InputError says what is wrong.
// What is told of a file before its rows are read was checked; a damaged row is found when it is read, at the latest
// when read() comes to the end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <noslip/io/row_sink.hpp>

namespace noslip {

class RowSource {
 public:
  virtual ~RowSource() = default;

  /// What the file was opened with, as far as it tells: names, meanings and units of the columns, notes (not of CSV,
  /// nor what did not fit into the comment of an archive), times of members. Columns are times or expressions; none has
  /// words.
  const RowFile& file() const { return file_; }
  /// How many rows there are, if the file tells (CSV does not).
  std::optional<std::uint64_t> row_count() const { return row_count_; }
  /// RowSink::add_record; empty if there is none.
  const std::string& record() const { return record_; }

  /// Hands on all rows in their order, until `take` returns false, and returns how many it took. A row is as for
  /// RowSink::write; values that CSV leaves out are NaN. Memory does not grow with their number. InputError if the file
  /// is not as it was written, FileError if it cannot be read.
  virtual std::uint64_t read(const std::function<bool(std::span<const double> row)>& take) const = 0;

 protected:
  RowSource() = default;
  RowFile file_;
  std::optional<std::uint64_t> row_count_;
  std::string record_;
};

/// A file in the format that its name asks for. InputError for other names, a file that is not one of noslip or of this
/// version, that is damaged or has columns of words; FileError if it cannot be read.
std::unique_ptr<RowSource> open_row_source(const std::string& file);

}  // namespace noslip

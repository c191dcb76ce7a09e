// The archive that an NPZ file is when it is complete: columns made from rows, block by block, and rows from columns.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/io/output_file.hpp>
#include <noslip/run/columns.hpp>

#include "io/bytes.hpp"
#include "io/zip_file.hpp"

namespace noslip {

class NpzArchive {
 public:
  /// `comment`: of the archive, at most 65535 bytes.
  NpzArchive(const std::vector<Column>& columns, std::string comment);

  /// With different names.
  const std::vector<Column>& columns() const { return columns_; }

  /// Reads so many rows from `first` on; false if they are not there.
  using ReadRows = std::function<bool(std::uint64_t first, std::size_t count, double* rows)>;
  /// Writes everything, by OutputFile::put.
  void write(OutputFile& file, std::uint64_t rows, const ReadRows& read) const;

  /// The number of rows of a file; false if it is not such an archive with these columns
  /// and this comment.
  bool find_rows(int file, std::uint64_t& rows) const;
  /// Hands on the first `count` of all rows, block by block. 0, a number as of errno, or what `take` returned.
  int read(int file, std::uint64_t rows, std::uint64_t count, const std::function<int(std::string_view)>& take) const;

 private:
  std::string header_of(std::size_t column, std::uint64_t rows) const;
  std::size_t width_of(std::size_t column) const;
  std::size_t rows_of_block() const;
  ZipLayout layout(std::uint64_t rows) const;

  std::vector<Column> columns_;
  std::string comment_;
  std::vector<std::vector<std::u32string>> words_;  ///< of every column, filled up to one length
};

}  // namespace noslip

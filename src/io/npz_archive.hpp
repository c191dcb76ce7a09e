// The archive that an NPZ file is when it is complete: columns made from rows, block by block, and rows from columns.
//
// Of members, an array of values over time has the shape (times, members), with the times of a member beside each other
// ('fortran_order'): so do rows, and members can be added.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/io/output_file.hpp>
#include <noslip/io/row_sink.hpp>

#include "io/bytes.hpp"
#include "io/saved_rows.hpp"
#include "io/zip_file.hpp"

namespace noslip {

class NpzArchive {
 public:
  /// `comment`: of the archive, at most 65535 bytes.
  NpzArchive(const RowFile& file, std::string comment);

  /// With different names.
  const std::vector<Column>& columns() const { return columns_; }
  const RowShape& shape() const { return shape_; }

  /// Of a file that has one: what its last array holds.
  void set_record(std::string_view record) { record_ = record; }

  /// Reads so many numbers of all rows, from `first` on; false if they are not there.
  using ReadRows = std::function<bool(std::uint64_t first, std::size_t count, double* numbers)>;
  /// Writes everything, by OutputFile::put.
  void write(OutputFile& file, std::uint64_t rows, const ReadRows& read) const;

  /// The number of rows of a file; false if it is not such an archive with these columns
  /// and this comment.
  bool find_rows(int file, std::uint64_t& rows) const;
  /// Hands on the first `count` of all rows, block by block. 0, a number as of errno, or what `take` returned. With
  /// `checks` all of them, and EBADMSG if they are not as they were written.
  int read(int file, std::uint64_t rows, std::uint64_t count, const std::function<int(std::string_view)>& take,
           bool checks = false) const;
  /// The record of a file in which find_rows() has found so many; false if it is not as it was written.
  bool read_record(int file, std::uint64_t rows, std::string& record) const;
  /// Are the times as they were written?
  bool has_right_times(int file, std::uint64_t rows) const;

 private:
  /// Numbers of a column of several rows, or some of them of one row.
  struct Part {
    std::size_t column;
    std::uint64_t first;      ///< of the numbers of the column in all rows
    std::size_t rows, count;  ///< so many of each row
    std::size_t begin;        ///< where in the block
  };
  /// Rows that are turned into columns at a time, or numbers of one column of a row.
  struct Block {
    std::uint64_t first;      ///< of the numbers of all rows
    std::size_t count;
    std::size_t stride;       ///< numbers of a row
    std::vector<Part> parts;
  };
  std::string header_of(std::size_t column, std::uint64_t rows) const;
  std::string header_of_times() const;
  static std::string header_of_record(std::uint64_t size);
  /// Where everything is in a file with so many rows, with the checksums that it has; nothing if it is another one.
  std::optional<ZipLayout> layout_of_file(int file, std::uint64_t rows) const;
  std::size_t width_of(std::size_t column) const;
  /// All numbers of so many rows, in their order; stops at a number that is not 0, which is the result.
  int for_all_blocks(std::uint64_t rows, const std::function<int(const Block& block)>& work) const;
  ZipLayout layout(std::uint64_t rows, std::uint64_t record_size) const;
  void add_times(ZipLayout& zip) const;
  /// Among the members of the archive; the times are between what is said of members and values over time.
  std::size_t place_of(std::size_t column) const;
  /// The bytes of an array; false if there is a number that means no word.
  bool take_column(const Part& part, std::size_t stride, const double* numbers, std::string& column) const;
  void put_column(const Part& part, std::size_t stride, const std::string& column, double* numbers) const;

  RowShape shape_;
  std::vector<double> times_;
  std::vector<Column> columns_;
  std::string comment_, record_;
  bool has_record_;
  std::vector<std::vector<std::u32string>> words_;  ///< of every column, filled up to one length
};

}  // namespace noslip

// Rows of numbers in a file, in blocks of whole lines: for files that are too large for memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/csv_line.hpp"

namespace noslip {

/// A regular file that is open for reading. Any number of threads may read.
class ReadableFile {
 public:
  /// FileError for what is not a regular file, or cannot be read.
  explicit ReadableFile(std::string name);
  ~ReadableFile();
  ReadableFile(const ReadableFile&) = delete;
  ReadableFile& operator=(const ReadableFile&) = delete;

  const std::string& name() const { return name_; }
  int number() const { return number_; }  ///< for the functions of the system
  /// Adds up to `count` bytes from a place on to a text: fewer only at the end of the file. FileError.
  void append(std::string& text, std::uint64_t place, std::size_t count) const;

 private:
  std::string name_;
  int number_;
};

/// A file from a place on, in blocks of whole lines of 64 KB or more. The last line may lack its end.
class BlocksOfLines {
 public:
  BlocksOfLines(const ReadableFile& file, std::uint64_t place) : file_(file), place_(place) {}

  /// The next block; lives until the next call. Empty at the end of the file, and if a line has more than 64 MB.
  std::string_view next();
  std::uint64_t place() const { return place_; }  ///< of what comes next
  bool has_long_line() const { return has_long_line_; }

 private:
  const ReadableFile& file_;
  std::uint64_t place_;
  std::string text_;      ///< from place_ - used_ on
  std::size_t used_ = 0;  ///< of which the last block has so many
  bool has_long_line_ = false;
};

/// The numbers of a block.
struct Rows {
  std::vector<double> values;        ///< row after row
  std::vector<std::uint32_t> lines;  ///< of each row, from the first line of the block on
  std::uint32_t line_count = 0;      ///< with blank ones
};
/// Of lines that begin with this number; `columns` numbers each. What is wrong goes into `problems`, and its row is
/// left out.
Rows read_rows(std::string_view text, long long first_line, std::size_t columns, CsvProblems& problems);

/// The line at the start of a text, without its end; the text is what follows.
std::string_view take_line(std::string_view& text);
/// Where a line has a byte that is not UTF-8, or zero; its size if there is none.
std::size_t find_odd_byte(std::string_view line);

}  // namespace noslip

// Tables of numbers from text: comma-separated values.
//
//   const CsvTable table = read_csv("torque.csv");
//   const NumberList& times = table.column(table.find("t"));
//
// One row per line, numbers with a decimal point in every locale, as many of them in each row. The first row may name
// the columns; names may stand in double quotes. Blank lines are passed over, and so is what follows a # outside of
// quotes. A number that is missing between two commas is a NaN, as in files that noslip writes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/core/given.hpp>

namespace noslip {

class CsvTable {
 public:
  std::size_t row_count() const { return lines_.size(); }  ///< without the one that names the columns; not zero
  std::size_t column_count() const { return columns_.size(); }
  const NumberList& column(std::size_t i) const { return columns_[i]; }

  bool has_names() const { return !names_.empty(); }
  const std::vector<std::string>& names() const { return names_; }  ///< of the columns; empty where the text has none
  /// The column of this name; column_count() if there is none.
  std::size_t find(std::string_view name) const;

  /// Of a number, for messages about it; of the whole text, and of the line with the names.
  Place place(std::size_t row, std::size_t column) const;
  Place place() const;
  Place place_of_names() const;

 private:
  friend class CsvParser;
  Place place_at(std::size_t line_begin, int line, std::size_t cell_begin) const;

  std::string text_, origin_;
  std::vector<std::string> names_;
  std::vector<NumberList> columns_;
  struct Line {
    std::size_t begin = 0;  ///< of the line in the text
    int number = 0;         ///< from 1 on
  };
  std::vector<Line> lines_;           ///< by row
  std::vector<std::uint32_t> cells_;  ///< where each begins in its line, row after row
  Line line_of_names_;
};

/// InputError with places, all problems at once (the first 20): what is not a number, a row with more or fewer numbers
/// than the one before, a text without rows. `origin` is the name in messages.
CsvTable parse_csv(std::string text, const std::string& origin);
/// The same from a file or a pipe; FileError if it cannot be read.
CsvTable read_csv(const std::string& file);

}  // namespace noslip

// One line of comma-separated values: where its fields are, which numbers and names they hold, and what is wrong with
// them. The grammar is that of model/csv_reader.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/core/error.hpp>

namespace noslip {

struct CsvCell {
  std::string_view text;  ///< without blanks around it
  std::size_t begin = 0;  ///< in the line
  bool is_quoted = false;

  /// Without its quotes: "1.0" is a number for other programs, too.
  std::string_view inner() const { return is_quoted ? text.substr(1, text.size() - 2) : text; }
};

class CsvLine {
 public:
  /// Of a line without its end. What cells() shows lives as long as the text.
  void split(std::string_view line);
  const std::vector<CsvCell>& cells() const { return cells_; }  ///< none in a line of blanks and comments
  /// No field is a number, or empty.
  bool names_columns() const;
  std::vector<std::string> names() const;  ///< the fields without quotes

 private:
  std::vector<CsvCell> cells_;
};

/// The finite double that is nearest to the number in a field; nothing if there is none, or a larger one. Reads what
/// Number::parse reads, and faster.
std::optional<double> double_in(std::string_view cell);

/// A mark that some programs write at the begin of a text.
inline constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";

/// Problems of one text, with their places; after the first 20 no more are of use.
class CsvProblems {
 public:
  explicit CsvProblems(std::string origin) : origin_(std::move(origin)) {}

  bool is_empty() const { return problems_.empty(); }
  bool is_full() const { return problems_.size() >= 20; }
  /// Of all that follows, until it is called again.
  void set_line(std::string_view line, long long number) { line_ = line, number_ = number; }
  /// In the line, or in the whole text.
  void add(std::string what, std::size_t cell_begin, std::string remedy);
  void add(std::string what, std::string remedy);
  void add_wrong_count(const CsvLine& line, std::size_t wanted);
  void add_no_number(const CsvCell& cell);  ///< something else, or a number that is too large
  /// InputError if there are any.
  void throw_any();

 private:
  std::string origin_;
  std::string_view line_;
  long long number_ = 0;
  std::vector<Problem> problems_;
};

/// A place in a line, from 0 on; lines count from 1.
Place place_in_line(const std::string& origin, std::string_view line, long long number, std::size_t cell_begin);

}  // namespace noslip

// Line by line, cell by cell.
#include <noslip/io/csv_reader.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/text_file.hpp>
#include <noslip/expr/number.hpp>

namespace noslip {

namespace {

constexpr std::uintmax_t largest_csv = 1'000'000'000;  // bytes
constexpr std::size_t most_problems_shown = 20;

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

class CsvParser {
 public:
  CsvParser(std::string text, const std::string& origin) {
    table_.text_ = std::move(text);
    table_.origin_ = origin;
  }

  CsvTable run() {
    const std::string_view text = table_.text_;
    constexpr std::string_view mark = "\xEF\xBB\xBF";  // of UTF-8
    std::size_t begin = text.starts_with(mark) ? mark.size() : 0;
    while (begin < text.size() && problems_.size() < most_problems_shown) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++line_.number;
      line_.begin = begin;
      take(text.substr(begin, end - begin));
      begin = end + 1;
    }
    if (problems_.empty() && table_.lines_.empty()) {
      problems_.push_back({"there are no numbers in it", table_.place(), "write rows of numbers, with commas between"});
    }
    if (!problems_.empty()) throw InputError(std::move(problems_));
    return std::move(table_);
  }

 private:
  struct Cell {
    std::string_view text;  ///< without blanks around it
    std::size_t begin = 0;  ///< in the line
    bool is_quoted = false;
  };

  void split(std::string_view line) {
    cells_.clear();
    std::size_t begin = 0;
    bool is_quoted = false;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      const bool is_end = i == line.size() || (!is_quoted && line[i] == '#');
      if (!is_end && line[i] == '"') is_quoted = !is_quoted;
      if (!is_end && (is_quoted || line[i] != ',')) continue;
      add_cell(line, begin, i);
      if (is_end) break;
      begin = i + 1;
    }
    if (cells_.size() == 1 && cells_.front().text.empty() && !cells_.front().is_quoted) cells_.clear();
  }

  void add_cell(std::string_view line, std::size_t begin, std::size_t end) {
    const std::size_t first = begin;
    while (begin < end && is_blank(line[begin])) ++begin;
    while (end > begin && is_blank(line[end - 1])) --end;
    Cell cell{line.substr(begin, end - begin), begin == end ? first : begin};
    cell.is_quoted = cell.text.size() >= 2 && cell.text.front() == '"' && cell.text.back() == '"';
    cells_.push_back(cell);
  }

  void take(std::string_view line) {
    split(line);
    if (cells_.empty()) return;
    if (is_first_ && std::exchange(is_first_, false) && names_columns()) return take_names();
    const std::size_t wanted = table_.columns_.empty() ? cells_.size() : table_.columns_.size();
    if (cells_.size() != wanted) {
      return complain(fmt::format("{} where the rows above have {}", counted(cells_.size(), "field"), wanted),
                      std::min(wanted, cells_.size() - 1), "give each row as many; numbers have a decimal point");
    }
    table_.columns_.resize(wanted);
    for (std::size_t i = 0; i < wanted; ++i) take_number(i);
    table_.lines_.push_back(line_);
  }

  /// No number is in the first row.
  bool names_columns() const {
    return std::none_of(cells_.begin(), cells_.end(),
                        [](const Cell& cell) { return cell.text.empty() || Number::parse(cell.text).has_value(); });
  }

  void take_names() {
    for (const Cell& cell : cells_) {
      std::string name(cell.is_quoted ? cell.text.substr(1, cell.text.size() - 2) : cell.text);
      for (std::size_t i = 0; cell.is_quoted && i + 1 < name.size(); ++i) {
        if (name[i] == '"' && name[i + 1] == '"') name.erase(i, 1);
      }
      table_.names_.push_back(std::move(name));
    }
    table_.line_of_names_ = line_;
    table_.columns_.resize(cells_.size());
  }

  void take_number(std::size_t column) {
    const Cell& cell = cells_[column];
    table_.cells_.push_back(static_cast<std::uint32_t>(cell.begin));
    NumberList& to = table_.columns_[column];
    if (cell.text.empty()) return to.push_back(std::numeric_limits<double>::quiet_NaN());
    const std::optional<Number> number = Number::parse(cell.text);
    if (!number) {
      to.push_back(0);
      const bool has_semicolon = cell.text.find(';') != std::string_view::npos;
      return complain(fmt::format("'{}' is not a number", cell.text.substr(0, 40)), column,
                      has_semicolon ? "put commas between the fields" : "write a number such as 0.1 or 1e-3");
    }
    to.push_back(number->value());
    if (std::isfinite(static_cast<double>(to.back()))) return;
    complain(fmt::format("'{}' is too large", cell.text.substr(0, 40)), column, "write a number below 1e308");
  }

  void complain(std::string what, std::size_t cell, std::string remedy) {
    problems_.push_back(
        {std::move(what), table_.place_at(line_.begin, line_.number, cells_[cell].begin), std::move(remedy)});
  }

  CsvTable table_;
  CsvTable::Line line_;
  std::vector<Cell> cells_;
  std::vector<Problem> problems_;
  bool is_first_ = true;
};

std::size_t CsvTable::find(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? column_count() : static_cast<std::size_t>(found - names_.begin());
}

Place CsvTable::place_at(std::size_t line_begin, int line, std::size_t cell_begin) const {
  constexpr std::size_t most_shown = 200;
  std::string shown = text_.substr(line_begin, std::min(text_.find('\n', line_begin), text_.size()) - line_begin);
  if (shown.ends_with('\r')) shown.pop_back();
  if (shown.size() > most_shown) shown.clear();  // the place has to do
  return {origin_, line, static_cast<int>(cell_begin) + 1, std::move(shown)};
}

Place CsvTable::place(std::size_t row, std::size_t column) const {
  return place_at(lines_[row].begin, lines_[row].number, cells_[row * column_count() + column]);
}

Place CsvTable::place() const { return {origin_, 0, 0, {}}; }

Place CsvTable::place_of_names() const { return place_at(line_of_names_.begin, line_of_names_.number, 0); }

CsvTable parse_csv(std::string text, const std::string& origin) { return CsvParser(std::move(text), origin).run(); }

CsvTable read_csv(const std::string& file) { return parse_csv(read_text_file(file, largest_csv), file); }

}  // namespace noslip

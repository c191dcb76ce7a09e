// Line by line, cell by cell.
#include <noslip/model/csv_reader.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <noslip/core/text_file.hpp>
#include <noslip/expr/number.hpp>

#include "model/csv_line.hpp"

namespace noslip {

namespace {

constexpr std::uintmax_t largest_csv = 1'000'000'000;  // bytes

}  // namespace

class CsvParser {
 public:
  CsvParser(std::string text, const std::string& origin) : problems_(origin) {
    table_.text_ = std::move(text);
    table_.origin_ = origin;
  }

  CsvTable run() {
    const std::string_view text = table_.text_;
    std::size_t begin = text.starts_with(utf8_mark) ? utf8_mark.size() : 0;
    while (begin < text.size() && !problems_.is_full()) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++where_.number;
      where_.begin = begin;
      take(text.substr(begin, end - begin));
      begin = end + 1;
    }
    if (problems_.is_empty() && table_.lines_.empty()) {
      problems_.add("there are no numbers in it", "write rows of numbers, with commas between");
    }
    problems_.throw_any();
    return std::move(table_);
  }

 private:
  void take(std::string_view text) {
    line_.split(text);
    if (line_.cells().empty()) return;
    problems_.set_line(text, where_.number);
    if (is_first_ && std::exchange(is_first_, false) && line_.names_columns()) return take_names();
    const std::size_t wanted = table_.columns_.empty() ? line_.cells().size() : table_.columns_.size();
    if (line_.cells().size() != wanted) return problems_.add_wrong_count(line_, wanted);
    table_.columns_.resize(wanted);
    for (std::size_t i = 0; i < wanted; ++i) take_number(i);
    table_.lines_.push_back(where_);
  }

  void take_names() {
    table_.names_ = line_.names();
    table_.line_of_names_ = where_;
    table_.columns_.resize(table_.names_.size());
  }

  void take_number(std::size_t column) {
    const CsvCell& cell = line_.cells()[column];
    table_.cells_.push_back(static_cast<std::uint32_t>(cell.begin));
    NumberList& to = table_.columns_[column];
    if (cell.text.empty()) return to.push_back(std::numeric_limits<double>::quiet_NaN());
    const std::optional<Number> number = Number::parse(cell.text);
    to.push_back(number ? number->value() : 0);
    if (!number || !std::isfinite(static_cast<double>(to.back()))) problems_.add_no_number(cell);
  }

  CsvTable table_;
  CsvTable::Line where_;
  CsvLine line_;
  CsvProblems problems_;
  bool is_first_ = true;
};

std::size_t CsvTable::find(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? column_count() : static_cast<std::size_t>(found - names_.begin());
}

Place CsvTable::place_at(std::size_t line_begin, int line, std::size_t cell_begin) const {
  const std::string_view text = text_;
  return place_in_line(origin_,
                       text.substr(line_begin, std::min(text.find('\n', line_begin), text.size()) - line_begin), line,
                       cell_begin);
}

Place CsvTable::place(std::size_t row, std::size_t column) const {
  return place_at(lines_[row].begin, lines_[row].number, cells_[row * column_count() + column]);
}

Place CsvTable::place() const { return {origin_, 0, 0, {}}; }

Place CsvTable::place_of_names() const { return place_at(line_of_names_.begin, line_of_names_.number, 0); }

CsvTable parse_csv(std::string text, const std::string& origin) { return CsvParser(std::move(text), origin).run(); }

CsvTable read_csv(const std::string& file) { return parse_csv(read_text_file(file, largest_csv), file); }

}  // namespace noslip

#include "model/csv_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/characters.hpp>
#include <noslip/core/names.hpp>
#include <noslip/expr/number.hpp>

namespace noslip {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// What may end a field, or keep it from ending.
constexpr auto is_special = [] {
  std::array<bool, 256> special{};
  for (const char c : {',', '"', '#'}) special[static_cast<unsigned char>(c)] = true;
  return special;
}();

CsvCell cell_between(std::string_view line, std::size_t begin, std::size_t end) {
  const std::size_t first = begin;
  while (begin < end && is_blank(line[begin])) ++begin;
  while (end > begin && is_blank(line[end - 1])) --end;
  CsvCell cell{line.substr(begin, end - begin), begin == end ? first : begin};
  cell.is_quoted = cell.text.size() >= 2 && cell.text.front() == '"' && cell.text.back() == '"';
  return cell;
}

}  // namespace

void CsvLine::split(std::string_view line) {
  cells_.clear();
  std::size_t begin = 0;
  bool is_quoted = false;
  for (std::size_t i = 0;; ++i) {
    while (i < line.size() && !is_special[static_cast<unsigned char>(line[i])]) ++i;
    const bool is_end = i == line.size() || (!is_quoted && line[i] == '#');
    if (!is_end && line[i] == '"') is_quoted = !is_quoted;
    if (!is_end && (is_quoted || line[i] != ',')) continue;
    cells_.push_back(cell_between(line, begin, i));
    if (is_end) break;
    begin = i + 1;
  }
  if (cells_.size() == 1 && cells_.front().text.empty()) cells_.clear();
}

bool CsvLine::names_columns() const {
  return std::none_of(cells_.begin(), cells_.end(),
                      [](const CsvCell& cell) { return cell.text.empty() || Number::parse(cell.text).has_value(); });
}

std::vector<std::string> CsvLine::names() const {
  std::vector<std::string> names;
  for (const CsvCell& cell : cells_) {
    std::string name(cell.is_quoted ? cell.text.substr(1, cell.text.size() - 2) : cell.text);
    for (std::size_t i = 0; cell.is_quoted && i + 1 < name.size(); ++i) {
      if (name[i] == '"' && name[i + 1] == '"') name.erase(i, 1);
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::optional<double> double_in(std::string_view cell) {
  // from_chars knows words such as inf, and no plus.
  std::size_t begin = !cell.empty() && (cell[0] == '+' || cell[0] == '-') ? 1 : 0;
  if (begin < cell.size() && (is_digit(cell[begin]) || cell[begin] == '.')) {
    if (cell[0] == '-') begin = 0;
    double value = 0;
    const char* const end = cell.data() + cell.size();
    const auto [stop, error] = std::from_chars(cell.data() + begin, end, value);
    if (error == std::errc() && stop == end && std::isfinite(value)) return value;
  }
  // Not a number, or one that is too large, or so small that it is zero.
  const std::optional<Number> number = Number::parse(cell);
  if (!number || !std::isfinite(static_cast<double>(number->value()))) return std::nullopt;
  return static_cast<double>(number->value());
}

void CsvProblems::add(std::string what, std::size_t cell_begin, std::string remedy) {
  if (!is_full()) {
    problems_.push_back({std::move(what), place_in_line(origin_, line_, number_, cell_begin), std::move(remedy)});
  }
}

void CsvProblems::add(std::string what, std::string remedy) {
  if (!is_full()) problems_.push_back({std::move(what), {origin_, 0, 0, {}}, std::move(remedy)});
}

void CsvProblems::add_wrong_count(const CsvLine& line, std::size_t wanted) {
  const std::size_t count = line.cells().size();
  add(fmt::format("{} where the rows above have {}", counted(count, "field"), wanted),
      line.cells()[std::min(wanted, count - 1)].begin, "give each row as many; numbers have a decimal point");
}

void CsvProblems::add_no_number(const CsvCell& cell) {
  const bool is_number = Number::parse(cell.text).has_value();
  const bool has_semicolon = cell.text.find(';') != std::string_view::npos;
  add(fmt::format("'{}' is {}", cell.text.substr(0, 40), is_number ? "too large" : "not a number"), cell.begin,
      is_number       ? "write a number below 1e308"
      : has_semicolon ? "put commas between the fields"
                      : "write a number such as 0.1 or 1e-3");
}

void CsvProblems::throw_any() {
  if (!problems_.empty()) throw InputError(std::move(problems_));
}

Place place_in_line(const std::string& origin, std::string_view line, long long number, std::size_t cell_begin) {
  constexpr std::size_t most_shown = 200;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > most_shown) line = {};  // the place has to do
  const auto shown = static_cast<int>(std::min<long long>(number, std::numeric_limits<int>::max()));
  const auto column = static_cast<int>(std::min<std::size_t>(cell_begin, std::numeric_limits<int>::max() - 1)) + 1;
  return {origin, shown, column, std::string(line)};
}

}  // namespace noslip

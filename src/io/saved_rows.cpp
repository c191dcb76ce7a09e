#include "io/saved_rows.hpp"

#include <cassert>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include <noslip/core/error.hpp>

namespace noslip {

std::string SavedRows::text(const char* format) const {
  return fmt::format("{} rows 1 {} {} {}", format, rows, size, checksum);
}

SavedRows SavedRows::read(const char* format, const std::string& file, std::string_view text) {
  SavedRows saved;
  const std::string start = fmt::format("{} rows 1", format);
  bool is_right = text.starts_with(start);
  text.remove_prefix(is_right ? start.size() : text.size());
  for (std::uint64_t* number : {&saved.rows, &saved.size, &saved.checksum}) {
    is_right = is_right && text.starts_with(' ');
    if (!is_right) break;
    text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
    is_right = error == std::errc();
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  if (is_right && text.empty()) return saved;
  throw FileError(fmt::format("cannot go on with '{}': what was saved does not belong to a {} file of this version",
                              file, format));
}

std::string too_short_text(std::uint64_t size, std::uint64_t needed) {
  return fmt::format("has {} bytes of at least {} when it was saved", size, needed);
}

std::string too_few_rows_text(std::uint64_t rows, std::uint64_t needed) {
  return fmt::format("has {} of {} rows when it was saved", rows, needed);
}

std::vector<Column> with_different_names(const std::vector<Column>& columns) {
  std::vector<Column> result;
  for (Column column : columns) {
    while (find_column(result, column.name) < result.size()) column.name += '_';
    result.push_back(std::move(column));
  }
  return result;
}

Checksum checksum_of_times(const RowFile& file) {
  Checksum result;
  if (!file.members) return result;
  const std::vector<double>& times = file.members->times;
  result.add({reinterpret_cast<const char*>(times.data()), times.size() * sizeof(double)});
  return result;
}

RowShape::RowShape(const RowFile& file) : columns_(file.columns.size()), single_(columns_) {
  if (!file.members) return;
  assert(file.members->of_member > 0 && file.members->of_member <= columns_ && !file.members->times.empty());
  single_ = file.members->of_member;
  times_ = file.members->times.size();
}

std::vector<Column> columns_of_one_list(const RowFile& file) {
  std::vector<Column> result = file.columns;
  if (!file.members) return result;
  std::vector<Column> over_time(result.begin() + static_cast<std::ptrdiff_t>(file.members->of_member), result.end());
  over_time.push_back(column_of_times());
  for (std::size_t i = 0; i < file.members->of_member; ++i) {
    if (find_column(over_time, result[i].name) < over_time.size()) result[i].name.insert(0, "member/");
  }
  return result;
}

Column column_of_times() { return {"t", ColumnKind::time}; }

WordColumns::WordColumns(const RowFile& file) {
  const RowShape shape(file);
  for (std::size_t i = 0; i < file.columns.size(); ++i) {
    const std::size_t words = file.columns[i].words.size();
    if (words > 0) places_.push_back({shape.begin(i), shape.count(i), words});
  }
}

void WordColumns::refuse(double number, std::size_t count) {
  throw InputError(fmt::format("a row has {} in a column of {} words", number, count),
                   fmt::format("give the number of a word, from 0 to {}", count - 1));
}

}  // namespace noslip

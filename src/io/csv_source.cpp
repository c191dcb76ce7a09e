// Line by line. A member of an ensemble has a line for every time, which become one row.
#include "io/csv_source.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <noslip/io/output_file.hpp>

#include "io/base64.hpp"
#include "io/checksum.hpp"
#include "io/csv.hpp"
#include "io/damaged.hpp"
#include "io/notes.hpp"
#include "io/row_blocks.hpp"
#include "io/saved_rows.hpp"
#include "model/csv_line.hpp"

namespace noslip {

namespace {

/// The number that a text begins with, which is taken off; nothing if there is none.
std::optional<std::uint64_t> take_whole_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take_text(std::string_view& text, std::string_view start) {
  const bool is_there = text.starts_with(start);
  if (is_there) text.remove_prefix(start.size());
  return is_there;
}

/// The lines between the header and the record, with a checksum of everything before the record.
class CsvLines {
 public:
  CsvLines(const ReadableFile& file, std::uint64_t end) : file_(file), end_(end), blocks_(file, 0) { next(); }

  /// Its cells; nothing at the end.
  bool next() {
    while (rest_.empty()) {
      rest_ = blocks_.next();
      if (blocks_.has_long_line()) refuse_damaged(file_.name(), "has a line of more than 64 MB");
      if (rest_.empty() || place_ >= end_) return false;
      rest_ = rest_.substr(0, end_ - place_);
      place_ += rest_.size();
      checksum_.add(rest_);
    }
    line_.split(take_line(rest_));
    return true;
  }
  const std::vector<CsvCell>& cells() const { return line_.cells(); }
  std::vector<std::string> names() const { return line_.names(); }
  std::uint64_t checksum() const { return checksum_.value(); }

 private:
  const ReadableFile& file_;
  std::uint64_t end_, place_ = 0;
  BlocksOfLines blocks_;
  std::string_view rest_;
  CsvLine line_;
  Checksum checksum_;
};

class CsvSource : public RowSource {
 public:
  explicit CsvSource(const std::string& name) : readable_(name), end_(size_of_file(readable_.number())) {
    file_.name = name;
    read_record();
    CsvLines lines(readable_, end_);
    for (const std::string& column : lines.names()) {
      file_.columns.push_back({column, column == column_of_times().name ? ColumnKind::time : ColumnKind::expression});
    }
    if (file_.columns.empty()) refuse_damaged(name, "has no names of columns");
    // Members have a number first, and whether they have failed before the time.
    const std::size_t time = find_column(file_.columns, column_of_times().name);
    const auto is_called = [&](std::size_t i, const std::string& called) {
      return file_.columns[i].name == called || file_.columns[i].name == "member/" + called;
    };
    if (time < 2 || time >= file_.columns.size() || !is_called(0, "number") || !is_called(time - 1, "failed")) return;
    time_ = time;
    read_times(lines);
  }

  std::uint64_t read(const std::function<bool(std::span<const double> row)>& take) const override {
    CsvLines lines(readable_, end_);
    const std::size_t times = file_.members ? file_.members->times.size() : 1;
    const std::size_t single = file_.members ? time_ : file_.columns.size(), over_time = file_.columns.size() - single;
    std::vector<double> row(single + over_time * times), line;
    std::uint64_t taken = 0;
    while (lines.next()) {
      for (std::size_t k = 0; k < times; ++k) {
        if (k > 0 && !lines.next()) refuse_damaged(file_.name, "ends in the middle of a member");
        read_line(lines, line);
        if (k == 0) std::copy_n(line.begin(), single, row.begin());
        if (file_.members) check_member(row, line, k);
        for (std::size_t i = 0; i < over_time; ++i) row[single + i * times + k] = line[single + 1 + i];
      }
      ++taken;
      if (!take(row)) return taken - 1;
    }
    if (checksum_ && lines.checksum() != *checksum_) refuse_damaged(file_.name, "has other lines than at first");
    return taken;
  }

 private:
  void read_record() {
    constexpr std::uint64_t longest_end = 120;
    std::string tail;
    readable_.append(tail, end_ - std::min(end_, longest_end), longest_end);
    if (!tail.ends_with('\n')) refuse_damaged(file_.name, tail.empty() ? "is empty" : "ends in the middle of a line");
    tail.pop_back();
    std::string_view last = std::string_view(tail).substr(tail.rfind('\n') + 1);  // npos + 1 is 0
    if (!take_text(last, csv_record_end)) return;
    const std::optional<std::uint64_t> size = take_whole_number(last);
    const bool goes_on = size && *size <= end_ && take_text(last, csv_record_checksum);
    checksum_ = goes_on ? take_whole_number(last) : std::nullopt;
    if (!checksum_ || !last.empty()) refuse_damaged(file_.name, "has an end that cannot be read");
    std::string text;
    readable_.append(text, *size, end_ - *size);
    end_ = *size;
    file_.has_record = true;
    std::string_view rest = text;
    std::string_view start = take_line(rest);
    if (!take_text(start, csv_record_start)) refuse_damaged(file_.name, "has a record that is not complete");
    check_version(file_.name, fmt::format("noslip {}", start));
    while (!rest.starts_with(csv_record_end)) {
      std::string_view line = take_line(rest);
      const std::optional<std::string> bytes = take_text(line, csv_record_line) ? bytes_of_base64(line) : std::nullopt;
      if (!bytes || rest.empty()) refuse_damaged(file_.name, "has a record that cannot be read");
      record_ += *bytes;
    }
  }

  /// Those of the first member.
  void read_times(CsvLines& lines) {
    file_.columns.erase(file_.columns.begin() + static_cast<std::ptrdiff_t>(time_));
    MemberRows members{time_, {}};
    std::vector<double> line;
    double first = 0;
    while (lines.next()) {
      read_line(lines, line);
      if (members.times.empty()) first = line[0];
      if (line[0] != first) break;
      members.times.push_back(line[time_]);
    }
    if (members.times.empty()) refuse_damaged(file_.name, "has no members");
    file_.members = std::move(members);
  }

  void read_line(const CsvLines& lines, std::vector<double>& numbers) const {
    const std::size_t count = file_.columns.size() + (time_ > 0 ? 1 : 0);
    const std::vector<CsvCell>& cells = lines.cells();
    const bool is_one_gap = count == 1 && cells.empty();
    if (cells.size() != count && !is_one_gap) refuse_damaged(file_.name, "has a line with another number of fields");
    numbers.assign(count, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].text.empty()) continue;
      const std::optional<double> number = double_in(cells[i].text);
      if (!number) refuse_words(file_.name, name_of_field(i));
      numbers[i] = *number;
    }
  }

  /// The time of members is a field, but no column.
  const std::string& name_of_field(std::size_t field) const {
    static const std::string time = column_of_times().name;
    if (time_ > 0 && field == time_) return time;
    return file_.columns[field - (time_ > 0 && field > time_ ? 1 : 0)].name;
  }

  /// All lines of a member say the same of it.
  void check_member(const std::vector<double>& row, const std::vector<double>& line, std::size_t k) const {
    const auto is_equal = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    if (!std::equal(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(time_), row.begin(), is_equal) ||
        line[time_] != file_.members->times[k]) {
      refuse_damaged(file_.name, "has a member whose lines do not belong together");
    }
  }

  ReadableFile readable_;
  std::uint64_t end_;
  std::optional<std::uint64_t> checksum_;  ///< of everything before the record
  std::size_t time_ = 0;                   ///< of members: which field the time is
};

}  // namespace

std::unique_ptr<RowSource> open_csv_source(const std::string& file) { return std::make_unique<CsvSource>(file); }

}  // namespace noslip

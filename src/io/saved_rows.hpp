// What the formats of data files have in common: rows that are taken up again, columns, and when rows are written.
#pragma once

#include <cstdint>
#include <ctime>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/io/row_sink.hpp>

#include "io/checksum.hpp"

namespace noslip {

/// The result of RowSink::save() as numbers.
struct SavedRows {
  std::uint64_t rows = 0;
  std::uint64_t size = 0;      ///< bytes of NAME.part with these rows
  std::uint64_t checksum = 0;  ///< of what the format says

  std::string text(const char* format) const;
  /// FileError if the text does not come from a file of this format.
  static SavedRows read(const char* format, const std::string& file, std::string_view text);
};

/// Messages about a file, for Beginning.
std::string too_short_text(std::uint64_t size, std::uint64_t needed);
std::string too_few_rows_text(std::uint64_t rows, std::uint64_t needed);
inline const char* other_content_text() { return "has other content than when it was saved"; }
inline const char* other_columns_text() { return "has other columns, or comes from another run"; }

/// Checksums of content begin with this: the times of members, which the content may not have.
Checksum checksum_of_times(const RowFile& file);

/// The columns with names that are all different: a name may be asked for twice.
std::vector<Column> with_different_names(const std::vector<Column>& columns);

/// Which numbers of a row belong to a column: those of one follow each other.
class RowShape {
 public:
  explicit RowShape(const RowFile& file);

  /// Numbers of a row.
  std::size_t size() const { return begin(columns_); }
  std::size_t column_count() const { return columns_; }
  bool is_of_members() const { return times_ > 0; }
  bool is_over_time(std::size_t column) const { return column >= single_; }
  std::size_t times() const { return times_; }
  /// Columns with one number each: all of them unless a row is a member.
  std::size_t single() const { return single_; }
  std::size_t begin(std::size_t column) const {
    return column <= single_ ? column : single_ + (column - single_) * times_;
  }
  std::size_t count(std::size_t column) const { return is_over_time(column) ? times_ : 1; }

 private:
  std::size_t columns_, single_, times_ = 0;
};

/// The columns for formats that have one list of names. What is said of a member under a name that also belongs to
/// values over time (its first position, for example) is called `member/NAME`.
std::vector<Column> columns_of_one_list(const RowFile& file);
/// The column that a file of members has for the time.
Column column_of_times();
/// What the record of a file is called where it has a name (RowFile::has_record).
inline constexpr const char* record_name = "part";

/// Columns of words. Rows have the numbers of words in them, from 0 on.
class WordColumns {
 public:
  explicit WordColumns(const RowFile& file);
  /// InputError if a number there is not that of a word.
  void check(std::span<const double> row) const {
    for (const Place& place : places_) {
      for (const double number : row.subspan(place.begin, place.count)) word(number, place.words);
    }
  }
  /// Which one of `count` words a number means; InputError if none.
  static std::size_t word(double number, std::size_t count) {
    if (!is_word(number, count)) refuse(number, count);
    return static_cast<std::size_t>(number);
  }
  static bool is_word(double number, std::size_t count) {
    return number >= 0 && number < static_cast<double>(count) &&
           static_cast<double>(static_cast<std::size_t>(number)) == number;
  }

 private:
  [[noreturn]] static void refuse(double number, std::size_t count);

  struct Place {
    std::size_t begin, count;  ///< of the numbers in a row
    std::size_t words;         ///< how many there are
  };
  std::vector<Place> places_;
};

/// Says when rows should reach the file: at once where they are slow in coming, else about once a second.
class FlushClock {
 public:
  /// Rows that take this long are slow.
  explicit FlushClock(double slow = 0.05) : slow_(slow) {}
  /// To be asked after each row.
  bool is_due() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    const double seconds = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    const bool is_slow = seconds - row_ > slow_;
    row_ = seconds;
    if (!is_slow && seconds - flush_ < 0.5) return false;
    flush_ = seconds;
    return true;
  }

 private:
  double slow_, row_ = 0, flush_ = 0;
};

}  // namespace noslip

#include "io/row_blocks.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include <noslip/core/printable.hpp>

namespace noslip {
namespace {

constexpr std::size_t lines_at_once = 64 << 10;
constexpr std::size_t longest_line = 64 << 20;

[[noreturn]] void refuse_reading(const std::string& name, const std::string& why) {
  throw FileError(fmt::format("cannot read '{}': {}", name, why));
}

std::string reason_of(int error) { return std::generic_category().message(error); }

/// Is there nothing but ASCII, without zeros? Eight bytes at a time.
bool is_plain(std::string_view text) {
  constexpr std::uint64_t high = 0x8080808080808080U, ones = 0x0101010101010101U;
  std::uint64_t odd = 0;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, sizeof word);
    odd |= word | ((word - ones) & ~word);  // the second part: a byte was zero
  }
  for (; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0 || byte >= 0x80) return false;
  }
  return (odd & high) == 0;
}

}  // namespace

ReadableFile::ReadableFile(std::string name) : name_(std::move(name)) {
  const auto require_regular = [&](const struct stat& status) {
    if (S_ISDIR(status.st_mode)) refuse_reading(name_, "it is a directory");
    if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) {
      refuse_reading(name_, "it is a pipe, which can be read only once; write it to a file first");
    }
    if (!S_ISREG(status.st_mode)) refuse_reading(name_, "that is a device, not a file");
  };
  struct stat status {};
  if (stat(name_.c_str(), &status) != 0) refuse_reading(name_, reason_of(errno));
  require_regular(status);
  number_ = open(name_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (number_ < 0) refuse_reading(name_, reason_of(errno));
  try {
    if (fstat(number_, &status) != 0) refuse_reading(name_, reason_of(errno));
    require_regular(status);  // it may be another one by now
  } catch (...) {
    close(number_);
    throw;
  }
}

ReadableFile::~ReadableFile() { close(number_); }

void ReadableFile::append(std::string& text, std::uint64_t place, std::size_t count) const {
  std::size_t size = text.size();
  const std::size_t wanted = size + count;
  text.resize(wanted);
  while (size < wanted) {
    const ssize_t got = pread(number_, text.data() + size, wanted - size, static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_reading(name_, reason_of(errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    place += static_cast<std::uint64_t>(got);
  }
  text.resize(size);
}

std::string_view BlocksOfLines::next() {
  text_.erase(0, used_);
  used_ = 0;
  while (!has_long_line_) {
    const std::size_t before = text_.size(), wanted = std::max(before, lines_at_once);
    file_.append(text_, place_ + before, wanted);
    const bool is_end = text_.size() < before + wanted;
    const std::size_t found = text_.rfind('\n');
    used_ = is_end ? text_.size() : found == std::string::npos ? 0 : found + 1;
    if (is_end || used_ > 0) break;
    has_long_line_ = text_.size() >= longest_line;
  }
  place_ += used_;
  return std::string_view(text_).substr(0, used_);
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::size_t find_odd_byte(std::string_view line) {
  std::size_t i = 0;
  while (i < line.size()) {
    const Character character = first_character(line.substr(i));
    if (!character.is_valid || character.code == 0) return i;
    i += character.length;
  }
  return i;
}

Rows read_rows(std::string_view text, long long first_line, std::size_t columns, CsvProblems& problems) {
  Rows rows;
  CsvLine line;
  const bool has_plain_text = is_plain(text);
  while (!text.empty() && !problems.is_full()) {
    const std::string_view whole = take_line(text);
    const std::uint32_t number = rows.line_count++;
    problems.set_line(whole, first_line + number);
    if (const std::size_t odd = has_plain_text ? whole.size() : find_odd_byte(whole); odd < whole.size()) {
      problems.add("this is not text in UTF-8", odd, "save the file as UTF-8");
      continue;
    }
    line.split(whole);
    if (line.cells().empty()) continue;
    if (line.cells().size() != columns) {
      problems.add_wrong_count(line, columns);
      continue;
    }
    const std::size_t before = rows.values.size();
    for (const CsvCell& cell : line.cells()) {
      if (const std::optional<double> value = double_in(cell.inner())) {
        rows.values.push_back(*value);
      } else if (cell.inner().empty()) {
        problems.add("a number is missing", cell.begin, "write it, or leave the line out");
      } else {
        problems.add_no_number(cell);
      }
    }
    if (rows.values.size() - before == columns) {
      rows.lines.push_back(number);
    } else {
      rows.values.resize(before);
    }
  }
  return rows;
}

}  // namespace noslip

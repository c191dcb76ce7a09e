#include "io/npz_archive.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "io/checksum.hpp"

namespace noslip {

namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are in memory, as '<f8'");

constexpr std::size_t block_bytes = 1 << 22;  // of rows that are turned into columns at a time

/// The characters of a text in UTF-8.
std::u32string characters_of(const std::string& text) {
  std::u32string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      result += byte;
    } else if (byte >= 0xc0) {
      result += byte & (byte >= 0xf0 ? 0x07U : byte >= 0xe0 ? 0x0fU : 0x1fU);
    } else if (!result.empty()) {
      result.back() = result.back() << 6 | (byte & 0x3fU);
    }
  }
  return result;
}

[[noreturn]] void refuse_rows(const OutputFile& file) {
  throw FileError(fmt::format("cannot write {}: the rows cannot be read back", file.name()));
}

}  // namespace

NpzArchive::NpzArchive(const RowFile& file, std::string comment)
    : shape_(file), columns_(columns_of_one_list(file)), comment_(std::move(comment)), has_record_(file.has_record) {
  if (file.members) times_ = file.members->times;
  const auto place_of_times = columns_.begin() + static_cast<std::ptrdiff_t>(shape_.single());
  if (file.members) columns_.insert(place_of_times, column_of_times());
  if (has_record_) columns_.insert(columns_.begin(), {record_name});
  columns_ = with_different_names(columns_);
  if (has_record_) columns_.erase(columns_.begin());
  if (file.members) columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(shape_.single()));
  for (const Column& column : columns_) {
    std::vector<std::u32string>& words = words_.emplace_back();
    std::size_t length = 1;
    for (const std::string& word : column.words) {
      words.push_back(characters_of(word));
      length = std::max(length, words.back().size());
    }
    for (std::u32string& word : words) word.resize(length);
  }
}

std::size_t NpzArchive::width_of(std::size_t column) const {
  return words_[column].empty() ? sizeof(double) : sizeof(char32_t) * words_[column][0].size();
}

namespace {

/// What stands before the numbers of an array: its type and shape, filled up to a multiple of 64 bytes.
std::string array_header(const std::string& type, bool is_by_columns, const std::string& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type,
                                 is_by_columns ? "True" : "False", shape);
  const std::size_t before = 10;  // the magic text, the version, the length of what follows
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  Bytes header;
  header.text("\x93NUMPY").one(1).one(0).two(text.size()).text(text);
  return header.str();
}

std::string_view bytes_of(const std::vector<double>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}

}  // namespace

std::string NpzArchive::header_of(std::size_t column, std::uint64_t rows) const {
  const std::string type = words_[column].empty() ? "<f8" : fmt::format("<U{}", words_[column][0].size());
  if (!shape_.is_over_time(column)) return array_header(type, false, fmt::format("({},)", rows));
  return array_header(type, true, fmt::format("({}, {})", shape_.times(), rows));
}

std::string NpzArchive::header_of_times() const {
  return array_header("<f8", false, fmt::format("({},)", times_.size()));
}

int NpzArchive::for_all_blocks(std::uint64_t rows, const std::function<int(const Block& block)>& work) const {
  constexpr std::size_t most = block_bytes / sizeof(double);
  const std::size_t stride = shape_.size();
  Block block{0, 0, stride, {}};
  int result = 0;
  for (std::uint64_t row = 0; row < rows && result == 0 && stride <= most;) {
    const std::size_t count = std::min<std::uint64_t>(most / stride, rows - row);
    block = {row * stride, count * stride, stride, {}};
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      block.parts.push_back({i, row * shape_.count(i), count, shape_.count(i), shape_.begin(i)});
    }
    result = work(block);
    row += count;
  }
  for (std::uint64_t row = 0; row < rows && result == 0 && stride > most; ++row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t all = shape_.count(i);
      for (std::size_t first = 0; first < all && result == 0; first += most) {
        const std::size_t count = std::min(most, all - first);
        block = {row * stride + shape_.begin(i) + first, count, stride, {{i, row * all + first, 1, count, 0}}};
        result = work(block);
      }
    }
  }
  return result;
}

std::string NpzArchive::header_of_record(std::uint64_t size) { return array_header("|u1", false, fmt::format("({},)", size)); }

ZipLayout NpzArchive::layout(std::uint64_t rows, std::uint64_t record_size) const {
  ZipLayout result(comment_);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i == shape_.single()) add_times(result);
    result.add(columns_[i].name + ".npy", header_of(i, rows).size() + rows * shape_.count(i) * width_of(i));
  }
  if (columns_.size() == shape_.single()) add_times(result);
  if (has_record_) result.add(fmt::format("{}.npy", record_name), header_of_record(record_size).size() + record_size);
  return result;
}

void NpzArchive::add_times(ZipLayout& zip) const {
  if (!shape_.is_of_members()) return;
  const std::string header = header_of_times();
  zip.add(column_of_times().name + ".npy", header.size() + bytes_of(times_).size());
  zip.members().back().checksum = crc32_of(crc32_of(0, header), bytes_of(times_));
}

std::size_t NpzArchive::place_of(std::size_t column) const {
  return column + (shape_.is_of_members() && column >= shape_.single() ? 1 : 0);
}

void NpzArchive::write(OutputFile& file, std::uint64_t rows, const ReadRows& read) const {
  ZipLayout zip = layout(rows, record_.size());
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    ZipLayout::Member& member = zip.members()[place_of(i)];
    const std::string header = header_of(i, rows);
    member.checksum = crc32_of(0, header);
    file.put(member.place, header);
    places.push_back(member.place + header.size());
  }
  if (shape_.is_of_members()) {
    const std::uint64_t place = zip.members()[shape_.single()].place;
    file.put(place, header_of_times());
    file.put(place + header_of_times().size(), bytes_of(times_));
  }
  std::vector<double> numbers;
  std::string column;
  for_all_blocks(rows, [&](const Block& block) {
    numbers.resize(block.count);
    if (!read(block.first, block.count, numbers.data())) refuse_rows(file);
    for (const Part& part : block.parts) {
      if (!take_column(part, block.stride, numbers.data(), column)) refuse_rows(file);
      ZipLayout::Member& member = zip.members()[place_of(part.column)];
      member.checksum = crc32_of(member.checksum, column);
      file.put(places[part.column] + part.first * width_of(part.column), column);
    }
    return 0;
  });
  if (has_record_) {
    ZipLayout::Member& member = zip.members().back();
    const std::string header = header_of_record(record_.size());
    member.checksum = crc32_of(crc32_of(0, header), record_);
    file.put(member.place, header);
    file.put(member.place + header.size(), record_);
  }
  for (const ZipLayout::Member& member : zip.members()) file.put(member.header_place, ZipLayout::header_of(member));
  file.put(zip.end(), zip.directory());
}

bool NpzArchive::take_column(const Part& part, std::size_t stride, const double* numbers, std::string& column) const {
  const std::vector<std::u32string>& words = words_[part.column];
  const std::size_t width = width_of(part.column);
  column.resize(part.rows * part.count * width);
  char* place = column.data();
  for (std::size_t row = 0; row < part.rows; ++row) {
    const double* values = numbers + row * stride + part.begin;
    if (words.empty()) {
      std::memcpy(place, values, part.count * width);
      place += part.count * width;
      continue;
    }
    for (std::size_t i = 0; i < part.count; ++i, place += width) {
      if (!WordColumns::is_word(values[i], words.size())) return false;
      std::memcpy(place, words[static_cast<std::size_t>(values[i])].data(), width);
    }
  }
  return true;
}

void NpzArchive::put_column(const Part& part, std::size_t stride, const std::string& column, double* numbers) const {
  const std::vector<std::u32string>& words = words_[part.column];
  const std::size_t width = width_of(part.column);
  const char* place = column.data();
  for (std::size_t row = 0; row < part.rows; ++row) {
    double* values = numbers + row * stride + part.begin;
    if (words.empty()) {
      std::memcpy(values, place, part.count * width);
      place += part.count * width;
      continue;
    }
    for (std::size_t i = 0; i < part.count; ++i, place += width) {
      const auto is_it = [&](const std::u32string& word) { return std::memcmp(word.data(), place, width) == 0; };
      values[i] = static_cast<double>(std::find_if(words.begin(), words.end(), is_it) - words.begin());
    }
  }
}

bool NpzArchive::find_rows(int file, std::uint64_t& rows) const {
  // The first member says how many there are; then everything has to be in its place.
  std::string start(30, '\0');
  if (columns_.empty() || !read_at(file, 0, start.data(), start.size())) return false;
  std::string header(header_of(0, 0).size(), '\0');
  const std::uint64_t place = start.size() + number_at(start, 26, 2) + number_at(start, 28, 2);
  if (!read_at(file, place, header.data(), header.size())) return false;
  const std::string known = header_of(0, 0), text = known.substr(0, known.find("(") + 1);
  if (!header.starts_with(text)) return false;
  rows = 0;
  for (std::size_t i = text.size(); header[i] >= '0' && header[i] <= '9'; ++i) rows = 10 * rows + static_cast<std::uint64_t>(header[i] - '0');
  if (rows > size_of_file(file)) return false;
  const std::optional<ZipLayout> found = layout_of_file(file, rows);
  if (!found) return false;
  const ZipLayout& zip = *found;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    header.resize(header_of(i, rows).size());
    if (!read_at(file, zip.members()[place_of(i)].place, header.data(), header.size())) return false;
    if (header != header_of(i, rows)) return false;
  }
  if (shape_.is_of_members()) {
    const std::string wanted = header_of_times().append(bytes_of(times_));
    header.resize(wanted.size());
    if (!read_at(file, zip.members()[shape_.single()].place, header.data(), header.size()) || header != wanted) return false;
  }
  std::string directory(zip.directory().size(), '\0');
  return read_at(file, zip.end(), directory.data(), directory.size()) && directory == zip.directory() &&
         size_of_file(file) == zip.end() + directory.size();
}

std::optional<ZipLayout> NpzArchive::layout_of_file(int file, std::uint64_t rows) const {
  ZipLayout zip = layout(rows, 0);
  std::string start;
  const auto read_header = [&](const ZipLayout::Member& member) {
    start.resize(ZipLayout::header_of(member).size());
    return read_at(file, member.header_place, start.data(), start.size());
  };
  if (has_record_) {  // its size is in the header
    const ZipLayout::Member record = zip.members().back();
    if (!read_header(record)) return std::nullopt;
    const std::uint64_t all = number_at(start, ZipLayout::checksum_place + 4, 4), least = header_of_record(0).size();
    std::uint64_t size = all - std::min(all, least);
    while (size > 0 && header_of_record(size).size() + size > all) --size;
    zip = layout(rows, size);
  }
  for (ZipLayout::Member& member : zip.members()) {
    if (!read_header(member)) return std::nullopt;
    member.checksum = static_cast<std::uint32_t>(number_at(start, ZipLayout::checksum_place, 4));
    if (start != ZipLayout::header_of(member)) return std::nullopt;
  }
  return zip;
}

bool NpzArchive::read_record(int file, std::uint64_t rows, std::string& record) const {
  const std::optional<ZipLayout> zip = layout_of_file(file, rows);
  if (!zip || !has_record_) return false;
  const ZipLayout::Member& member = zip->members().back();
  if (member.size > size_of_file(file)) return false;
  record.resize(member.size);
  if (!read_at(file, member.place, record.data(), record.size()) || crc32_of(0, record) != member.checksum) return false;
  const std::size_t header = record.find('\n') + 1;
  const bool is_right = record.starts_with(header_of_record(record.size() - header));
  record.erase(0, header);
  return is_right;
}

bool NpzArchive::has_right_times(int file, std::uint64_t rows) const {
  const std::optional<ZipLayout> zip = layout_of_file(file, rows);
  if (!zip || !shape_.is_of_members()) return zip.has_value();
  return zip->members()[shape_.single()].checksum == crc32_of(crc32_of(0, header_of_times()), bytes_of(times_));
}

int NpzArchive::read(int file, std::uint64_t rows, std::uint64_t count,
                     const std::function<int(std::string_view)>& take, bool checks) const {
  const std::optional<ZipLayout> zip = layout_of_file(file, rows);
  if (!zip) return EBADMSG;
  std::vector<std::uint32_t> checksums;
  for (std::size_t i = 0; i < columns_.size(); ++i) checksums.push_back(crc32_of(0, header_of(i, rows)));
  std::vector<double> numbers;
  std::string column;
  const int error = for_all_blocks(count, [&](const Block& block) {
    numbers.resize(block.count);
    for (const Part& part : block.parts) {
      const std::size_t width = width_of(part.column);
      column.resize(part.rows * part.count * width);
      const std::uint64_t begin = zip->members()[place_of(part.column)].place + header_of(part.column, rows).size();
      if (!read_at(file, begin + part.first * width, column.data(), column.size())) return EIO;
      if (checks) checksums[part.column] = crc32_of(checksums[part.column], column);
      put_column(part, block.stride, column, numbers.data());
    }
    return take(bytes_of(numbers));
  });
  for (std::size_t i = 0; checks && error == 0 && i < columns_.size(); ++i) {
    if (checksums[i] != zip->members()[place_of(i)].checksum) return EBADMSG;
  }
  return error;
}

}  // namespace noslip

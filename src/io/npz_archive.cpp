#include "io/npz_archive.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "io/checksum.hpp"
#include "io/saved_rows.hpp"

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

NpzArchive::NpzArchive(const std::vector<Column>& columns, std::string comment)
    : columns_(with_different_names(columns)), comment_(std::move(comment)) {
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

/// What stands before the numbers of an array: its type and length, filled up to a multiple of 64 bytes.
std::string NpzArchive::header_of(std::size_t column, std::uint64_t rows) const {
  const std::string type = words_[column].empty() ? "<f8" : fmt::format("<U{}", words_[column][0].size());
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, rows);
  const std::size_t before = 10;  // the magic text, the version, the length of what follows
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  Bytes header;
  header.text("\x93NUMPY").one(1).one(0).two(text.size()).text(text);
  return header.str();
}

std::size_t NpzArchive::rows_of_block() const {
  return std::max<std::size_t>(1, block_bytes / (sizeof(double) * columns_.size()));
}

ZipLayout NpzArchive::layout(std::uint64_t rows) const {
  ZipLayout result(comment_);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    result.add(columns_[i].name + ".npy", header_of(i, rows).size() + rows * width_of(i));
  }
  return result;
}

void NpzArchive::write(OutputFile& file, std::uint64_t rows, const ReadRows& read) const {
  ZipLayout zip = layout(rows);
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    ZipLayout::Member& member = zip.members()[i];
    const std::string header = header_of(i, rows);
    member.checksum = crc32_of(0, header);
    file.put(member.place, header);
    places.push_back(member.place + header.size());
  }
  std::vector<double> block;
  std::string column;
  for (std::uint64_t first = 0; first < rows;) {
    const std::size_t count = std::min<std::uint64_t>(rows_of_block(), rows - first), stride = columns_.size();
    block.resize(count * stride);
    if (!read(first, count, block.data())) refuse_rows(file);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t width = width_of(i);
      column.resize(count * width);
      for (std::size_t row = 0; row < count; ++row) {
        const double value = block[row * stride + i];
        if (words_[i].empty()) {
          std::memcpy(&column[row * width], &value, width);
        } else if (WordColumns::is_word(value, words_[i].size())) {
          std::memcpy(&column[row * width], words_[i][static_cast<std::size_t>(value)].data(), width);
        } else {
          refuse_rows(file);
        }
      }
      ZipLayout::Member& member = zip.members()[i];
      member.checksum = crc32_of(member.checksum, column);
      file.put(places[i] + first * width, column);
    }
    first += count;
  }
  for (const ZipLayout::Member& member : zip.members()) file.put(member.header_place, ZipLayout::header_of(member));
  file.put(zip.end(), zip.directory());
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
  ZipLayout zip = layout(rows);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    ZipLayout::Member& member = zip.members()[i];
    start.resize(ZipLayout::header_of(member).size());
    if (!read_at(file, member.header_place, start.data(), start.size())) return false;
    member.checksum = static_cast<std::uint32_t>(number_at(start, ZipLayout::checksum_place, 4));
    header.resize(header_of(i, rows).size());
    if (!read_at(file, member.place, header.data(), header.size())) return false;
    if (start != ZipLayout::header_of(member) || header != header_of(i, rows)) return false;
  }
  std::string directory(zip.directory().size(), '\0');
  return read_at(file, zip.end(), directory.data(), directory.size()) && directory == zip.directory();
}

int NpzArchive::read(int file, std::uint64_t rows, std::uint64_t count,
                     const std::function<int(std::string_view)>& take) const {
  const ZipLayout zip = layout(rows);
  std::vector<double> block;
  std::string column;
  for (std::uint64_t first = 0; first < count;) {
    const std::size_t size = std::min<std::uint64_t>(rows_of_block(), count - first), stride = columns_.size();
    block.resize(size * stride);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t width = width_of(i);
      column.resize(size * width);
      const std::uint64_t place = zip.members()[i].place + header_of(i, rows).size() + first * width;
      if (!read_at(file, place, column.data(), column.size())) return EIO;
      for (std::size_t row = 0; row < size; ++row) {
        double& value = block[row * stride + i];
        if (words_[i].empty()) {
          std::memcpy(&value, &column[row * width], width);
          continue;
        }
        const auto is_it = [&](const std::u32string& word) {
          return std::memcmp(word.data(), &column[row * width], width) == 0;
        };
        value = static_cast<double>(std::find_if(words_[i].begin(), words_[i].end(), is_it) - words_[i].begin());
      }
    }
    const int error = take({reinterpret_cast<const char*>(block.data()), block.size() * sizeof(double)});
    if (error != 0) return error;
    first += size;
  }
  return 0;
}

}  // namespace noslip

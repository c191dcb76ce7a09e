#include "io/npz.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include <fmt/format.h>

#include "io/zip_file.hpp"

namespace noslip {

namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are in memory, as '<f8'");

/// What stands before the numbers of an array: its type and length, filled up to a multiple of 64 bytes.
std::string header_of(const std::string& type, std::size_t count) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, count);
  const std::size_t before = 10;  // the magic text, the version, the length of what follows
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  std::string header = "\x93NUMPY";
  header += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

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

template <class T>
std::string_view bytes_of(const T& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])};
}

class NpzSink : public RowSink {
 public:
  NpzSink(const std::string& file, bool overwrite, const std::vector<Column>& columns)
      : file_(file, overwrite), values_(columns.size()) {
    for (Column column : columns) {
      while (find_column(columns_, column.name) < columns_.size()) column.name += '_';  // a name may be asked for twice
      columns_.push_back(std::move(column));
    }
  }

  void write(std::span<const double> row) override {
    assert(row.size() == values_.size());
    for (std::size_t i = 0; i < row.size(); ++i) values_[i].push_back(row[i]);
  }

  void close() override {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      columns_[i].words.empty() ? add(i, "<f8", bytes_of(values_[i])) : add_words(i);
    }
    file_.close();
  }

 private:
  void add(std::size_t column, const std::string& type, std::string_view bytes) {
    const std::string header = header_of(type, values_[column].size());
    const std::array<std::string_view, 2> pieces = {header, bytes};
    file_.add(columns_[column].name + ".npy", pieces);
  }

  /// Texts of one length, filled up with zeros.
  void add_words(std::size_t column) {
    std::vector<std::u32string> words;
    std::size_t length = 1;
    for (const std::string& word : columns_[column].words) {
      words.push_back(characters_of(word));
      length = std::max(length, words.back().size());
    }
    for (std::u32string& word : words) word.resize(length);
    std::u32string all;
    for (const double value : values_[column]) all += words.at(static_cast<std::size_t>(value));
    add(column, fmt::format("<U{}", length), bytes_of(all));
  }

  ZipFile file_;
  std::vector<Column> columns_;
  std::vector<std::vector<double>> values_;  ///< by column
};

}  // namespace

std::unique_ptr<RowSink> open_npz(const std::string& file, bool overwrite, const std::vector<Column>& columns) {
  return std::make_unique<NpzSink>(file, overwrite, columns);
}

}  // namespace noslip

// Where everything is in an HDF5 file of noslip, and how its description is replaced in one moment.
//
//   superblock          says which of the two descriptions is valid
//   texts               that never change
//   description A, B    root group and data sets: the number of rows, where the indices of the columns begin
//   blocks of rows      for each column nodes of its index, where new ones are needed, and a chunk
//
// New blocks change nothing that the valid description refers to: indices grow behind the rows that it knows. Then the
// other description is written, and at last the 48 bytes of the superblock. Whenever a program ends, the file is whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <noslip/io/row_sink.hpp>

#include "io/hdf5_messages.hpp"

namespace noslip::hdf5 {

/// What a description says: the number of rows, and the node where the index of each column begins.
struct Extent {
  std::uint64_t rows = 0;
  std::vector<std::uint64_t> roots;
};

class Layout {
 public:
  explicit Layout(const RowFile& file);

  std::size_t column_count() const { return columns_.size(); }
  /// Rows of a chunk.
  std::size_t chunk_rows() const { return chunk_rows_; }
  /// Bytes of an element of a column.
  std::size_t width(std::size_t column) const { return words_[column].empty() ? 8 : words_[column][0].size(); }
  /// Texts of a column of words, filled up to one length; empty for numbers.
  const std::vector<std::string>& words(std::size_t column) const { return words_[column]; }

  const std::string& texts() const { return texts_; }
  std::uint64_t texts_place() const { return superblock_size; }
  std::uint64_t description_place(int which) const { return description_places_[which]; }
  std::size_t description_size() const { return description_size_; }
  /// Where blocks of rows begin.
  std::uint64_t begin() const { return description_places_[1] + rounded_up(description_size_); }

  std::string description(int which, const Extent& extent) const;
  std::string superblock(int which, std::uint64_t file_size) const;
  /// The valid description of a file; false unless everything there is as this layout has it.
  bool find(int file, int& which, Extent& extent) const;

 private:
  static constexpr std::size_t superblock_size = 48;
  std::string root_header(const std::uint64_t* addresses) const;
  std::string column_header(std::size_t column, int which, const std::uint64_t* addresses, const Extent& extent) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> words_;
  std::size_t chunk_rows_ = 0, scale_ = 0;  ///< the column of the time; column_count(): there is none
  FileNotes notes_;
  std::string texts_;
  std::vector<std::vector<std::pair<std::string, std::string>>> attributes_;  ///< of columns: name, place in the texts
  std::vector<std::pair<std::string, std::string>> root_attributes_;
  std::string scale_lists_[2];                     ///< DIMENSION_LIST, for both descriptions
  std::vector<std::uint64_t> addresses_[2];        ///< of the root and all columns
  std::uint64_t description_places_[2] = {};
  std::size_t description_size_ = 0;
};

}  // namespace noslip::hdf5

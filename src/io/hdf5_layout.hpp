// Where everything is in an HDF5 file of noslip, and how its description is replaced in one moment.
//
//   superblock          says which of the two descriptions is valid
//   texts               that never change; of an ensemble also the times
//   description A, B    groups and data sets: the number of rows, where the indices of the columns begin
//   blocks of rows      for each column nodes of its index, where new ones are needed, and a chunk
//
// The columns of a run are data sets /NAME[time]. In an ensemble a row is a member: there are /t[time],
// /member/NAME[member] for what is said of members and /NAME[time, member] for the others, in chunks of all times and
// some members, so that here, too, chunks are added at the end. /number[member], the scale of the second dimension, has
// the first column of /member once more. A record (RowSink::add_record) is /part, bytes behind all blocks.
//
// New blocks change nothing that the valid description refers to: indices grow behind the rows that it knows. Then the
// other description is written, and at last the 48 bytes of the superblock. Whenever a program ends, the file is whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <noslip/io/row_sink.hpp>

#include "io/hdf5_index.hpp"
#include "io/hdf5_messages.hpp"
#include "io/saved_rows.hpp"

namespace noslip::hdf5 {

/// What a description says: the number of rows, and the node where the index of each column begins.
struct Extent {
  std::uint64_t rows = 0;
  std::vector<std::uint64_t> roots;
  std::uint64_t record_place = nowhere, record_size = 0;
};

class Layout {
 public:
  /// InputError for more times than a chunk can have.
  explicit Layout(const RowFile& file);

  /// Data sets with rows, in the order of blocks.
  std::size_t column_count() const { return columns_.size(); }
  /// Which numbers of a row a column has. Two columns that follow each other may have the same.
  std::size_t first_number(std::size_t column) const { return shape_.begin(row_column(column)); }
  std::size_t number_count(std::size_t column) const { return shape_.count(row_column(column)); }
  const RowShape& shape() const { return shape_; }
  /// The index of a column without chunks.
  Index index(std::size_t column) const { return Index(chunk_rows_, is_over_time(column) ? 2 : 1); }
  /// Rows of a chunk.
  std::size_t chunk_rows() const { return chunk_rows_; }
  /// Bytes of an element of a column.
  std::size_t width(std::size_t column) const { return words_[column].empty() ? 8 : words_[column][0].size(); }
  /// Elements of a column of words, which say where its texts are; empty for numbers.
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
  /// Of the rows.
  std::size_t row_column(std::size_t column) const { return is_of_members() && column > 0 ? column - 1 : column; }
  bool is_of_members() const { return shape_.is_of_members(); }
  bool is_over_time(std::size_t column) const { return shape_.is_over_time(row_column(column)); }
  bool is_in_group(std::size_t column) const { return is_of_members() && column > 0 && !is_over_time(column); }
  void name_columns();
  /// Places of objects in lists of addresses.
  std::size_t object(std::size_t column) const { return column + 1; }
  std::size_t times_object() const { return columns_.size() + 1; }
  std::size_t group_object() const { return columns_.size() + 2; }
  std::size_t record_object() const { return columns_.size() + (is_of_members() ? 3 : 1); }
  std::size_t object_count() const { return record_object() + (has_record_ ? 1 : 0); }
  /// Scales of the dimensions of an object, as places in `scales_`.
  std::vector<std::size_t> scales_of(std::size_t object) const;

  std::string object_header(std::size_t object, int which, const std::uint64_t* addresses, const Extent& extent) const;
  std::string root_header(const std::uint64_t* addresses) const;
  std::string group_header(const std::uint64_t* addresses) const;
  std::string times_header(const std::uint64_t* addresses) const;
  std::string record_header(const Extent& extent) const;
  std::string column_header(std::size_t column, int which, const std::uint64_t* addresses, const Extent& extent) const;
  std::string column_space(std::size_t column, std::uint64_t rows) const;
  void add_scale(Header& header, std::size_t scale, const std::string& name, const std::uint64_t* addresses) const;

  RowShape shape_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> words_;
  std::size_t chunk_rows_ = 0;
  bool has_record_ = false;
  std::vector<std::size_t> scales_;  ///< objects: of a run the time; of an ensemble the times and the numbers
  FileNotes notes_;
  std::string texts_, time_meaning_;
  std::uint64_t times_place_ = 0;
  std::vector<std::vector<std::pair<std::string, std::string>>> attributes_;  ///< of columns: name, place in the texts
  std::vector<std::pair<std::string, std::string>> root_attributes_;
  std::vector<std::string> scale_lists_[2];        ///< for DIMENSION_LIST, of both descriptions
  std::vector<std::uint64_t> addresses_[2];        ///< of all objects, the root first
  std::uint64_t description_places_[2] = {};
  std::size_t description_size_ = 0;
};

}  // namespace noslip::hdf5

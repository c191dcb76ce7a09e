// Which chunk of a column is where in an HDF5 file: a tree (a "version 1 B-tree") that only grows at its end.
//
// A node has 64 places, all of which are used before there is a next one. An entry is written behind those that are
// counted, then the count; so the nodes are right for everybody who knows of fewer chunks. A column has one dimension,
// or two, of which the first lies in each chunk as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace noslip::hdf5 {

/// Bytes that replace others.
struct Patch {
  std::uint64_t place;
  std::string bytes;
};

struct Chunk {
  std::uint64_t place = 0, size = 0;
};

class Index {
 public:
  /// Rows of each chunk, and dimensions of the column.
  explicit Index(std::size_t chunk_rows, int dimensions = 1) : chunk_rows_(chunk_rows), dimensions_(dimensions) {}

  /// Where the index begins; `nowhere` without chunks.
  std::uint64_t root() const;

  /// Appends the chunk with this number to a block of bytes that will be at `place`, and nodes where new ones are
  /// needed; what changes elsewhere has to be written in this order after the block.
  void add(std::uint64_t number, const std::string& chunk, std::uint64_t place, std::string& block,
           std::vector<Patch>& patches);

  /// The chunk with this number, in a file with `count` chunks; false if it cannot be read.
  bool find(int file, std::uint64_t root, std::uint64_t count, std::uint64_t number, Chunk& chunk) const;
  /// Goes back to the state with `fewer` chunks of `count`; false if the file cannot be read.
  bool cut(int file, std::uint64_t root, std::uint64_t count, std::uint64_t fewer, std::vector<Patch>& patches);

 private:
  std::size_t key_size() const { return 16 + 8 * static_cast<std::size_t>(dimensions_); }
  std::size_t entry_size() const { return key_size() + 8; }
  std::size_t node_size() const;
  std::uint64_t entry_place(std::uint64_t node, std::uint64_t number) const;
  std::string key(std::uint64_t size, std::uint64_t chunk) const;
  std::string entry(std::uint64_t child, std::uint64_t size, std::uint64_t begin, std::uint64_t end) const;
  std::string node_text(std::size_t level, std::size_t count, std::uint64_t left, const std::string& entries) const;
  bool find_node(int file, std::uint64_t& node, std::size_t from, std::size_t to, std::uint64_t number) const;

  std::size_t chunk_rows_;
  int dimensions_;
  std::vector<std::uint64_t> nodes_;  ///< the last one of each level, that of the chunks first
};

}  // namespace noslip::hdf5

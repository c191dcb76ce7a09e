// Which chunk of a column is where in an HDF5 file: a tree (a "version 1 B-tree") that only grows at its end.
//
// A node has 64 places, all of which are used before there is a next one. An entry is written behind those that are
// counted, then the count; so the nodes are right for everybody who knows of fewer chunks.
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
  /// Rows of each chunk.
  explicit Index(std::size_t chunk_rows) : chunk_rows_(chunk_rows) {}

  /// Where the index begins; `nowhere` without chunks.
  std::uint64_t root() const;

  /// Appends the chunk with this number to a block of bytes that will be at `place`, and nodes where new ones are
  /// needed; what changes elsewhere has to be written in this order after the block.
  void add(std::uint64_t number, const std::string& chunk, std::uint64_t place, std::string& block,
           std::vector<Patch>& patches);

  /// The chunk with this number, in a file with `count` chunks; false if it cannot be read.
  static bool find(int file, std::uint64_t root, std::uint64_t count, std::uint64_t number, Chunk& chunk);
  /// Goes back to the state with `fewer` chunks of `count`; false if the file cannot be read.
  bool cut(int file, std::uint64_t root, std::uint64_t count, std::uint64_t fewer, std::vector<Patch>& patches);

 private:
  std::string entry(std::uint64_t child, std::uint64_t size, std::uint64_t begin, std::uint64_t end) const;

  std::size_t chunk_rows_;
  std::vector<std::uint64_t> nodes_;  ///< the last one of each level, that of the chunks first
};

}  // namespace noslip::hdf5

// A hash table of numbers: finds the id of something that is kept elsewhere. Most of the time of making a tape goes
// into such questions, which is why this is not an std::unordered_map.
#pragma once

#include <cstdint>
#include <vector>

namespace noslip {

class IdTable {
 public:
  /// Room for this many without growing.
  void reserve(std::size_t count) {
    while (cells_.size() < 2 * count) grow();
  }

  /// The id with this hash for which `is_equal(id)`, or `new_id`, which is then entered.
  template <class IsEqual>
  std::uint32_t find_or_enter(std::uint64_t hash, std::uint32_t new_id, IsEqual is_equal) {
    if (2 * count_ >= cells_.size()) grow();
    const auto short_hash = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t k = short_hash & mask();; k = (k + 1) & mask()) {
      Cell& cell = cells_[k];
      if (cell.id == empty) {
        cell = {short_hash, new_id};
        ++count_;
        return new_id;
      }
      if (cell.hash == short_hash && is_equal(cell.id)) return cell.id;
    }
  }

 private:
  static constexpr std::uint32_t empty = 0xFFFFFFFFu;
  struct Cell {
    std::uint32_t hash = 0, id = empty;
  };

  std::size_t mask() const { return cells_.size() - 1; }

  void grow() {
    std::vector<Cell> old(cells_.empty() ? 64 : 2 * cells_.size());
    old.swap(cells_);
    for (const Cell& cell : old) {
      if (cell.id == empty) continue;
      std::size_t k = cell.hash & mask();
      while (cells_[k].id != empty) k = (k + 1) & mask();
      cells_[k] = cell;
    }
  }

  std::vector<Cell> cells_;
  std::size_t count_ = 0;
};

}  // namespace noslip

// Which value is in which register.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "exec/lifetimes.hpp"

namespace noslip {

class RegisterFile {
 public:
  static constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

  RegisterFile(int register_count, std::uint32_t value_count);

  int count() const { return count_; }
  /// The register of a value, or -1.
  int of(std::uint32_t value) const { return register_of_[value]; }
  /// What a register holds, or `nothing`.
  std::uint32_t held(int reg) const { return held_[static_cast<std::size_t>(reg)]; }

  void assign(int reg, std::uint32_t value);
  void release(int reg);
  void clear();

  /// Locked registers are not given away until unlock_all().
  void lock(int reg) { locked_ |= 1u << reg; }
  void unlock(int reg) { locked_ &= ~(1u << reg); }
  void unlock_all() { locked_ = 0; }
  bool is_locked(int reg) const { return (locked_ >> reg & 1u) != 0; }

  bool is_free(int reg) const { return ((occupied_ | locked_) >> reg & 1u) == 0; }
  /// A register that holds nothing, the lowest first (it has the shorter encoding), or -1.
  int find_free() const;
  /// The unlocked register whose value is needed latest. Values that are in memory already, by `has_home`, count as
  /// twice as far away, because nothing has to be written to evict them.
  int find_victim(const Lifetimes& lifetimes, std::uint32_t now, const std::vector<bool>& has_home) const;

 private:
  int count_;
  std::uint32_t occupied_ = 0, locked_ = 0;
  std::array<std::uint32_t, 32> held_;
  std::vector<std::int8_t> register_of_;
};

}  // namespace noslip

#include "exec/registers.hpp"

#include <bit>
#include <cassert>

namespace noslip {

RegisterFile::RegisterFile(int register_count, std::uint32_t value_count)
    : count_(register_count), register_of_(value_count, -1) {
  held_.fill(nothing);
}

void RegisterFile::assign(int reg, std::uint32_t value) {
  assert(held(reg) == nothing && of(value) < 0);
  held_[static_cast<std::size_t>(reg)] = value;
  register_of_[value] = static_cast<std::int8_t>(reg);
  occupied_ |= 1u << reg;
}

void RegisterFile::release(int reg) {
  assert(held(reg) != nothing);
  register_of_[held(reg)] = -1;
  held_[static_cast<std::size_t>(reg)] = nothing;
  occupied_ &= ~(1u << reg);
}

void RegisterFile::clear() {
  for (int reg = 0; reg < count_; ++reg) {
    if (held(reg) != nothing) release(reg);
  }
}

int RegisterFile::find_free() const {
  const int reg = std::countr_one(occupied_ | locked_);
  return reg < count_ ? reg : -1;
}

int RegisterFile::find_victim(const Lifetimes& lifetimes, std::uint32_t now, const std::vector<bool>& has_home) const {
  int victim = -1;
  std::uint64_t farthest = 0;
  for (int reg = 0; reg < count_; ++reg) {
    if (is_locked(reg) || held(reg) == nothing) continue;
    const std::uint32_t next = lifetimes.next(held(reg));
    std::uint64_t distance = next == Lifetimes::never ? std::uint64_t{1} << 40 : next - now + 1;
    if (has_home[held(reg)]) distance *= 2;
    if (distance > farthest) {
      farthest = distance;
      victim = reg;
    }
  }
  assert(victim >= 0);
  return victim;
}

}  // namespace noslip

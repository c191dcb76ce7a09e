// Which values of a tape follow each other: the same computation on the next slots.
#pragma once

#include <cstdint>
#include <vector>

#include <noslip/tape/tape.hpp>

namespace noslip {

/// Operands of an instruction that are values.
struct TapeOperands {
  std::uint32_t ids[3];
  int count;
};
TapeOperands operands_of(const Instruction& instruction);
/// Does the operation give the same with both, to the last bit, because its first two operands may be exchanged?
bool are_equivalent(TapeOp op, const TapeOperands& x, const TapeOperands& y);

struct Followers {
  static constexpr std::uint32_t none = 0xFFFFFFFFU;

  explicit Followers(const Tape& tape);

  /// By value. Every value follows at most one other.
  std::vector<std::uint32_t> next;
  std::vector<bool> follows;
  /// Of a result that is followed: which of its operands move on (bits).
  std::vector<std::uint8_t> moves;
  /// How many instructions in a row lead to a value.
  std::vector<std::uint32_t> depth;
};

}  // namespace noslip

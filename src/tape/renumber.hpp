// Helpers for tapes that are made from the values of others.
#pragma once

#include <vector>

#include <noslip/tape/tape.hpp>

namespace noslip {

template <class Visit>
void for_each_operand(const Instruction& instruction, Visit visit) {
  const int count = arity(instruction.op);
  visit(instruction.a);
  if (count > 1) visit(instruction.b);
  if (count > 2) visit(instruction.c);
}

/// The same instruction on the values `number[a]` and so on; what is no value (the index of a call) stays.
inline Instruction renumbered(const Instruction& instruction, const std::vector<std::uint32_t>& number) {
  const int count = arity(instruction.op);
  return {instruction.op, number[instruction.a], count > 1 ? number[instruction.b] : instruction.b,
          count > 2 ? number[instruction.c] : instruction.c};
}

}  // namespace noslip

#include "exec/followers.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace noslip {

namespace {

bool commutes(TapeOp op) {
  switch (op) {
    case TapeOp::add:
    case TapeOp::mul:
    case TapeOp::fma:
    case TapeOp::fms:
    case TapeOp::fnma:
    case TapeOp::fnms: return true;
    default: return false;
  }
}

struct Key {
  TapeOp op;
  std::uint32_t ids[3];
  friend bool operator==(const Key& x, const Key& y) {
    return x.op == y.op && std::equal(std::begin(x.ids), std::end(x.ids), std::begin(y.ids));
  }
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t hash = static_cast<std::uint64_t>(key.op);
    for (const std::uint32_t id : key.ids) {
      hash = (hash ^ id) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

/// What an instruction is known by: the first two operands in any order, where the order does not matter.
Key key_of(TapeOp op, const TapeOperands& operands) {
  Key key{op, {Followers::none, Followers::none, Followers::none}};
  std::copy_n(operands.ids, operands.count, key.ids);
  if (commutes(op) && key.ids[0] > key.ids[1]) std::swap(key.ids[0], key.ids[1]);
  return key;
}

/// Which operands may move on, all of them first.
constexpr std::uint8_t all_moves[] = {7, 3, 5, 6, 1, 2, 4};

}  // namespace

TapeOperands operands_of(const Instruction& instruction) {
  return {{instruction.a, instruction.b, instruction.c}, arity(instruction.op)};
}

bool are_equivalent(TapeOp op, const TapeOperands& x, const TapeOperands& y) { return key_of(op, x) == key_of(op, y); }

Followers::Followers(const Tape& tape)
    : next(tape.value_count(), none),
      follows(tape.value_count(), false),
      moves(tape.value_count(), 0),
      depth(tape.value_count(), 0) {
  std::unordered_map<std::uint32_t, std::uint32_t> input_of_slot;
  for (std::uint32_t i = tape.first_input(); i < tape.first_result(); ++i) {
    input_of_slot.emplace(tape.input_slots()[i - tape.first_input()], i);
  }
  for (std::uint32_t i = tape.first_input(); i < tape.first_result(); ++i) {
    const auto found = input_of_slot.find(tape.input_slots()[i - tape.first_input()] + 1);
    if (found == input_of_slot.end()) continue;
    next[i] = found->second;
    follows[found->second] = true;
  }
  std::unordered_map<Key, std::uint32_t, KeyHash> results;
  results.reserve(tape.code().size());
  for (std::uint32_t k = 0; k < tape.code().size(); ++k) {
    const Instruction& instruction = tape.code()[k];
    results.emplace(key_of(instruction.op, operands_of(instruction)), tape.first_result() + k);
  }
  for (std::uint32_t k = 0; k < tape.code().size(); ++k) {
    const Instruction& instruction = tape.code()[k];
    const TapeOperands operands = operands_of(instruction);
    const std::uint32_t own = tape.first_result() + k;
    for (int i = 0; i < operands.count; ++i) depth[own] = std::max(depth[own], depth[operands.ids[i]] + 1);
    std::uint8_t can_move = 0;
    for (int i = 0; i < operands.count; ++i) {
      if (next[operands.ids[i]] != none) can_move |= static_cast<std::uint8_t>(1U << i);
    }
    for (const std::uint8_t mask : all_moves) {
      if ((mask & ~can_move) != 0) continue;
      TapeOperands wanted = operands;
      for (int i = 0; i < operands.count; ++i) {
        if ((mask >> i & 1U) != 0) wanted.ids[i] = next[operands.ids[i]];
      }
      const auto found = results.find(key_of(instruction.op, wanted));
      if (found == results.end() || found->second == own || follows[found->second]) continue;
      next[own] = found->second;
      follows[found->second] = true;
      moves[own] = mask;
      break;
    }
  }
}

}  // namespace noslip

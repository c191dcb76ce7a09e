// A tape that is run many times in a row: what stays the same from run to run, and what goes from one to the next.
#pragma once

#include <cstdint>
#include <vector>

#include <noslip/tape/tape.hpp>

namespace noslip {

struct LoopForm {
  explicit LoopForm(const Tape& tape);

  /// The same values and stores in another order: what depends on nothing that the tape stores comes first. Stores of
  /// an input to its own slot are left out.
  Tape tape;
  std::uint32_t first_repeated = 0;  ///< the first instruction that is not among these

  /// A slot that the tape reads and stores.
  struct Carried {
    std::uint32_t input, output;  ///< values: at the start of a run, and at the end
    std::uint32_t slot;
  };
  std::vector<Carried> carried;
  std::vector<bool> is_constant;  ///< by value: the same in all runs
};

}  // namespace noslip

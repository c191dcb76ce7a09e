// Machine code for a tape. See translator.hpp and loop_translator.hpp for how it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <noslip/tape/tape.hpp>

#include "exec/isa.hpp"

namespace noslip {

struct MachineCode {
  using Entry = void (*)(double* workspace, double* scratch);
  using LoopEntry = long long (*)(double* workspace, double* scratch, long long count);
  std::shared_ptr<const void> entry;  ///< an Entry or a LoopEntry; owns the memory of the code
  std::size_t scratch_size = 0;       ///< in doubles
  int passes = 1;                     ///< calls per step, each `lanes / passes` doubles further in the workspace
};

/// Empty where compile() works with the instructions of `isa`.
std::string why_no_machine_code(Isa isa);

/// `lanes` is 1, 4 or 8; `isa` is avx2 or avx512 and must not exceed that of the processor.
/// Without an entry where the system refuses the memory.
MachineCode compile(const Tape& tape, int lanes, Isa isa);

/// Where a loop ends early: behind a run that leaves one of the slots larger than the limit, with either sign, in any
/// lane.
struct LoopGuard {
  std::span<const std::uint32_t> slots;
  double limit = 0;
};
/// The same for `count` runs in a row, at least one. It returns how many it has made. Without an entry also where a
/// guard would need several passes, which would not end together.
MachineCode compile_loop(const Tape& tape, int lanes, Isa isa, const LoopGuard& guard);

}  // namespace noslip

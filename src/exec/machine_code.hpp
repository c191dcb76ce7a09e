// Machine code for a tape. See machine_code.cpp for how it is made.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <noslip/tape/tape.hpp>

#include "exec/isa.hpp"

namespace noslip {

struct MachineCode {
  using Entry = void (*)(double* workspace, double* scratch);
  std::shared_ptr<const void> entry;  ///< an Entry; owns the memory of the code
  std::size_t scratch_size = 0;       ///< in doubles
  int passes = 1;                     ///< calls per step, each `lanes / passes` doubles further in the workspace
};

/// Empty where compile() works with the instructions of `isa`.
std::string why_no_machine_code(Isa isa);

/// `lanes` is 1, 4 or 8; `isa` is avx2 or avx512 and must not exceed that of the processor.
/// Without an entry where the system refuses the memory.
MachineCode compile(const Tape& tape, int lanes, Isa isa);

}  // namespace noslip

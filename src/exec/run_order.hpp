// The order in which the interpreter executes a tape.
#pragma once

#include <cstdint>
#include <vector>

#include <noslip/tape/tape.hpp>

namespace noslip {

/// Numbers of the instructions, equal operations together as far as the data allow. A `second` is left out: its sincos
/// makes both values. Within a run of arithmetic an instruction may use the results of those before it; the calls of a
/// run do not need each other.
struct RunOrder {
  struct Run {
    TapeOp op;
    std::uint32_t count;
  };
  std::vector<Run> runs;
  std::vector<std::uint32_t> instructions;
};

/// What counts as equal: the operation itself, or, `with_one_sum`, one `fma` for all sums, differences, products and
/// their fused forms (for an interpreter that gets its signs and its ones from the operands).
enum class RunKinds { by_operation, with_one_sum };

RunOrder order_in_runs(const Tape& tape, RunKinds kinds = RunKinds::by_operation);

}  // namespace noslip

// A tape that is run many times in a row, without what only its last run is asked for.
#pragma once

#include <cstdint>
#include <optional>

#include <noslip/tape/tape.hpp>

namespace noslip {

/// What changes from run to run besides the slots that a tape reads and stores.
struct Repetition {
  /// The slot t is start + number * h, rounded twice. The number grows by one with every run.
  struct Time {
    std::uint32_t t, start, number, h;
  };
  /// What a run stores in one slot is added to another.
  struct Sum {
    std::uint32_t of, to;
  };
  std::optional<Time> time;
  std::optional<Sum> sum;
};

/// Stores that the tape reads again, the number and the sum; what is needed for them only, in the same order and with
/// the same bits. A tape that does not read t has no number.
Tape repeated(const Tape& tape, const Repetition& repetition);

}  // namespace noslip

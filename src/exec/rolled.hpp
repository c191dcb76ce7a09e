// A long tape as a sequence of short ones, most of which run many times in a row.
//
// Systems with many equal parts make tapes in which the same few instructions stand again and again, each time with the
// next slot in the place of the one before: q[1] - q[0], q[2] - q[1], ... Such instructions become one instruction of a
// loop over arrays, which runs several of them at a time. What each instruction computes stays as it is, bit for bit.
//
// Two instructions follow each other if they do the same, and every operand of the second one is that of the first, or
// follows it; a slot follows the one before it. Instructions that follow each other are independent, since they need
// equally many others before them. A chain of them with the same operands moving is a run. A segment is what happens
// between two moments at which all memory is up to date: single instructions, or runs of one length that need of each
// other only what stands at the same place.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <noslip/tape/tape.hpp>

#include "exec/assembler.hpp"

namespace noslip {

struct Segment {
  /// Where a slot of the body is. In a loop it moves on with every run, unless it is the same for all.
  struct Place {
    MemoryPlace memory;
    bool is_same = false;
  };
  Tape body;
  std::vector<Place> places;  ///< by slot of the body
  std::uint32_t count = 1;    ///< runs; a loop if there are more than one
};

struct RolledTape {
  std::vector<Segment> segments;   ///< in the order in which they run
  std::uint32_t scratch_size = 0;  ///< in doubles, of what segments leave for each other
};

/// Nothing if too little of the tape would be in loops of at least `width` runs.
std::optional<RolledTape> roll(const Tape& tape, std::uint32_t width);

}  // namespace noslip

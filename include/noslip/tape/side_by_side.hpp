// Two copies of a tape as one, for workspaces that lie one behind the other.
#pragma once

#include <cstdint>
#include <span>

#include <noslip/tape/tape.hpp>

namespace noslip {

/// The instructions of both copies in turn, so that one computes while the other waits for a result. Slots of the second
/// are `offset` further on, except those in `shared`, which the tape does not store and both read.
Tape side_by_side(const Tape& tape, std::uint32_t offset, std::span<const std::uint32_t> shared);

}  // namespace noslip

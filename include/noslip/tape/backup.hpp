// A tape that keeps what it replaces and tells whether its results are finite: a step that may have to be taken back.
#pragma once

#include <cstdint>
#include <vector>

#include <noslip/tape/tape.hpp>

namespace noslip {

struct Backup {
  std::vector<std::uint32_t> replaced;  ///< slots whose values before the run are kept,
  std::uint32_t kept = 0;               ///< in this slot and those behind it
  std::vector<std::uint32_t> checked;   ///< slots that the tape stores
  std::uint32_t verdict = 0;            ///< slot that becomes 0 if all of them are finite, and NaN otherwise
};

/// The same code and stores, the same bits, and the backup. It costs a store for each slot that is kept and a product
/// for each that is checked, less than to look at them from outside.
Tape with_backup(const Tape& tape, const Backup& backup);

}  // namespace noslip

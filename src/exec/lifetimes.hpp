// When the values of a tape are read, and when its results can be written to the workspace.
//
// Times: instruction k reads its operands at 2k, stores happen at odd times behind an instruction or at the end; inputs
// may be copied to other slots at even times, which come before the stores behind the same instruction. A slot that is
// also an input is not written before the last instruction that may read it there.
//
// In a loop, what the next run needs is read once more behind the end: as late as the next run reads it first.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <noslip/tape/tape.hpp>

#include "exec/loop_form.hpp"

namespace noslip {

class Lifetimes {
 public:
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

  explicit Lifetimes(const Tape& tape);
  /// Of a run in a loop. What `stays[i]`, by number of what is carried, is not stored at all.
  Lifetimes(const LoopForm& loop, const std::vector<bool>& stays);

  /// When the value is read next; `never` if it is dead.
  std::uint32_t next(std::uint32_t value) const {
    return cursor_[value] < first_[value + 1] ? times_[cursor_[value]] : never;
  }
  /// The read after that.
  std::uint32_t next_but_one(std::uint32_t value) const {
    return cursor_[value] + 1 < first_[value + 1] ? times_[cursor_[value] + 1] : never;
  }
  /// One read of the value has happened.
  void pass(std::uint32_t value) { ++cursor_[value]; }

  struct TimedStore {
    std::uint32_t time, value, slot;
  };
  /// Sorted by time. Stores of an input to its own slot are left out.
  const std::vector<TimedStore>& stores() const { return stores_; }

  /// Inputs that a store reads after another store may have overwritten them: to be copied before anything else.
  const std::vector<std::uint32_t>& inputs_to_save() const { return inputs_to_save_; }

 private:
  struct Read {
    std::uint32_t value, time;
  };
  /// Stores to the slots `left_out` (sorted) do not happen; those to slots that are inputs not before `earliest`.
  void time_stores(const Tape& tape, const std::vector<std::uint32_t>& left_out, std::uint32_t earliest);
  void collect(const Tape& tape, const std::vector<Read>& later);

  std::vector<std::uint32_t> first_, times_, cursor_;  // times of value v: times_[first_[v]] ... , read up to cursor_
  std::vector<TimedStore> stores_;
  std::vector<std::uint32_t> inputs_to_save_;
};

}  // namespace noslip

// The instructions that machine code is made of, for one width and instruction set. Knows encodings, not tapes.
//
// Memory holds a pool of constants, then the code of one function (double* workspace, double* scratch), or, for a loop,
// of one (double* workspace, double* scratch, long long count) that returns how many runs it has made. Registers are
// numbers; a Source is a register or a place in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <noslip/tape/tape.hpp>

#include "exec/functions.hpp"
#include "exec/isa.hpp"

namespace noslip {

/// Where a number lies in memory.
struct MemoryPlace {
  /// What moves is further on by one strip of a loop (begin_strips) after the other.
  enum class Base : std::uint8_t { nowhere, pool, workspace, scratch, moving_workspace, moving_scratch };
  Base base = Base::nowhere;
  std::uint32_t index = 0;  ///< of the constant, slot, or scratch element (in doubles)
};

struct Source {
  int reg = -1;  ///< a register, or -1 for the place
  MemoryPlace place;
};

class CodeAssembler {
 public:
  struct Shape {
    Isa isa;
    int width;   ///< numbers per register: 1, 4, 8
    int stride;  ///< of the slots of the workspace, in doubles
    bool has_calls, is_loop;
  };
  CodeAssembler(const Shape& shape, std::span<const double> constants);
  ~CodeAssembler();

  int register_count() const;

  void load(int to, MemoryPlace from);
  void store(MemoryPlace to, int from);
  void move(int to, int from);

  /// add, sub, mul, div, min, max: to = a op b.
  void binary(TapeOp op, int to, int a, const Source& b);
  /// fma, fms, fnma, fnms. The operand that `to` held before is overwritten; the form says which one that is.
  enum class Form { d_times_3_plus_2, d_times_2_plus_3, d_plus_2_times_3 };
  void fused(TapeOp op, Form form, int to, int second, const Source& third);
  /// neg, abs, sqrt, floor.
  void unary(TapeOp op, int to, int a);
  /// to = a < b; `to` may be a or b.
  void less(int to, int a, const Source& b);
  /// `to` must differ from all operands.
  void select(int to, int a, int b, int c);
  /// `to` and `temporary` must differ from a.
  void sign(int to, int temporary, int a);

  /// Puts the numbers of `parts` side by side into scratch, at a multiple of eight, the first one repeated until there
  /// are `total`. Registers that are neither among the parts nor in the bit set `keep` are lost.
  void gather(std::uint32_t scratch_index, std::span<const Source> parts, int total, std::uint32_t keep);
  /// Calls with addresses of scratch elements, and `data` in the place of the last one if there is any. All registers are lost.
  void call(FunctionCall function, std::uint32_t a, std::uint32_t b, std::uint32_t out, std::uint32_t out2,
            const double* data = nullptr);

  /// The same for one number, in registers: the arguments become registers 0 and 1, and there are the results. All
  /// others are lost.
  void call(PlainFunction function, const Source& a, const Source* b);

  /// What is repeated stands between these two.
  void begin_run();
  /// The next run follows if there are any left, unless one of the `guarded` is larger than the `limit` in any lane,
  /// with either sign. The register `temporary` is lost.
  void end_run(std::span<const Source> guarded, MemoryPlace limit, int temporary);

  /// All numbers of the width at `to` become the one number at `from`. The register 0 is lost.
  void spread(MemoryPlace to, MemoryPlace from);
  /// What is between these two runs for `count` elements of arrays, `width` at a time; the last strip ends with the last
  /// element, so that some elements may be computed twice. At least `width` elements.
  void begin_strips();
  void end_strips(std::uint32_t count);

  /// Ends the function and makes it executable; null where the system does not allow that.
  std::shared_ptr<const void> finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A function (double* workspace, double* scratch) that calls these, one after the other; it keeps them alive. Null where
/// the system does not allow memory for it.
std::shared_ptr<const void> call_in_turn(const std::vector<std::shared_ptr<const void>>& functions);

}  // namespace noslip

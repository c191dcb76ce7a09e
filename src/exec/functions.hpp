// Elementary functions for 1, 4 and 8 numbers at once. A result does not depend on how many are computed together.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include <noslip/tape/tape.hpp>

#include "exec/isa.hpp"

namespace noslip {

/// Reads one, four or eight numbers at `a` (and `b` for two arguments), writes as many at `out` (and the cosines of a
/// sincos at `out2`). All arguments are read before anything is written, so that the arrays may be the same. No
/// alignment is needed. Lookups in tables have these at `out2` (data_of).
using FunctionCall = void (*)(const double* a, const double* b, double* out, double* out2);

/// What a lookup gets in the place of `out2`.
inline double* data_of(const std::shared_ptr<const std::vector<Table>>& tables) {
  return reinterpret_cast<double*>(const_cast<std::vector<Table>*>(tables.get()));
}

/// A function of one number as C has it, or of two: arguments and result, for a sincos both results, are in the
/// registers xmm0 and xmm1.
using PlainFunction = void (*)();

struct FunctionTable {
  static constexpr std::size_t count =
      static_cast<std::size_t>(TapeOp::sincos) - static_cast<std::size_t>(TapeOp::sin) + 1;

  /// `width` is 1, 4 or 8.
  FunctionCall call(TapeOp op, int width) const {
    const auto index = static_cast<std::size_t>(op) - static_cast<std::size_t>(TapeOp::sin);
    return (width == 1 ? one : width == 4 ? four : eight)[index];
  }

  /// The function behind `call(op, 1)`; null where it is not a single one.
  PlainFunction plain(TapeOp op) const {
    return plain_one[static_cast<std::size_t>(op) - static_cast<std::size_t>(TapeOp::sin)];
  }

  std::array<FunctionCall, count> one, four, eight;
  /// The most numbers that cost about as much as a single one: 1, 4 or 8.
  int efficient_width = 1;
  std::array<PlainFunction, count> plain_one = {};
};

/// With the lookups in tables, which are the same for all processors.
FunctionTable with_lookups(FunctionTable functions);

/// The functions for a processor that has (at least) these instructions. With FMA and SLEEF they are SLEEF's
/// reproducible ones, the same bits on every such processor; otherwise the C library's.
const FunctionTable& functions(Isa isa);

// Tables of the sources that are compiled for an instruction set; null where that, or SLEEF, is missing.
const FunctionTable* functions_avx2();
const FunctionTable* functions_avx512();

}  // namespace noslip

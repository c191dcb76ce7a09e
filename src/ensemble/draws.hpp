// Random bits to random values, with sums, products, quotients and roots alone, which have the same bits on every
// machine. (Last digits of log and cos differ between C libraries, and between processors.)
#pragma once

#include <cstdint>

namespace noslip {

/// k 2^-53 with 0 <= k < 2^53: all of them are as likely.
constexpr double unit_draw(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// From a up to b, without b unless it is a; `unit` as unit_draw has it. Finite a <= b; their distance need not be.
double uniform_draw(double a, double b, double unit);

/// A standard normal value from 128 bits (Box and Muller 1958), with a relative error of a few units of rounding, as
/// long as it is not next to zero. Its size is at most 8.6.
double normal_draw(std::uint64_t first_bits, std::uint64_t second_bits);

}  // namespace noslip

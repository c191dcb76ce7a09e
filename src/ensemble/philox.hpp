// Philox 4x32-10, a random function of a counter and a key: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011. Equal arguments give equal numbers, in any order and on any machine; nothing is stored.
#pragma once

#include <array>
#include <cstdint>

namespace noslip {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// 128 random bits.
constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t even = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t odd = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(odd >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(odd),
               static_cast<std::uint32_t>(even >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(even)};
    key[0] += 0x9E3779B9;  // of the golden ratio
    key[1] += 0xBB67AE85;  // of the root of three
  }
  return counter;
}

}  // namespace noslip

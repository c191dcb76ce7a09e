// How often a program has allocated so far, where one of its source files includes support/allocations.hpp.
#pragma once

namespace noslip::testing {
inline long long allocations = 0;

/// Sanitizers have allocators of their own: nothing is counted there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool counts_allocations = false;
#else
#define NOSLIP_COUNTS_ALLOCATIONS
inline constexpr bool counts_allocations = true;
#endif
}

// How often a program has allocated so far, where one of its source files includes support/allocations.hpp.
#pragma once

#include "support/sanitizers.hpp"

namespace noslip::testing {
inline long long allocations = 0;

/// Sanitizers have allocators of their own: nothing is counted there.
inline constexpr bool counts_allocations = !has_sanitizers;
}

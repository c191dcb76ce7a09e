// How often a program has allocated so far, where one of its source files includes support/allocations.hpp.
#pragma once

namespace noslip::testing {
inline long long allocations = 0;
}

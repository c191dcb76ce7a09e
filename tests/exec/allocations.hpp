// Counts what the test program allocates with `new`.
#pragma once

#include <cstddef>

namespace noslip {

std::size_t allocation_count();

}  // namespace noslip

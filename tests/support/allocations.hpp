// Counts every allocation of a program, also those of C code. Include it in one source file of the program.
#pragma once

#include <cstddef>

#include "support/allocation_count.hpp"

#if !defined(NOSLIP_HAS_SANITIZERS)
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  ++noslip::testing::allocations;
  return __libc_malloc(size);
}
#endif

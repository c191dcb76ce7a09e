// To be loaded before the C library (LD_PRELOAD): allocation number NOSLIP_FAIL_AT fails, and with NOSLIP_FAIL_ON=1 all
// that follow. Without the variable, the number of allocations is written to standard error at the end.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_calloc(std::size_t count, std::size_t size);
extern "C" void* __libc_realloc(void* memory, std::size_t size);

namespace {

std::atomic<long> calls = 0;
long fails_at = -1;
bool fails_on = false;

// After the C library and before the program: what happens earlier is not counted.
__attribute__((constructor)) void read_environment() {
  if (const char* const text = std::getenv("NOSLIP_FAIL_AT")) fails_at = std::atol(text);
  fails_on = std::getenv("NOSLIP_FAIL_ON") != nullptr;
  calls = 0;
}

__attribute__((destructor)) void tell() {
  if (fails_at < 0) std::fprintf(stderr, "%ld allocations\n", calls.load());
}

bool fails() {
  const long number = ++calls;
  if (fails_at < 0 || number < fails_at || (number > fails_at && !fails_on)) return false;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }
extern "C" void* calloc(std::size_t count, std::size_t size) { return fails() ? nullptr : __libc_calloc(count, size); }
extern "C" void* realloc(void* memory, std::size_t size) { return fails() ? nullptr : __libc_realloc(memory, size); }

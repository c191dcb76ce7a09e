#include "exec/executable_memory.hpp"

#include <unistd.h>

#include <sys/mman.h>

namespace noslip {

std::shared_ptr<const void> executable_memory(std::size_t size, const std::function<bool(std::byte* address)>& write) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t mapped = (size + page - 1) / page * page;
  void* const memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  std::shared_ptr<const void> owner(memory, [mapped](const void* address) {
    munmap(const_cast<void*>(address), mapped);  // NOLINT: it was mapped as void*
  });
  if (!write(static_cast<std::byte*>(memory))) return nullptr;
  if (mprotect(memory, mapped, PROT_READ | PROT_EXEC) != 0) return nullptr;
  return owner;
}

}  // namespace noslip

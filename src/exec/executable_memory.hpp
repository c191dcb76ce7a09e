// Memory for machine code: written first, then made executable, never both at once.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace noslip {

/// `size` bytes, filled by `write(address)` and then sealed as readable and executable. Null where the system refuses.
std::shared_ptr<const void> executable_memory(std::size_t size, const std::function<bool(std::byte* address)>& write);

}  // namespace noslip

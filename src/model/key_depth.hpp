// A guard in front of toml++, which recurses once per part of a dotted key and would run out of stack.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace noslip {

/// Where a key with more than `most` parts (`a.b.c...`) begins to be too deep; nothing if there is none.
std::optional<std::size_t> too_deep_key(std::string_view toml, int most);

}  // namespace noslip

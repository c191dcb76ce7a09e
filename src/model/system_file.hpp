// System files: TOML text with the keys that kinds of systems have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <noslip/model/system_text.hpp>

namespace noslip {

/// Reads TOML text. What is wrong with the file itself (syntax, keys, types) is added to `problems`.
SystemText read_system_file(std::string_view toml, const std::string& origin, std::vector<Problem>& problems);

}  // namespace noslip

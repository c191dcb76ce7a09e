// Bytes as text, and back (RFC 4648, with padding).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace noslip {

std::string base64_of(std::string_view bytes);
/// Nothing for a text that base64_of() does not make.
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace noslip

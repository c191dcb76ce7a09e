// Checksums of content that comes in pieces: 64 bits of our own (core/checksum.hpp), and that of ZIP archives.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/checksum.hpp"

namespace noslip {

/// CRC-32 as ZIP archives have it, piece after piece; begins with 0.
std::uint32_t crc32_of(std::uint32_t before, std::string_view piece);

}  // namespace noslip

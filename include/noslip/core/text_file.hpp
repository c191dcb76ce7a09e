// Whole text files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <noslip/core/error.hpp>

namespace noslip {

/// InputError, with the origin as its place, for a text of more bytes.
void require_size(std::uintmax_t size, std::uintmax_t most, const std::string& origin);

/// Everything that is in a file or comes out of a pipe. FileError, with the reason that the system gives, if it cannot
/// be read, and for folders and devices (which may have no end); require_size for what is too long.
std::string read_text_file(const std::filesystem::path& file, std::uintmax_t most_bytes);

}  // namespace noslip

// Files whose names tell no format.
#pragma once

#include <filesystem>
#include <string>

namespace noslip {

/// A pipe or a device, which is written to as it is: /dev/stdout.
inline bool is_special_file(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace noslip

#include <noslip/core/text_file.hpp>

#include <cerrno>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace noslip {

namespace fs = std::filesystem;

void require_size(std::uintmax_t size, std::uintmax_t most, const std::string& origin) {
  if (size <= most) return;
  Problem problem{
      fmt::format("the text is too long ({} bytes)", size), {}, fmt::format("at most {} bytes are accepted", most)};
  problem.place.file = origin;
  throw InputError({problem});
}

std::string read_text_file(const fs::path& file, std::uintmax_t most_bytes) {
  const auto refuse = [&](const std::string& why) {
    throw FileError(fmt::format("cannot read '{}': {}", file.string(), why));
  };
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::is_directory(status)) refuse("it is a directory");
  if (fs::is_character_file(status) || fs::is_block_file(status)) refuse("that is a device, not a file");
  const std::uintmax_t size = fs::file_size(file, error);
  if (!error) require_size(size, most_bytes, file.string());
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(std::generic_category().message(errno));
  std::string text;
  for (char buffer[4096]; stream.read(buffer, sizeof buffer), stream.gcount() > 0;) {
    text.append(buffer, static_cast<std::size_t>(stream.gcount()));
    require_size(text.size(), most_bytes, file.string());
  }
  if (stream.bad()) refuse("an error while reading");
  return text;
}

}  // namespace noslip

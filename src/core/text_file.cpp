#include <noslip/core/text_file.hpp>

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace noslip {

namespace fs = std::filesystem;

namespace {

struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() { close(number); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number;
};

}  // namespace

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
  // A pipe that nobody writes to has an end at once, in place of none at all.
  const int opened = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) refuse(std::generic_category().message(errno));
  const Descriptor stream(opened);
  std::string text;
  for (char buffer[65536];;) {
    const ssize_t count = read(stream.number, buffer, sizeof buffer);
    if (count == 0) break;
    if (count > 0) {
      text.append(buffer, static_cast<std::size_t>(count));
      require_size(text.size(), most_bytes, file.string());
    } else if (errno == EAGAIN) {
      pollfd writer{stream.number, POLLIN, 0};
      poll(&writer, 1, -1);
    } else if (errno != EINTR) {
      refuse(std::generic_category().message(errno));
    }
  }
  if (text.empty() && fs::is_fifo(status)) refuse("nothing has come out of this pipe");
  return text;
}

}  // namespace noslip

// Written beside its place, brought to the disk, and renamed.
#include <noslip/io/checkpoint_file.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include <noslip/core/bytes.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/text_file.hpp>

#include "io/system_calls.hpp"

namespace noslip {

namespace {

constexpr char magic_of_checkpoints[] = "noslip checkpoint 1\n";
constexpr std::size_t magic_size = sizeof magic_of_checkpoints - 1;

std::string bytes_of_checkpoint(const CheckpointFile& checkpoint) {
  ByteWriter to;
  to.put_text(checkpoint.kind);
  to.put_text(NOSLIP_VERSION);
  to.put_text(checkpoint.content);
  std::string bytes = magic_of_checkpoints + to.take();
  ByteWriter end;
  end.put(checksum(bytes));
  return bytes += end.take();
}

[[noreturn]] void refuse_write(const std::string& file, int error) {
  const std::string when_full = "the checkpoint before is as it was; free some space, and resume it";
  throw FileError(fmt::format("cannot write '{}': {}{}", file, std::strerror(error), remedy_of_writing(error, when_full)));
}

}  // namespace

void write_checkpoint(const std::string& file, const CheckpointFile& checkpoint) {
  std::error_code ignored;
  // Behind a symbolic link the file itself is replaced.
  const std::filesystem::path there = std::filesystem::canonical(file, ignored);
  const std::filesystem::path target = there.empty() ? std::filesystem::path(file) : there;
  const std::string beside = target.string() + ".new";
  const int opened = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (opened < 0) refuse_write(file, errno);
  int error = write_all(opened, bytes_of_checkpoint(checkpoint));
  if (error == 0) error = bring_file_to_disk(opened);
  if (::close(opened) != 0 && error == 0 && errno != EINTR) error = errno;
  if (error == 0 && ::rename(beside.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(beside.c_str());
    refuse_write(file, error);
  }
  error = bring_folder_to_disk(target.string());
  if (error != 0) refuse_write(file, error);
}

CheckpointFile read_checkpoint(const std::string& file) {
  const std::string bytes = read_text_file(file, std::numeric_limits<std::uintmax_t>::max());
  if (!bytes.starts_with(magic_of_checkpoints)) {
    throw InputError(fmt::format("'{}' is not a checkpoint", file),
                     fmt::format("give a file that {} has written", option("checkpoint", "FILE")));
  }
  const std::size_t end = bytes.size() - std::min(bytes.size() - magic_size, sizeof(std::uint64_t));
  const std::string_view all(bytes);
  if (bytes.size() < magic_size + sizeof(std::uint64_t) ||
      ByteReader(all.substr(end)).get<std::uint64_t>() != checksum(all.substr(0, end))) {
    throw InputError(fmt::format("'{}' is not complete, or has changed since it was written", file),
                     "use a copy of it that is whole, or start the run again");
  }
  ByteReader from(all.substr(magic_size, end - magic_size));
  CheckpointFile result;
  result.kind = from.get_text();
  const std::string version = from.get_text();
  if (version != NOSLIP_VERSION) {
    throw InputError(fmt::format("'{}' was written by noslip {}", file, version),
                     fmt::format("this is noslip {}: go on with the version that wrote it", NOSLIP_VERSION));
  }
  result.content = from.get_text();
  return result;
}

}  // namespace noslip

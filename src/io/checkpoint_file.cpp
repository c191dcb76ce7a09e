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
  return sealed(magic_of_checkpoints + to.take());
}

[[noreturn]] void refuse_write(const std::string& file, int error) {
  const std::string when_full = "the checkpoint before is as it was; free some space, and resume it";
  throw FileError(fmt::format("cannot write '{}': {}{}", file, std::strerror(error), remedy_of_writing(error, when_full)));
}

/// The file itself behind symbolic links.
std::string target_of(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path there = std::filesystem::canonical(file, ignored);
  return there.empty() ? file : there.string();
}

}  // namespace

CheckpointLock::CheckpointLock(const std::string& file) : name_(target_of(file) + ".lock") {
  const LockedFile opened = open_locked(name_);
  if (opened.is_taken) {
    throw FileError(fmt::format("another program is writing the checkpoint '{}'\n  wait for it, or choose another name",
                                file));
  }
  if (opened.file < 0) refuse_write(file, opened.error);
  file_ = opened.file;
}

void CheckpointLock::remove() const noexcept { ::unlink(name_.c_str()); }

CheckpointLock::~CheckpointLock() {
  remove();  // while it is locked: nobody else has taken it
  ::close(file_);
}

ReadyCheckpoint::ReadyCheckpoint(const std::string& file, const CheckpointFile& checkpoint)
    : target_(target_of(file)),
      beside_(target_ + ".new"),
      folder_(folder_of(target_)),
      bytes_(bytes_of_checkpoint(checkpoint)) {}

int ReadyCheckpoint::write() const noexcept {
  const int opened = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (opened < 0) return errno;
  int error = write_all(opened, bytes_);
  if (error == 0) error = bring_file_to_disk(opened);
  if (::close(opened) != 0 && error == 0 && errno != EINTR) error = errno;
  if (error == 0 && ::rename(beside_.c_str(), target_.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(beside_.c_str());
    return error;
  }
  return bring_folder_to_disk(folder_.c_str());
}

void write_checkpoint(const std::string& file, const CheckpointFile& checkpoint) {
  const int error = ReadyCheckpoint(file, checkpoint).write();
  if (error != 0) refuse_write(file, error);
}

CheckpointFile read_checkpoint(const std::string& file) {
  const std::string bytes = read_text_file(file, std::numeric_limits<std::uintmax_t>::max());
  if (!bytes.starts_with(magic_of_checkpoints)) {
    throw InputError(fmt::format("'{}' is not a checkpoint", file),
                     fmt::format("give a file that {} has written", option("checkpoint", "FILE")));
  }
  const std::optional<std::string_view> all = unsealed(bytes);
  if (!all || all->size() < magic_size) {
    throw InputError(fmt::format("'{}' is not complete, or has changed since it was written", file),
                     "use a copy of it that is whole, or start the run again");
  }
  ByteReader from(all->substr(magic_size));
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

#include "io/system_calls.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

namespace noslip {

namespace {

int result_of_sync(int result) { return result == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno; }

}  // namespace

int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd reader{file, POLLOUT, 0};
      if (poll(&reader, 1, -1) < 0 && errno != EINTR) return errno;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int put_all(int file, std::uint64_t place, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0 && errno != EINTR) return errno;
    if (count <= 0) continue;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    place += static_cast<std::uint64_t>(count);
  }
  return 0;
}

int reserve_room(int file, std::uint64_t place, std::uint64_t size) {
  struct stat before {};
  if (size == 0) return 0;
  if (fstat(file, &before) != 0) return errno;
  int error = EINTR;
  while (error == EINTR) error = posix_fallocate(file, static_cast<off_t>(place), static_cast<off_t>(size));
  if (error == 0 || error == EOPNOTSUPP || error == EINVAL) return 0;
  [[maybe_unused]] const int is_cut = ftruncate(file, before.st_size);
  return error;
}

int bring_file_to_disk(int file) { return result_of_sync(fdatasync(file)); }

std::string folder_of(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  return folder.empty() ? "." : folder;
}

int bring_folder_to_disk(const char* folder) {
  const int opened = ::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return errno == EACCES ? 0 : errno;  // one that cannot be read may still be written to
  const int error = result_of_sync(fsync(opened));
  ::close(opened);
  return error;
}

bool is_one_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

LockedFile open_locked(const std::string& name) {
  for (;;) {
    LockedFile result;
    const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
    result.file = ::open(name.c_str(), flags);
    result.is_new = result.file < 0 && errno == ENOENT;
    if (result.is_new) result.file = ::open(name.c_str(), flags | O_CREAT, 0666);
    result.error = result.file < 0 ? errno : 0;
    if (result.file < 0) return result;
    result.is_taken = flock(result.file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    struct stat opened {
    }, found{};
    if (!result.is_taken && fstat(result.file, &opened) == 0 && stat(name.c_str(), &found) == 0 &&
        is_one_file(opened, found)) {
      return result;
    }
    ::close(result.file);  // taken, or the other program has just renamed or removed it
    result.file = -1;
    if (result.is_taken) return result;
  }
}

std::string remedy_of_writing(int error, const std::string& when_full) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "\n  " + when_full;
    case EACCES:
    case EPERM:
    case EROFS: return "\n  choose a place where you may write";
    case ENOENT:
    case ENOTDIR: return "\n  the folder has to exist";
    case EISDIR: return "\n  that is a folder: give the name of a file in it";
    default: return {};
  }
}

}  // namespace noslip

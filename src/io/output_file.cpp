#include <noslip/io/output_file.hpp>

#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <noslip/core/option_name.hpp>

namespace noslip {
namespace {

constexpr std::size_t most_buffered = 1 << 16;

std::string remedy_of(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "\n  free some space, or store fewer rows with " + option("every");
    case EACCES:
    case EPERM:
    case EROFS: return "\n  choose a place where you may write";
    case ENOENT:
    case ENOTDIR: return "\n  the folder has to exist";
    case EISDIR: return "\n  that is a folder: give the name of a file in it";
    default: return {};
  }
}

/// 0, or why not everything was written; then nothing is known of the rest. Waits where the reader of a pipe is slow.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd reader{file, POLLOUT, 0};
      if (poll(&reader, 1, -1) < 0 && errno != EINTR) return errno;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

bool is_one_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

}  // namespace

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat of_a {
  }, of_b{};
  return stat(a.c_str(), &of_a) == 0 && stat(b.c_str(), &of_b) == 0 && is_one_file(of_a, of_b);
}

OutputFile::OutputFile(const std::string& name, bool overwrite)
    : shown_name_(name == "-" ? "standard output" : "'" + name + "'"), overwrites_(overwrite) {
  if (name == "-") {
    file_ = STDOUT_FILENO;
    return;
  }
  std::error_code ignored;
  const auto status = std::filesystem::status(name, ignored);
  if (std::filesystem::is_directory(status)) fail(EISDIR);
  const bool exists = std::filesystem::exists(status);
  if (exists && !std::filesystem::is_regular_file(status)) {
    file_ = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail(errno);
    return;
  }
  if (exists && !overwrite) refuse_existing();
  if (exists && access(name.c_str(), W_OK) != 0) fail(errno);
  // Behind a symbolic link the file itself is replaced.
  target_ = exists ? std::filesystem::canonical(name).string() : name;
  part_ = target_ + ".part";
  open_part(exists);
}

/// What an earlier program has left under this name is of no use any more, unless that program is still writing it.
void OutputFile::open_part(bool exists) {
  for (;;) {
    file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file_ < 0) fail(errno);
    struct stat opened {
    }, found{};
    if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(file_);
      file_ = -1;
      throw FileError(fmt::format("another program is writing {}\n  wait for it, or choose another name", shown_name_));
    }
    const bool is_there = fstat(file_, &opened) == 0 && stat(part_.c_str(), &found) == 0 && is_one_file(opened, found);
    if (is_there) break;
    ::close(file_);  // the other program has just given it its name
  }
  struct stat old {};
  if (exists && stat(target_.c_str(), &old) == 0) fchmod(file_, old.st_mode & 07777U);
  if (ftruncate(file_, 0) != 0) fail(errno);
}

OutputFile::~OutputFile() {
  if (file_ < 0) return;
  if (keeps_beginning_ && write_all(file_, buffer_) != 0 && !part_.empty()) {
    [[maybe_unused]] const int is_cut = ftruncate(file_, static_cast<off_t>(written_));
  }
  if (!keeps_beginning_ && !part_.empty()) unlink(part_.c_str());
  release();
}

void OutputFile::release() {
  if (file_ != STDOUT_FILENO) ::close(file_);
  file_ = -1;
}

void OutputFile::write(std::string_view text) {
  assert(file_ >= 0);
  if (buffer_.size() + text.size() > most_buffered) flush();
  if (text.size() > most_buffered) return send(text);
  buffer_ += text;
}

void OutputFile::flush() {
  assert(file_ >= 0);
  if (buffer_.empty()) return;
  const std::string text = std::move(buffer_);
  buffer_.clear();
  send(text);
}

void OutputFile::send(std::string_view text) {
  const int error = write_all(file_, text);
  if (error == 0) {
    written_ += text.size();
    return;
  }
  std::string what;
  if (!part_.empty()) {
    // No half of a row stays behind.
    const bool is_cut = ftruncate(file_, static_cast<off_t>(written_)) == 0;
    if (is_cut && keeps_beginning_ && written_ > 0) what = fmt::format("\n  '{}' has the rows up to there", part_);
  }
  fail(error, what);
}

void OutputFile::close() {
  if (file_ < 0) return;
  flush();
  if (!part_.empty()) give_name();
  const int file = file_;
  file_ = -1;
  if (file != STDOUT_FILENO && ::close(file) != 0 && errno != EINTR) fail(errno);
}

void OutputFile::give_name() {
  struct stat opened {
  }, found{};
  if (fstat(file_, &opened) != 0) fail(errno);
  if (stat(part_.c_str(), &found) != 0 || !is_one_file(opened, found)) {
    release();
    throw FileError(
        fmt::format("cannot write {}: '{}' was removed or renamed while it was written", shown_name_, part_));
  }
  const unsigned flags = overwrites_ ? 0 : RENAME_NOREPLACE;
  if (renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, target_.c_str(), flags) == 0) return;
  // Some file systems do not know the flag.
  if (errno == EINVAL && link(part_.c_str(), target_.c_str()) == 0) {
    unlink(part_.c_str());
    return;
  }
  const int error = errno;
  release();
  if (error == EEXIST) {
    throw FileError(fmt::format("the file {} has appeared meanwhile\n  everything is in '{}'", shown_name_, part_));
  }
  fail(error, fmt::format("\n  everything is in '{}'", part_));
}

void OutputFile::refuse_existing() const {
  throw FileError(fmt::format("the file {} exists\n  use {} to overwrite it, or choose another name", shown_name_,
                              option("force")));
}

void OutputFile::fail(int error, const std::string& what) const {
  const std::string reason = error != 0 ? std::strerror(error) : "unknown reason";
  const std::string message = fmt::format("cannot write {}: {}{}{}", shown_name_, reason, remedy_of(error), what);
  if (error == EPIPE) throw ClosedPipe(message);
  throw FileError(message);
}

}  // namespace noslip

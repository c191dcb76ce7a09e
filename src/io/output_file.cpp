#include <noslip/io/output_file.hpp>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <noslip/core/option_name.hpp>

#include "io/special_file.hpp"
#include "io/system_calls.hpp"

namespace noslip {
namespace {

constexpr std::size_t most_buffered = 1 << 16;

}  // namespace

bool read_at(int file, std::uint64_t place, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t count = pread(file, bytes, size, static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    place += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

std::uint64_t size_of_file(int file) {
  struct stat found {};
  return fstat(file, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
}

int copy_file(int from, int to) {
  std::string block(most_buffered, '\0');
  for (off_t place = 0;;) {
    const ssize_t count = pread(from, block.data(), block.size(), place);
    if (count == 0) return 0;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    const int error = write_all(to, std::string_view(block).substr(0, static_cast<std::size_t>(count)));
    if (error != 0) return error;
    place += count;
  }
}

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
  if (is_special_file(name)) {
    file_ = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail(errno);
    return;
  }
  const bool exists = find_target(name);
  if (exists && !overwrite) refuse_existing();
  if (!open_part() && !overwrite && size_of_file(file_) > 0) {
    release();
    throw FileError(fmt::format("'{}' has the rows of a run that was broken off\n  use {} to overwrite it, or move it away",
                                part_, option("force")));
  }
  if (exists) copy_permissions();
  if (ftruncate(file_, 0) == 0) return;
  const int error = errno;
  release();
  fail(error);
}

OutputFile::OutputFile(const std::string& name, bool overwrite, const Beginning& beginning)
    : shown_name_(name == "-" ? "standard output" : "'" + name + "'"), overwrites_(overwrite), keeps_beginning_(true) {
  if (name == "-" || is_special_file(name)) {
    throw FileError(fmt::format("cannot go on with {}: rows that it has got cannot be cut off\n  name a file",
                                shown_name_));
  }
  const bool exists = find_target(name);
  const bool is_new = open_part();
  try {
    take_up(is_new, exists, beginning);
    is_durable_ = true;  // whoever saved it counts on its rows
  } catch (...) {
    if (is_new) unlink(part_.c_str());
    release();
    throw;
  }
}

/// Names of a regular file; true if it exists.
bool OutputFile::find_target(const std::string& name) {
  std::error_code ignored;
  const auto status = std::filesystem::status(name, ignored);
  if (std::filesystem::is_directory(status)) fail(EISDIR);
  const bool exists = std::filesystem::exists(status);
  if (exists && overwrites_ && access(name.c_str(), W_OK) != 0) fail(errno);
  // Behind a symbolic link the file itself is replaced.
  target_ = exists ? std::filesystem::canonical(name).string() : name;
  part_ = target_ + ".part";
  return exists;
}

/// What an earlier program has left under this name is its business only if it is still writing. True for a new file.
bool OutputFile::open_part() {
  const LockedFile opened = open_locked(part_);
  if (opened.is_taken) {
    throw FileError(fmt::format("another program is writing {}\n  wait for it, or choose another name", shown_name_));
  }
  if (opened.file < 0) fail(opened.error);
  file_ = opened.file;
  return opened.is_new;
}

void OutputFile::copy_permissions() {
  struct stat old {};
  if (stat(target_.c_str(), &old) == 0) fchmod(file_, old.st_mode & 07777U);
}

void OutputFile::take_up(bool is_new, bool exists, const Beginning& beginning) {
  const std::string part_is_wrong = is_new ? "is missing" : beginning.wrong_with_part(file_);
  std::string whole_is_wrong = "is missing";
  const int whole = exists ? ::open(target_.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  int error = exists && whole < 0 ? errno : 0;
  if (whole >= 0 && (!part_is_wrong.empty() || !overwrites_)) {
    whole_is_wrong = beginning.wrong_with_whole(whole);
    if (whole_is_wrong.empty()) overwrites_ = true;  // it is a beginning of this very file
    if (whole_is_wrong.empty() && !part_is_wrong.empty()) {
      error = ftruncate(file_, 0) != 0 ? errno : beginning.take_apart(whole, file_);
    }
  }
  if (whole >= 0) ::close(whole);
  if (error != 0) fail(error);
  if (!part_is_wrong.empty() && !whole_is_wrong.empty()) {
    throw FileError(fmt::format("cannot go on with {}: '{}' {}, and '{}' {}\n  start the run again", shown_name_, part_,
                                part_is_wrong, target_, whole_is_wrong));
  }
  if (exists && !overwrites_) refuse_existing();
  if (exists) copy_permissions();
  cut(beginning.size.value_or(size_of_file(file_)));
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
  if (whole_ >= 0) {
    ::close(whole_);
    unlink(whole_name_.c_str());
    whole_ = -1;
  }
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

void OutputFile::start(std::string_view bytes) {
  assert(!part_.empty() && buffer_.empty() && written_ == 0);
  const std::string name = part_ + ".new";
  const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file < 0) fail(errno);
  struct stat part {};
  if (fstat(file_, &part) == 0) fchmod(file, part.st_mode & 07777U);
  flock(file, LOCK_EX | LOCK_NB);  // nobody else knows it; the lock of NAME.part is held until both are one
  int error = write_all(file, bytes);
  if (error == 0 && rename(name.c_str(), part_.c_str()) != 0) error = errno;
  if (error != 0) {
    ::close(file);
    unlink(name.c_str());
    fail(error);
  }
  ::close(file_);
  file_ = file;
  written_ = bytes.size();
}

void OutputFile::bring_to_disk() {
  flush();
  if (part_.empty()) return;
  int error = bring_file_to_disk(file_);
  if (error == 0 && !has_durable_name_) error = bring_folder_to_disk(folder_of(part_).c_str());
  if (error != 0) fail(error);
  is_durable_ = has_durable_name_ = true;
}

void OutputFile::put(std::uint64_t place, std::string_view bytes) {
  assert(!part_.empty() && buffer_.empty());
  const std::uint64_t end = place + bytes.size();
  const int error = put_all(whole_ >= 0 ? whole_ : file_, place, bytes);
  if (error != 0) fail(error, keeps_beginning_ ? kept_rows() : std::string());
  if (whole_ < 0) written_ = std::max(written_, end);
}

void OutputFile::reserve(std::uint64_t place, std::uint64_t size) {
  assert(!part_.empty() && buffer_.empty());
  const int error = reserve_room(file_, place, size);
  if (error != 0) fail(error, keeps_beginning_ ? kept_rows() : std::string());
}

void OutputFile::begin_whole(const std::string& ending) {
  assert(!part_.empty() && buffer_.empty());
  const std::string name = part_ + ending;
  whole_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (whole_ < 0) fail(errno);
  whole_name_ = name;
  struct stat part {};
  if (fstat(file_, &part) == 0) fchmod(whole_, part.st_mode & 07777U);
}

void OutputFile::cut(std::uint64_t size) {
  assert(!part_.empty() && buffer_.empty());
  const auto end = static_cast<off_t>(size);
  if (ftruncate(file_, end) != 0 || lseek(file_, end, SEEK_SET) != end) fail(errno);
  written_ = size;
}

std::string OutputFile::kept_rows() const { return fmt::format("\n  '{}' has the rows up to there", part_); }

void OutputFile::send(std::string_view text) {
  refuse_shorter();
  const int error = write_all(file_, text);
  if (error == 0) {
    written_ += text.size();
    return;
  }
  std::string what;
  if (!part_.empty()) {
    // No half of a row stays behind.
    const bool is_cut = ftruncate(file_, static_cast<off_t>(written_)) == 0;
    if (is_cut && keeps_beginning_ && written_ > 0) what = kept_rows();
  }
  fail(error, what);
}

void OutputFile::close() {
  if (file_ < 0) return;
  flush();
  if (!part_.empty()) give_name();
  const int file = file_;
  file_ = -1;
  if (whole_ >= 0) {
    const int whole = whole_;
    whole_ = -1;
    if (::close(whole) != 0 && errno != EINTR) fail(errno);
  }
  if (file != STDOUT_FILENO && ::close(file) != 0 && errno != EINTR) fail(errno);
}

/// What comes next would follow zeros.
void OutputFile::refuse_shorter() {
  if (part_.empty() || size_of_file(file_) >= written_) return;
  release();
  throw FileError(fmt::format("cannot write {}: '{}' has become shorter while it was written", shown_name_, part_));
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
  refuse_shorter();
  // Rows that a checkpoint counts on are on the disk under one name or the other at any time.
  int error = is_durable_ ? bring_file_to_disk(whole_ >= 0 ? whole_ : file_) : 0;
  if (error != 0) {
    release();
    fail(error);
  }
  const char* complete = whole_name_.empty() ? part_.c_str() : whole_name_.c_str();
  const unsigned flags = overwrites_ ? 0 : RENAME_NOREPLACE;
  const bool is_done = renameat2(AT_FDCWD, complete, AT_FDCWD, target_.c_str(), flags) == 0;
  // Some file systems do not know the flag.
  const bool is_linked = !is_done && errno == EINVAL && link(complete, target_.c_str()) == 0;
  if (is_done || is_linked) {
    error = is_durable_ ? bring_folder_to_disk(folder_of(target_).c_str()) : 0;
    if (is_linked) unlink(complete);
    if (error == 0 && !whole_name_.empty()) unlink(part_.c_str());
    if (error == 0) return;
    release();
    fail(error);
  }
  error = errno;
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
  const std::string remedy =
      remedy_of_writing(error, when_full_.empty() ? "free some space" : "free some space, or " + when_full_);
  const std::string message = fmt::format("cannot write {}: {}{}{}", shown_name_, reason, remedy, what);
  if (error == EPIPE) throw ClosedPipe(message);
  throw FileError(message);
}

}  // namespace noslip

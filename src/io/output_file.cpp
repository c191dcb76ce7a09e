#include <noslip/io/output_file.hpp>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include <noslip/core/option_name.hpp>

namespace noslip {
namespace {

std::string remedy_of(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT: return "\n  free some space, or store fewer rows with " + option("every");
    case EACCES:
    case EPERM:
    case EROFS: return "\n  choose a place where you may write";
    case ENOENT:
    case ENOTDIR: return "\n  the folder has to exist";
    case EISDIR: return "\n  that is a folder: give the name of a file in it";
    default: return {};
  }
}

}  // namespace

OutputFile::OutputFile(const std::string& name, bool overwrite)
    : shown_name_(name == "-" ? "standard output" : "'" + name + "'"), is_standard_output_(name == "-") {
  if (is_standard_output_) {
    file_ = stdout;
    return;
  }
  std::error_code ignored;
  const auto status = std::filesystem::status(name, ignored);
  if (std::filesystem::is_directory(status)) fail(EISDIR);
  const bool is_device = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  errno = 0;
  // "x" makes the system refuse a file that exists, also one that appears between a test and this call.
  file_ = std::fopen(name.c_str(), overwrite || is_device ? "w" : "wx");
  if (file_ != nullptr) return;
  if (errno == EEXIST) {
    throw FileError(fmt::format("the file {} exists\n  use {} to overwrite it, or choose another name", shown_name_,
                                option("force")));
  }
  fail(errno);
}

OutputFile::~OutputFile() {
  if (file_ != nullptr && !is_standard_output_) std::fclose(file_);
}

void OutputFile::write(std::string_view text) {
  assert(file_ != nullptr);
  if (text.empty()) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail(errno);
}

void OutputFile::flush() {
  assert(file_ != nullptr);
  errno = 0;
  if (std::fflush(file_) != 0 || std::ferror(file_) != 0) fail(errno);
}

void OutputFile::close() {
  if (file_ == nullptr) return;
  flush();
  std::FILE* const file = file_;
  file_ = nullptr;
  errno = 0;
  if (!is_standard_output_ && std::fclose(file) != 0) fail(errno);
}

void OutputFile::fail(int error) const {
  const std::string reason = error != 0 ? std::strerror(error) : "unknown reason";
  const std::string message = fmt::format("cannot write {}: {}{}", shown_name_, reason, remedy_of(error));
  if (error == EPIPE) throw ClosedPipe(message);
  throw FileError(message);
}

}  // namespace noslip

// A file that is written from front to back, with every error noticed: a full disk is an error, not a short file.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include <noslip/core/error.hpp>

namespace noslip {

/// The reader of a pipe went away. Not a failure: a tool ends quietly (`noslip ... | head`).
class ClosedPipe : public FileError {
 public:
  using FileError::FileError;
};

/// Opens, writes and closes one output file. Every operation throws FileError with the name of the file, the reason
/// that the system gives, and a remedy where there is one.
class OutputFile {
 public:
  /// `name` is a path, or `-` for standard output. A regular file that exists is refused unless `overwrite`; devices
  /// and pipes are written to as they are.
  OutputFile(const std::string& name, bool overwrite);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Buffered: an error may show only in a later call, at the latest in close().
  void write(std::string_view text);
  void flush();
  /// Flushes and closes (standard output stays open). The destructor closes too, but silently: call this to know that
  /// everything arrived.
  void close();

  const std::string& name() const { return shown_name_; }

 private:
  [[noreturn]] void fail(int error) const;

  std::string shown_name_;  ///< for messages
  std::FILE* file_ = nullptr;
  bool is_standard_output_ = false;
};

}  // namespace noslip

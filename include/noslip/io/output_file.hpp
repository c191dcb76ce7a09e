// A file that is written from front to back, with every error noticed: a full disk is an error, not a short file.
//
// Until it is complete, a regular file has another name, NAME.part, beside the place where it belongs. Whoever finds
// NAME finds all of it, whatever happens to the program: the file that had this name before, or the new one.
#pragma once

#include <cstdint>
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
  /// `name` is a path, or `-` for standard output. A regular file that exists is refused unless `overwrite`, and so is
  /// one that another program is writing just now. Devices and pipes are written to as they are.
  OutputFile(const std::string& name, bool overwrite);
  /// Closes silently; what is not complete stays under its other name if it is worth that, and is removed otherwise.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// A beginning of this file is of use: it is kept as NAME.part if the rest cannot be written.
  void keep_beginning() { keeps_beginning_ = true; }

  /// Buffered: an error may show only in a later call, at the latest in close(). A text goes into the file as a whole.
  void write(std::string_view text);
  void flush();
  /// Writes what is left and gives the file its name (standard output stays open). FileError if the file has
  /// disappeared meanwhile, or if another one has appeared in its place that must not be overwritten.
  void close();

  const std::string& name() const { return shown_name_; }

 private:
  void open_part(bool exists);
  void send(std::string_view text);
  void give_name();
  void release();
  [[noreturn]] void fail(int error, const std::string& what = {}) const;
  [[noreturn]] void refuse_existing() const;

  std::string shown_name_;     ///< for messages
  std::string target_, part_;  ///< of a regular file
  std::string buffer_;
  std::uint64_t written_ = 0;
  int file_ = -1;
  bool overwrites_ = false, keeps_beginning_ = false;
};

/// Are these two names of one file that exists?
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace noslip

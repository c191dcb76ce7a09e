// A file under construction, with every error noticed: a full disk is an error, not a short file.
//
// Until it is complete, a regular file has another name, NAME.part, beside the place where it belongs. Whoever finds
// NAME finds all of it, whatever happens to the program: the file that had this name before, or the new one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <noslip/core/error.hpp>

namespace noslip {

/// The reader of a pipe went away. Not a failure: a tool ends quietly (`noslip ... | head`).
class ClosedPipe : public FileError {
 public:
  using FileError::FileError;
};

/// How a file that was not finished, or was closed earlier, is taken up again.
struct Beginning {
  std::optional<std::uint64_t> size;  ///< of NAME.part, which is cut there; otherwise whoever writes does that
  /// What is wrong with the first bytes of an open file, as the end of a sentence about it; empty if they are right.
  std::function<std::string(int part)> wrong_with_part;
  /// The same for the complete file.
  std::function<std::string(int whole)> wrong_with_whole;
  /// Makes the empty NAME.part from the complete file; 0, or a number as of errno.
  std::function<int(int whole, int part)> take_apart;
};

/// Opens, writes and closes one output file. Every operation throws FileError with the name of the file, the reason
/// that the system gives, and a remedy where there is one.
class OutputFile {
 public:
  /// `name` is a path, or `-` for standard output. A regular file that exists is refused unless `overwrite`, and so is
  /// one that another program is writing just now. Devices and pipes are written to as they are.
  OutputFile(const std::string& name, bool overwrite);
  /// Goes on with NAME.part or, where that is missing or wrong, with what is made from NAME, which stays as it is until
  /// close(). FileError that says what is wrong if neither begins as it should. A regular file that exists is refused
  /// unless `overwrite` or it begins in this way.
  OutputFile(const std::string& name, bool overwrite, const Beginning& beginning);
  /// Closes silently; what is not complete stays under its other name if it is worth that, and is removed otherwise.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// A beginning of this file is of use: it is kept as NAME.part if the rest cannot be written.
  void keep_beginning() { keeps_beginning_ = true; }

  /// What to do where the disk is full, beside making room: "store fewer rows".
  void advise_when_full(std::string remedy) { when_full_ = std::move(remedy); }

  /// Buffered: an error may show only in a later call, at the latest in close(). A text goes into the file as a whole.
  void write(std::string_view text);
  void flush();
  /// The first bytes of a regular file, which others see all at once or not at all.
  void start(std::string_view bytes);
  /// As flush(), and what a regular file has so far survives a machine that stops: from now on, until close() is done
  /// and after it, NAME.part or NAME is on the disk with at least these bytes.
  void bring_to_disk();
  /// Writes at a place of a regular file, at once; what write() was given has to be flushed before.
  void put(std::uint64_t place, std::string_view bytes);
  /// There will be room for so many bytes that put() writes at a place, where the system can tell. FileError, and
  /// nothing has changed, if there is none.
  void reserve(std::uint64_t place, std::uint64_t size);
  /// Makes a regular file so long; whatever comes later is lost.
  void cut(std::uint64_t size);
  /// From now on put() writes the complete file, under a third name (NAME.part and this ending). close() gives it its
  /// name and removes NAME.part; if something fails before, it is removed, and NAME.part stays if it is worth that.
  void begin_whole(const std::string& ending);
  /// NAME.part, for reading.
  int part() const { return file_; }
  /// Bytes in the file; those of write() only after flush().
  std::uint64_t size() const { return written_; }
  /// Writes what is left and gives the file its name (standard output stays open). FileError if the file has
  /// disappeared meanwhile, or if another one has appeared in its place that must not be overwritten.
  void close();

  const std::string& name() const { return shown_name_; }

 private:
  bool find_target(const std::string& name);
  bool open_part();
  void take_up(bool is_new, bool exists, const Beginning& beginning);
  void copy_permissions();
  void send(std::string_view text);
  void give_name();
  void refuse_shorter();
  void release();
  std::string kept_rows() const;
  [[noreturn]] void fail(int error, const std::string& what = {}) const;
  [[noreturn]] void refuse_existing() const;

  std::string shown_name_;     ///< for messages
  std::string when_full_;      ///< as advised
  std::string target_, part_;  ///< of a regular file
  std::string whole_name_;     ///< empty: NAME.part becomes the file
  std::string buffer_;
  std::uint64_t written_ = 0;
  int file_ = -1, whole_ = -1;
  bool overwrites_ = false, keeps_beginning_ = false;
  bool is_durable_ = false;        ///< somebody counts on what the disk has of it
  bool has_durable_name_ = false;  ///< the disk knows NAME.part
};

/// Reads so many bytes at a place; false if they are not there.
bool read_at(int file, std::uint64_t place, char* bytes, std::size_t size);
/// Size of an open file.
std::uint64_t size_of_file(int file);
/// Copies all of a file; 0, or a number as of errno.
int copy_file(int from, int to);

/// Are these two names of one file that exists?
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace noslip

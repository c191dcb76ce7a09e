// Files from which a command goes on: whole ones only, of a kind that says who understands the content.
#pragma once

#include <string>

namespace noslip {

struct CheckpointFile {
  std::string kind;     ///< "run"
  std::string content;  ///< some bytes
};

/// While it lives, no other program that asks for it gets it: two runs do not write one checkpoint in turns. Behind a
/// symbolic link it is the file itself. Beside the file there is an empty one, FILE.lock, which disappears with it; what a
/// killed program leaves of it is in nobody's way.
class CheckpointLock {
 public:
  /// FileError if another program has it, or if nothing can be written there.
  explicit CheckpointLock(const std::string& file);
  ~CheckpointLock();
  CheckpointLock(const CheckpointLock&) = delete;
  CheckpointLock& operator=(const CheckpointLock&) = delete;

  /// FILE.lock disappears now, for a program that does not end in the usual way. Safe in handlers of signals.
  void remove() const noexcept;

 private:
  std::string name_;
  int file_;
};

/// The bytes of a checkpoint, ready to be written.
class ReadyCheckpoint {
 public:
  ReadyCheckpoint(const std::string& file, const CheckpointFile& checkpoint);
  /// As write_checkpoint(), but says 0, or a number as of errno. Safe in handlers of signals.
  int write() const noexcept;

 private:
  std::string target_, beside_, folder_, bytes_;
};

/// Writes it in the place of what has this name: whoever reads it finds the old file or the new one, whole, whatever
/// happens to the program or the machine. FileError if it cannot be written; the old file is as it was.
void write_checkpoint(const std::string& file, const CheckpointFile& checkpoint);

/// FileError if the file cannot be read, InputError if it is not such a file, not whole, or of another version of
/// noslip.
CheckpointFile read_checkpoint(const std::string& file);

}  // namespace noslip

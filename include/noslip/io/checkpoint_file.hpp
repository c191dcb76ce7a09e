// Files from which a command goes on: whole ones only, of a kind that says who understands the content.
#pragma once

#include <string>

namespace noslip {

struct CheckpointFile {
  std::string kind;     ///< "run"
  std::string content;  ///< some bytes
};

/// Writes it in the place of what has this name: whoever reads it finds the old file or the new one, whole, whatever
/// happens to the program or the machine. FileError if it cannot be written; the old file is as it was.
void write_checkpoint(const std::string& file, const CheckpointFile& checkpoint);

/// FileError if the file cannot be read, InputError if it is not such a file, not whole, or of another version of
/// noslip.
CheckpointFile read_checkpoint(const std::string& file);

}  // namespace noslip

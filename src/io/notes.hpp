// What data files tell of their origin, as the formats write it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <noslip/io/row_sink.hpp>

namespace noslip {

/// Attributes that are texts, by name, in their order. Values by name (`set`, `init`, ...) are JSON objects.
std::vector<std::pair<std::string, std::string>> text_notes(const FileNotes& notes);

/// Everything as one JSON document of at most 65535 bytes, for the comment of an archive. Texts that make it longer are
/// left out, and `left_out` has their names.
std::string comment_of(const FileNotes& notes);

/// The way back, of a file that tells its version.
struct ReadNotes {
  std::string version;  ///< "noslip 0.1.0"; empty: not known
  FileNotes notes;
};
ReadNotes notes_in_texts(const std::vector<std::pair<std::string, std::string>>& texts);
ReadNotes notes_in_comment(const std::string& comment);
/// InputError unless it was this version that wrote a file.
void check_version(const std::string& file, const std::string& version);

}  // namespace noslip

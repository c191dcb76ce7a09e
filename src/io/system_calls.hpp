// What is asked of the system for files, until it is done. Numbers are those of errno; 0 means success.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct stat;

namespace noslip {

/// Writes everything where the file is; after a failure nothing is known of the rest. Waits where the reader of a pipe
/// is slow.
int write_all(int file, std::string_view bytes);
/// Writes everything at a place of a regular file.
int put_all(int file, std::uint64_t place, std::string_view bytes);
/// There is room for so many bytes at a place of a regular file, which becomes long enough. After a failure it is as it
/// was. Systems that cannot tell say yes.
int reserve_room(int file, std::uint64_t place, std::uint64_t size);
/// What a file has survives a machine that stops, where the system can do that.
int bring_file_to_disk(int file);
/// The same for the names of files in a folder.
int bring_folder_to_disk(const char* folder);
/// The folder of a file.
std::string folder_of(const std::string& file);

/// A file that this program alone has opened in this way, as long as it is open; a killed program lets it go.
struct LockedFile {
  int file = -1;          ///< -1: it could not be opened
  bool is_new = false;    ///< it was not there before
  bool is_taken = false;  ///< another one has it
  int error = 0;          ///< of opening it
};
/// Opens a regular file for reading and writing, makes it if it is missing, and locks it. Whoever renames or removes it
/// does so before closing it. File systems without locks say yes.
LockedFile open_locked(const std::string& name);
/// Are these one file?
bool is_one_file(const struct stat& a, const struct stat& b);

/// What to do after a failure to write, as lines of a message; empty if nothing is known.
std::string remedy_of_writing(int error, const std::string& when_full);

}  // namespace noslip

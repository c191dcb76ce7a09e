// What is asked of the system for files, until it is done. Numbers are those of errno; 0 means success.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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
/// The same for the names of files in the folder of this one.
int bring_folder_to_disk(const std::string& file);

/// What to do after a failure to write, as lines of a message; empty if nothing is known.
std::string remedy_of_writing(int error, const std::string& when_full);

}  // namespace noslip

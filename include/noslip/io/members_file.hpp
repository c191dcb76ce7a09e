// Members of an ensemble from a file.
//
//   const auto members = read_members("points.csv");
#pragma once

#include <memory>
#include <string>

#include <noslip/run/members.hpp>

namespace noslip {

/// Comma-separated values as model/csv_reader.hpp has them: the first row names what varies, every other one is a member,
/// and no number may be missing. Messages call a member by file and line, "points.csv:5".
///
/// The whole file is checked here, some 200 MB per second; values are read again when they are asked for. Memory is
/// about 40 bytes for every 64 KB of the file, and what was read last. The file has to stay as it is: FileError from
/// read() if other numbers are in it, or if it can no longer be read. A file that takes its name has no influence.
///
/// InputError with places, the first 20 problems at once: what is not a number, numbers that are missing, rows with
/// more or fewer fields than names, no names or the same one twice, no rows, text that is not UTF-8, lines of more than
/// 64 MB. FileError if it cannot be read, and for pipes, which cannot be read twice.
std::shared_ptr<const Members> read_members(const std::string& file);

}  // namespace noslip

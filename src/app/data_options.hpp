// The options of verbs that write files: which ones they may write.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"

namespace noslip::app {

/// Are these two names of one file? It need not be there yet.
bool is_one(const std::string& a, const std::string& b);

/// Is this a name that `file` has while it is written?
bool is_part_of(const std::string& name, const std::string& file);

/// A problem for a name of a data file whose ending says nothing, or something that cannot be written; none for an
/// empty name.
void check_data_file(Arguments& arguments, const std::string& file, const std::string& option = "-o");

/// The same for several files, none of which may be there twice.
void check_data_files(Arguments& arguments, const std::vector<std::string>& files);

/// --columns: texts between commas that are not inside brackets; none without it.
std::vector<std::string> column_texts(Arguments& arguments);

/// A problem if -o is given several times, for verbs that write one file.
void check_one_output(Arguments& arguments);

/// A problem for a file that the command itself reads: the system file, or one of --input. `option` names it in the
/// message.
void check_is_not_read(Arguments& arguments, const std::string& option, const std::string& file);

}  // namespace noslip::app

// The options of verbs that write files: which ones they may write.
#pragma once

#include <string>

#include "arguments.hpp"

namespace noslip::app {

/// A problem for a name of -o whose ending says nothing, or something that cannot be written; none for an empty name.
void check_data_file(Arguments& arguments, const std::string& file);

/// A problem for a file that the command itself reads: the system file, or one of --input. `option` names it in the
/// message.
void check_is_not_read(Arguments& arguments, const std::string& option, const std::string& file);

}  // namespace noslip::app

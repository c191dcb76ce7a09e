// The option of the verbs that write data: which file.
#pragma once

#include <string>

#include "arguments.hpp"

namespace noslip::app {

/// A problem for a name of -o whose ending says nothing, or something that cannot be written; none for an empty name.
void check_data_file(Arguments& arguments, const std::string& file);

}  // namespace noslip::app

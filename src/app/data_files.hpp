// What is told of data files: one for each -o.
#pragma once

#include <string>

#include <noslip/io/data_files.hpp>

namespace noslip::app {

/// On standard error, how many rows went to which file.
void tell_what_was_written(const DataFiles& files, const std::string& one = "row", const std::string& many = "rows");

}  // namespace noslip::app

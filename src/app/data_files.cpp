#include "data_files.hpp"

#include <fmt/format.h>

#include "output.hpp"

namespace noslip::app {

void tell_what_was_written(const DataFiles& files, const std::string& one, const std::string& many) {
  for (const std::string& name : files.written()) {
    if (name != "-") tell(fmt::format("wrote {} to '{}'", counted(files.rows(), one, many), name));
  }
}

}  // namespace noslip::app

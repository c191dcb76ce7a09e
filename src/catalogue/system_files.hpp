// The texts of the system files in this folder.
#pragma once

#include <vector>

namespace noslip {

struct SystemFile {
  const char *name, *description, *source, *text;
};

/// Made when the library is built.
const std::vector<SystemFile>& system_files();

}  // namespace noslip

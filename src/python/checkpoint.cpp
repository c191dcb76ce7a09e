#include "checkpoint.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "values.hpp"

namespace noslip::python {

CheckpointTarget::CheckpointTarget(const Given& given, bool goes_on) : file_(given.file("checkpoint")) {
  if (file_.empty()) return;
  lock_.emplace(file_);
  std::error_code ignored;
  if (!goes_on && !is_true(given["force"]) && std::filesystem::exists(file_, ignored)) {
    throw FileError(fmt::format("'{}' exists\n  give another name, or force=True to overwrite it", file_));
  }
}

}  // namespace noslip::python

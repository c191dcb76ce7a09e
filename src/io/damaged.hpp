// Files that are not as noslip writes them.
#pragma once

#include <string>

#include <fmt/format.h>

#include <noslip/core/error.hpp>

namespace noslip {

/// `what` is the end of a sentence about the file: "ends in the middle of a row".
[[noreturn]] inline void refuse_damaged(const std::string& file, const std::string& what) {
  throw InputError(fmt::format("'{}' {}: it is damaged, or not a file of noslip", file, what),
                   "use a copy of it that is whole, or write it again");
}

[[noreturn]] inline void refuse_words(const std::string& file, const std::string& column) {
  throw InputError(fmt::format("'{}': the column '{}' has words, not numbers", file, column),
                   "read it with another program");
}

}  // namespace noslip

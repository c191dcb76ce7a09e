// The rows of the table of options.
#pragma once

#include <span>
#include <string_view>

#include <noslip/core/options.hpp>

namespace noslip {

/// The options of a verb by name, with blanks between them; a name with `!` is required.
struct VerbRow {
  std::string_view verb, names;
};

/// Words that verbs have for an option in place of the general ones.
struct OptionWords {
  std::string_view verbs;  ///< with blanks between them
  std::string_view name, value, help, otherwise;
};

std::span<const VerbRow> verb_rows();
std::span<const OptionWords> option_words();

}  // namespace noslip

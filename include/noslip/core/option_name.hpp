// How messages name an option: as the program at hand spells it.
#pragma once

#include <string>
#include <string_view>

namespace noslip {

enum class OptionStyle {
  member,   ///< `step = 0.1`, as members of RunOptions are set; what the library says by itself
  flag,     ///< --step 0.1, as on a command line
  keyword,  ///< `step=0.1`, as in a call in Python
};

/// For all messages from now on, in all threads; a front end calls it once.
void set_option_style(OptionStyle style);

/// An option of the table (core/options.hpp) by its name ("looks"), or with a value ("step", "0.1"): --looks for
/// somebody with a command line, `looks_per_step` for somebody with a struct, `looks` in Python.
std::string option(std::string_view name, std::string_view value = {});
/// A value of an option that has values by name: --init x=1, `init["x"] = 1`, `init={"x": 1}`.
std::string option_entry(std::string_view name, std::string_view key, std::string_view value);
/// Its name as a keyword in Python: checkpoint_every.
std::string keyword_of(std::string_view name);

}  // namespace noslip

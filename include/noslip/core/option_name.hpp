// How messages name an option: as the program at hand spells it.
#pragma once

#include <string>
#include <string_view>

namespace noslip {

enum class OptionStyle {
  member,  ///< `step = 0.1`, as members of RunOptions are set; what the library says by itself
  flag,    ///< --step 0.1, as on a command line
};

/// For all messages from now on, in all threads; a front end calls it once.
void set_option_style(OptionStyle style);

/// An option by its name in RunOptions ("step"), or with a value ("step", "0.1").
std::string option(std::string_view name, std::string_view value = {});

}  // namespace noslip

// Text from outside in messages: what a terminal would obey is escaped, and what is too long is shortened.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace noslip {

/// The UTF-8 character at the start of a text that is not empty.
struct Character {
  char32_t code = 0;
  std::size_t length = 1;  ///< bytes
  bool is_valid = false;   ///< false: the first byte belongs to no character
};
Character first_character(std::string_view text);

/// Is there nothing to escape?
bool is_printable(std::string_view text);
/// Control characters (but for tab and new line), marks that change the direction of text, and separators of lines as
/// \u001b, which is what JSON has for them; bytes that are no UTF-8 as \xff.
std::string printable(std::string_view text);

/// The same for a name in the middle of a line: also tab and new line are escaped, as \t and \n.
std::string one_line(std::string_view text);

/// At most about `longest` bytes: of a longer text the begin and the end, and how much there is between them.
std::string with_short_middle(std::string_view text, std::size_t longest);

}  // namespace noslip

#include <noslip/core/short_text.hpp>

#include <cstddef>

#include <noslip/core/printable.hpp>

namespace noslip {

std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result;
  std::size_t width = 0;
  for (const char c : one_line(text)) {
    const bool starts_a_character = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    if (starts_a_character && ++width > longest) return result + "...";
    result += c;
  }
  return result;
}

}  // namespace noslip

#include <noslip/core/printable.hpp>

#include <fmt/format.h>

namespace noslip {
namespace {

bool is_obeyed(char32_t c) {
  if (c < 0x20) return c != '\n' && c != '\t';
  if (c < 0x7f) return false;
  const auto between = [&](char32_t first, char32_t last) { return first <= c && c <= last; };
  return between(0x7f, 0x9f) || c == 0x61c || between(0x200e, 0x200f) || between(0x2028, 0x202e) ||
         between(0x2066, 0x2069) || c == 0xfeff || between(0xfff9, 0xfffb) || between(0xe0000, 0xe007f);
}

bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  const char32_t first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || length > text.size()) return {first, 1, false};
  char32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!goes_on(text[i])) return {first, 1, false};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const char32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  const bool is_surrogate = 0xD800 <= code && code <= 0xDFFF;
  if (code < least || code > 0x10FFFF || is_surrogate) return {first, 1, false};
  return {code, length, true};
}

bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!c.is_valid || is_obeyed(c.code)) return false;
    text.remove_prefix(c.length);
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!c.is_valid) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned>(c.code));
    } else if (!is_obeyed(c.code)) {
      result += text.substr(0, c.length);
    } else if (c.code <= 0xFFFF) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c.code));
    } else {
      const auto above = static_cast<unsigned>(c.code) - 0x10000U;
      result += fmt::format("\\u{:04x}\\u{:04x}", 0xD800U + (above >> 10U), 0xDC00U + (above & 0x3FFU));
    }
    text.remove_prefix(c.length);
  }
  return result;
}

std::string one_line(std::string_view text) {
  std::string result;
  for (const char c : is_printable(text) ? std::string(text) : printable(text)) {
    if (c == '\n' || c == '\t') result += '\\';
    result += c == '\n' ? 'n' : c == '\t' ? 't' : c;
  }
  return result;
}

std::string with_short_middle(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  std::size_t begin = longest * 2 / 3, end = text.size() - longest / 3;
  while (begin > 0 && goes_on(text[begin])) --begin;
  while (end < text.size() && goes_on(text[end])) ++end;
  return fmt::format("{} ... ({} bytes) ... {}", text.substr(0, begin), end - begin, text.substr(end));
}

}  // namespace noslip

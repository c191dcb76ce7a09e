#include "model/key_depth.hpp"

namespace noslip {
namespace {

/// The byte behind the string that opens at `at`.
std::size_t end_of_string(std::string_view toml, std::size_t at) {
  const char quote = toml[at];
  const bool escapes = quote == '"';
  const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
  const bool multiline = toml.substr(at, 3) == triple;
  std::size_t i = at + (multiline ? 3 : 1);
  while (i < toml.size()) {
    if (escapes && toml[i] == '\\') {
      i += 2;
    } else if (multiline && toml.substr(i, 3) == triple) {
      i += 3;
      while (i < toml.size() && toml[i] == quote) ++i;  // up to two quotes may belong to the text
      return i;
    } else if (!multiline && (toml[i] == quote || toml[i] == '\n')) {
      return i + 1;
    } else {
      ++i;
    }
  }
  return toml.size();
}

}  // namespace

std::optional<std::size_t> too_deep_key(std::string_view toml, int most) {
  int parts = 1;
  for (std::size_t i = 0; i < toml.size();) {
    switch (toml[i]) {
      case '"':
      case '\'': i = end_of_string(toml, i); continue;
      case '#':
        while (i < toml.size() && toml[i] != '\n') ++i;
        continue;
      case '.':
        if (++parts > most) return i;
        break;
      case '\n':
      case '=':
      case ',':
      case '[':
      case ']':
      case '{':
      case '}': parts = 1; break;
      default: break;
    }
    ++i;
  }
  return std::nullopt;
}

}  // namespace noslip

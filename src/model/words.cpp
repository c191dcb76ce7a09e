#include "model/words.hpp"

#include <algorithm>

#include <noslip/core/characters.hpp>
#include <noslip/expr/parse.hpp>

namespace noslip {
namespace {

bool starts_name(char c) { return is_letter(c) || c == '_'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }

}  // namespace

std::string shown_text(const Text& text) {
  std::string line;
  for (const char c : text.text) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (c == ' ' || !is_blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';  // of a text in several lines
    }
  }
  return line + to_text(text.indices);
}

std::vector<std::string> words_of(const Text& phrase,
                                  const std::function<std::optional<Number>(std::string_view)>& size) {
  std::vector<std::string> words;
  if (phrase.expression.graph != nullptr) {
    for (const Expr symbol : symbols_of(std::span(&phrase.expression, 1))) words.push_back(symbol.name());
    return words;
  }
  const auto known = [&](std::string_view name) -> std::optional<Number> {
    for (const auto& [index, value] : phrase.indices) {
      if (index == name) return Number(value);
    }
    return size(name);
  };
  const std::string_view text = phrase.text;
  for (std::size_t i = 0; i < text.size();) {
    if (!continues_name(text[i])) {
      ++i;
      continue;
    }
    const std::size_t start = i;
    while (i < text.size() && continues_name(text[i])) ++i;
    if (!starts_name(text[start])) continue;
    words.emplace_back(text.substr(start, i - start));
    const std::size_t bracket = text.find_first_not_of(" \t\r\n", i), close = text.find(']', i);
    if (bracket == std::string_view::npos || text[bracket] != '[' || close == std::string_view::npos) continue;
    const ParsedNumber index = parse_number(text.substr(bracket + 1, close - bracket - 1), known);
    words.back() = index.problems.empty() && index.value.is_integer()
                       ? element_name(words.back(), index.value.numerator())
                       : words.back() + "[]";
  }
  return words;
}

std::string_view word_at(std::string_view text, std::size_t offset) {
  std::size_t begin = std::min(offset, text.size()), end = begin;
  while (begin > 0 && continues_name(text[begin - 1])) --begin;
  while (end < text.size() && continues_name(text[end])) ++end;
  return text.substr(begin, end - begin);
}

std::size_t find_word(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !continues_name(text[at - 1]);
    const bool ends = end == text.size() || !(continues_name(text[end]) || text[end] == '\'');
    if (begins && ends) return at;
  }
  return 0;
}

std::string why_not_a_symbol(std::string_view name) {
  if (name == "t") return {};
  if (name.ends_with('\'')) {
    name.remove_suffix(1);
  } else if (name.starts_with("p(") && name.ends_with(')')) {
    name = name.substr(2, name.size() - 3);
  } else if (name.starts_with("psi(") && name.ends_with(')')) {
    const std::string_view number = name.substr(4, name.size() - 5);
    if (!number.empty() && std::all_of(number.begin(), number.end(), is_digit)) return {};
  }
  return why_not_a_name_or_element(name);
}

}  // namespace noslip

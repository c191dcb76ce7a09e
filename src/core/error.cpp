#include <noslip/core/error.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/printable.hpp>

namespace noslip {
namespace {

constexpr std::size_t longest_line = 200;   // bytes of a quoted line
constexpr std::size_t longest_text = 1000;  // bytes of what is wrong, and of a remedy
constexpr std::size_t most_problems = 100;  // in what() of an InputError

bool continues_character(const std::string& line, std::size_t at) {
  return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U;
}

/// As wide as the text; tabs stay tabs and the tail bytes of a UTF-8 character take no room.
std::string blank(const std::string& text) {
  std::string blanks;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!continues_character(text, i)) blanks += text[i] == '\t' ? '\t' : ' ';
  }
  return blanks;
}

/// The line, or of a long one what is around the column, and the caret under the character that is meant.
std::string quoted(const std::string& line, int column) {
  std::size_t caret = column > 0 ? static_cast<std::size_t>(column) - 1 : 0;
  const std::size_t beyond = caret - std::min(caret, line.size());
  caret -= beyond;
  while (caret > 0 && continues_character(line, caret)) --caret;
  std::size_t begin = 0, end = line.size();
  if (line.size() > longest_line) {
    begin = caret - std::min(caret, longest_line / 2);
    end = std::min(line.size(), begin + longest_line);
    while (begin > 0 && continues_character(line, begin)) --begin;
    while (continues_character(line, end)) ++end;
  }
  const std::string before = (begin > 0 ? "... " : "") + printable(line.substr(begin, caret - begin));
  const std::string after = printable(line.substr(caret, end - caret)) + (end < line.size() ? " ..." : "");
  std::string text = "\n  " + before + after;
  if (column > 0) text += "\n  " + blank(before) + std::string(std::min(beyond, longest_line), ' ') + '^';
  return text;
}

std::string join(const std::vector<Problem>& problems) {
  std::string text;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (i > 0) text += '\n';
    if (i == most_problems) return text + fmt::format("... and {} more problems", problems.size() - i);
    text += to_text(problems[i]);
  }
  return text;
}

}  // namespace

std::string to_text(const Problem& problem) {
  std::string text;
  const Place& place = problem.place;
  if (!place.file.empty()) text += one_line(place.file) + ":";
  if (place.line > 0) {
    text += fmt::format("{}:", place.line);
    if (place.column > 0) text += fmt::format("{}:", place.column);
  }
  if (!text.empty()) text += ' ';
  const auto shown = [](const std::string& part) { return one_line(with_short_middle(part, longest_text)); };
  text += shown(problem.what);
  if (!place.source_line.empty()) text += quoted(place.source_line, place.column);
  if (!problem.remedy.empty()) text += "\n  " + shown(problem.remedy);
  return text;
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(join(problems)), problems_(std::move(problems)) {}

InputError::InputError(std::string what, std::string remedy)
    : InputError(std::vector<Problem>{Problem{std::move(what), Place{}, std::move(remedy)}}) {}

}  // namespace noslip

#include <noslip/core/error.hpp>

#include <utility>

#include <fmt/format.h>

namespace noslip {
namespace {

/// Spaces up to the column; tabs stay tabs and the tail bytes of a UTF-8 character take no room, so that the caret ends
/// up under the character that is meant.
std::string indent_to(const std::string& line, int column) {
  std::string indent;
  for (int i = 0; i + 1 < column; ++i) {
    const unsigned char c = static_cast<std::size_t>(i) < line.size() ? static_cast<unsigned char>(line[i]) : ' ';
    if (c == '\t') {
      indent += '\t';
    } else if ((c & 0xC0) != 0x80) {
      indent += ' ';
    }
  }
  return indent;
}

std::string join(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += to_text(problem);
  }
  return text;
}

}  // namespace

std::string to_text(const Problem& problem) {
  std::string text;
  const Place& place = problem.place;
  if (!place.file.empty()) text += place.file + ":";
  if (place.line > 0) {
    text += fmt::format("{}:", place.line);
    if (place.column > 0) text += fmt::format("{}:", place.column);
  }
  if (!text.empty()) text += ' ';
  text += problem.what;
  if (!place.source_line.empty()) {
    text += "\n  " + place.source_line;
    if (place.column > 0) text += "\n  " + indent_to(place.source_line, place.column) + '^';
  }
  if (!problem.remedy.empty()) text += "\n  " + problem.remedy;
  return text;
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(join(problems)), problems_(std::move(problems)) {}

InputError::InputError(std::string what, std::string remedy)
    : InputError(std::vector<Problem>{Problem{std::move(what), Place{}, std::move(remedy)}}) {}

}  // namespace noslip

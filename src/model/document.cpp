#include "model/document.hpp"

#include <algorithm>
#include <cassert>

#include <noslip/expr/print.hpp>

namespace noslip {
namespace {

// Longer lines are not shown: a message has to stay readable.
constexpr std::size_t longest_shown_line = 1000;

// Nor is more of an expression.
constexpr std::size_t longest_printed = longest_shown_line - 3;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t utf8_length(unsigned long codepoint) {
  if (codepoint < 0x80) return 1;
  if (codepoint < 0x800) return 2;
  if (codepoint < 0x10000) return 3;
  return 4;
}

unsigned long hexadecimal(std::string_view digits) {
  unsigned long value = 0;
  for (const char c : digits) {
    const bool decimal = c >= '0' && c <= '9';
    value = 16 * value + static_cast<unsigned long>(decimal ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

}  // namespace

Document::Document(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

Place Document::place(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const std::size_t start = *(next - 1);
  std::size_t end = next == line_starts_.end() ? text_.size() : *next - 1;
  if (end > start && text_[end - 1] == '\r') --end;

  Place place;
  place.file = name_;
  place.line = static_cast<int>(next - line_starts_.begin());
  place.column = 1 + static_cast<int>(offset - start);
  if (end - start <= longest_shown_line) place.source_line = text_.substr(start, end - start);
  return place;
}

std::size_t OffsetFinder::operator()(std::size_t line, std::size_t column) {
  const std::string& text = document_->text_;
  if (line == 0) return 0;
  if (line > document_->line_starts_.size()) return text.size();
  if (line != line_ || column < column_) {
    line_ = line;
    column_ = 1;
    at_ = document_->line_starts_[line - 1];
  }
  for (; column_ < column && at_ < text.size(); ++column_) {
    ++at_;
    while (at_ < text.size() && is_continuation(text[at_])) ++at_;
  }
  return at_;
}

Text::Text(Expr given) : expression(given) {
  if (given.graph == nullptr) {
    throw InputError("an expression is given that has not been set", "make it from the symbols of a Symbols");
  }
  text = to_text(given, longest_printed);
  graph = given.graph->weak_from_this().lock();
  if (graph) return;
  const auto own = std::make_shared<Graph>();
  expression = Substitution(*own)(given);
  graph = own;
}

Place Text::place(std::size_t offset) const {
  if (!document) return {};
  assert(!segments.empty() && segments.front().first == 0);
  const auto next = std::upper_bound(segments.begin(), segments.end(), offset,
                                     [](std::size_t at, const auto& segment) { return at < segment.first; });
  const auto& [here, there] = *(next - 1);
  return document->place(there + (offset - here));
}

Text Text::whole(std::string name, std::string text) {
  Text result(std::move(text));
  result.name_document(std::move(name));
  return result;
}

void Text::name_document(std::string name) {
  document = std::make_shared<const Document>(std::move(name), text);
  segments = {{0, 0}};
}

Text toml_string_text(std::shared_ptr<const Document> document, std::size_t begin, std::string value) {
  const std::string_view source = document->text();
  const auto at = [&](std::size_t i) { return i < source.size() ? source[i] : '\0'; };
  const char quote = at(begin);
  const bool multiline = at(begin + 1) == quote && at(begin + 2) == quote;

  std::size_t there = begin + (multiline ? 3 : 1);
  if (multiline && at(there) == '\r' && at(there + 1) == '\n') ++there;
  if (multiline && at(there) == '\n') ++there;

  Text result;
  std::size_t here = 0;
  const auto mark = [&] {
    if (result.segments.empty() || result.segments.back().second + (here - result.segments.back().first) != there) {
      result.segments.emplace_back(here, there);
    }
  };
  while (here < value.size() && there < source.size()) {
    if (quote == '"' && at(there) == '\\') {
      const char escape = at(there + 1);
      if (escape == ' ' || escape == '\t' || escape == '\r' || escape == '\n') {
        // A backslash at the end of a line swallows the space up to the next word.
        ++there;
        while (at(there) == ' ' || at(there) == '\t' || at(there) == '\r' || at(there) == '\n') ++there;
        continue;
      }
      mark();
      const std::size_t digits = escape == 'u' ? 4 : escape == 'U' ? 8 : escape == 'x' ? 2 : 0;
      here += digits == 0 ? 1 : utf8_length(hexadecimal(source.substr(std::min(there + 2, source.size()), digits)));
      there += 2 + digits;
    } else if (at(there) == '\r' && value[here] != '\r') {
      ++there;
    } else {
      mark();
      ++here;
      ++there;
    }
  }
  mark();
  if (result.segments.front().first != 0) result.segments.insert(result.segments.begin(), {0, begin});
  result.text = std::move(value);
  result.document = std::move(document);
  return result;
}

}  // namespace noslip

// Documents with long lists: no object has all entries at once.
#include "io/json_text.hpp"

namespace noslip {
namespace {

std::string indented(const Json& entry, const std::string& indent) {
  const std::string text = entry.dump(2, ' ', false, Json::error_handler_t::replace);
  std::string result = indent;
  for (const char c : text) {  // in strings a new line is \n
    result += c;
    if (c == '\n') result += indent;
  }
  return result;
}

void write_list(const JsonList& list, const std::string& indent, const TakeText& take) {
  if (list.size == 0) return take("[]");
  take("[");
  for (std::size_t i = 0; i < list.size; ++i) {
    take((i == 0 ? "\n" : ",\n") + indented(list.entry(i), indent + "  "));
  }
  take("\n" + indent + "]");
}

}  // namespace

void write_document(const Json& document, std::span<const JsonList> lists, const TakeText& take) {
  const std::string text = text_of(document);
  constexpr std::string_view hole = "<discarded>";  // what a JsonList stands for; strings may contain it, too
  std::size_t done = 0, line = 0, next = 0;
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_in_string) {
      if (text[i] == '\\') ++i;
      else is_in_string = text[i] != '"';
    } else if (text[i] == '"') {
      is_in_string = true;
    } else if (text[i] == '\n') {
      line = i + 1;
    } else if (text[i] == '<') {
      take(std::string_view(text).substr(done, i - done));
      write_list(lists[next++], std::string(text.find_first_not_of(' ', line) - line, ' '), take);
      i += hole.size() - 1;
      done = i + 1;
    }
  }
  take(std::string_view(text).substr(done));
}

}  // namespace noslip

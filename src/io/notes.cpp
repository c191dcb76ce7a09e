#include "io/notes.hpp"

#include "io/json_text.hpp"

namespace noslip {

namespace {

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json document_of(const FileNotes& notes) {
  Json document{{"version", "noslip " NOSLIP_VERSION}};
  if (!notes.system.empty()) document["system"] = notes.system;
  if (!notes.method.empty()) document["method"] = notes.method;
  if (notes.step > 0) document["step"] = notes.step;
  const auto add = [&](const char* name, const NotedValues& values) {
    if (values.empty()) return;
    Json object = Json::object();
    for (const auto& [key, value] : values) object[key] = value;
    document[name] = std::move(object);
  };
  add("set", notes.set);
  add("init", notes.init);
  add("input", notes.input);
  add("files", notes.files);
  add("options", notes.options);
  return document;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> text_notes(const FileNotes& notes) {
  std::vector<std::pair<std::string, std::string>> result;
  const Json document = document_of(notes);
  for (const auto& [name, value] : document.items()) {
    if (value.is_string()) {
      result.emplace_back(name, value.get<std::string>());
    } else if (value.is_object()) {
      result.emplace_back(name, line_of(value));
    }
  }
  return result;
}

std::string comment_of(const FileNotes& notes) {
  constexpr std::size_t longest = 0xffff;
  Json document = document_of(notes);
  std::string text = line_of(document);
  Json left_out = Json::array();
  for (const char* const name : {"files", "system", "input", "init", "set", "options", "method"}) {
    if (text.size() <= longest) break;
    if (!document.contains(name)) continue;
    document.erase(name);
    left_out.push_back(name);
    document["left_out"] = left_out;
    text = line_of(document);
  }
  return text;
}

}  // namespace noslip

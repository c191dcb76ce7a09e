#include "io/notes.hpp"

#include <fmt/format.h>

#include <noslip/core/error.hpp>

#include "io/json_text.hpp"

namespace noslip {

namespace {

constexpr const char* this_version = "noslip " NOSLIP_VERSION;

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json document_of(const FileNotes& notes) {
  Json document{{"version", this_version}};
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

std::string text_in(const Json& document, const char* name) {
  const auto found = document.find(name);
  return found != document.end() && found->is_string() ? found->get<std::string>() : "";
}

ReadNotes notes_in(const Json& document) {
  ReadNotes read;
  if (!document.is_object()) return read;
  FileNotes& notes = read.notes;
  read.version = text_in(document, "version");
  notes.system = text_in(document, "system");
  notes.method = text_in(document, "method");
  if (const auto step = document.find("step"); step != document.end() && step->is_number()) notes.step = *step;
  const auto take = [&](const char* name, NotedValues& values) {
    const auto found = document.find(name);
    if (found == document.end() || !found->is_object()) return;
    for (const auto& [key, value] : found->items()) {
      if (value.is_string()) values.emplace_back(key, value.get<std::string>());
    }
  };
  take("set", notes.set);
  take("init", notes.init);
  take("input", notes.input);
  take("files", notes.files);
  take("options", notes.options);
  return read;
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

ReadNotes notes_in_texts(const std::vector<std::pair<std::string, std::string>>& texts) {
  Json document = Json::object();
  for (const auto& [name, text] : texts) {
    const bool is_text = name == "version" || name == "system" || name == "method";
    document[name] = is_text ? Json(text) : Json::parse(text, nullptr, false);
  }
  return notes_in(document);
}

ReadNotes notes_in_comment(const std::string& comment) { return notes_in(Json::parse(comment, nullptr, false)); }

void check_version(const std::string& file, const std::string& version) {
  if (version == this_version) return;
  const bool is_known = version.starts_with("noslip ") && version.size() < 40;
  throw InputError(fmt::format("'{}' was {}", file, is_known ? "written by " + version : "not written by noslip"),
                   fmt::format("this is {}: read it with the version that wrote it", this_version));
}

}  // namespace noslip

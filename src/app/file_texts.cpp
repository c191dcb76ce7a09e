#include "file_texts.hpp"

#include <filesystem>
#include <limits>

#include <noslip/core/text_file.hpp>

namespace noslip::app {

const std::string* FileTexts::find(const std::string& file) const {
  for (const auto& [name, text] : texts_) {
    if (name == file) return &text;
  }
  return nullptr;
}

const std::string& FileTexts::read(const std::string& file, std::uintmax_t most_bytes) {
  if (const std::string* const known = find(file)) return *known;
  return texts_.emplace_back(file, read_text_file(file, most_bytes)).second;
}

const std::string& FileTexts::put(const std::string& name, std::string text) {
  return texts_.emplace_back(name, std::move(text)).second;
}

std::vector<std::string> FileTexts::changed() const {
  std::vector<std::string> names;
  for (const auto& [name, text] : texts_) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(name, ignored)) continue;  // gone, or a pipe
    try {
      if (read_text_file(name, std::numeric_limits<std::uintmax_t>::max()) != text) names.push_back(name);
    } catch (const FileError&) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace noslip::app

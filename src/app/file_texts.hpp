// The texts of the files that a command reads: from disk once, and later as they were then.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <noslip/core/archive.hpp>

namespace noslip::app {

class FileTexts {
 public:
  bool has(const std::string& file) const { return find(file) != nullptr; }
  /// The text that is known, otherwise that on disk (read_text_file), which is known from now on.
  const std::string& read(const std::string& file, std::uintmax_t most_bytes);
  /// What stands for a file that is not kept whole.
  const std::string& put(const std::string& name, std::string text);
  /// All that are known, with their names.
  const std::vector<std::pair<std::string, std::string>>& all() const { return texts_; }
  /// Files that are there now with another text.
  std::vector<std::string> changed() const;

  void carry(Archive& archive) { archive(texts_); }

 private:
  const std::string* find(const std::string& file) const;

  std::vector<std::pair<std::string, std::string>> texts_;  ///< by name
};

}  // namespace noslip::app

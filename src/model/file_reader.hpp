// Pieces of a system file: texts, numbers, lists and tables, each with its place, and what is wrong with their types.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/document.hpp"
#include "model/toml_tree.hpp"

namespace noslip {

class FileReader {
 public:
  FileReader(std::shared_ptr<const Document> document, std::vector<Problem>& problems)
      : document_(std::move(document)), problems_(problems) {}

  void complain(std::string what, Place place, std::string remedy = {}) {
    problems_.push_back({std::move(what), std::move(place), std::move(remedy)});
  }
  std::size_t problem_count() const { return problems_.size(); }
  Place place(const TomlNode& node) const { return document_->place(node.offset); }

  /// A string that is shown, not parsed. `target` stays as it is where the key is missing.
  void plain(const TomlNode& root, const std::string& key, std::string& target);
  /// A string as written, for expressions and names.
  std::optional<Text> text(const TomlNode& node, const std::string& what);
  /// A number or an expression. Numbers keep the digits of the file, so that 0.1 stays one tenth.
  std::optional<Text> value(const TomlNode& node, const std::string& what);
  /// The items of an array, or nothing and a problem: "`key` has to be an array of ..., not ...".
  const std::vector<TomlNode>* array(const TomlEntry& entry, const std::string& of_what, const std::string& remedy);
  /// An array of strings; entries that are not strings are left out. False if something was wrong.
  bool texts(const TomlNode& root, const std::string& key, const std::string& of_what, const std::string& item,
             const std::string& remedy, std::vector<Text>& result);
  /// An array of arrays of numbers and expressions, such as the rows of a matrix; `row` is what one of them is called.
  /// Anything else is a problem, and the result is not readable; an entry that is neither number nor expression is
  /// zero.
  TextRows rows(const TomlNode& root, const std::string& key, const std::string& row, const std::string& remedy);
  /// A table of numbers and expressions by name; arrays of them as m[0], m[1], ... where there may be some.
  std::vector<NamedText> table(const TomlNode& root, const std::string& key, bool has_arrays = false);
  /// Initial values: an array, or a table by name.
  InitialTexts initial(const TomlNode& node, const std::string& letter, const std::string& variable);

 private:
  std::shared_ptr<const Document> document_;
  std::vector<Problem>& problems_;
};

}  // namespace noslip

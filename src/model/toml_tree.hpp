// A TOML text as a plain tree with the place of every key and value. (toml++ is heavy; only toml_tree.cpp sees it.)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/document.hpp"

namespace noslip {

struct TomlEntry;

struct TomlNode {
  enum class Type { string, integer, number, boolean, array, table, date };
  Type type = Type::table;
  std::size_t offset = 0;  ///< where the value begins in the document
  Text string;
  std::int64_t integer = 0;
  double number = 0;
  std::vector<TomlNode> items;     ///< of an array
  std::vector<TomlEntry> entries;  ///< of a table, in the order of the file

  bool is(Type other) const { return type == other; }
  /// The entry of a table with this name; null if there is none.
  const TomlEntry* find(std::string_view name) const;
};

struct TomlEntry {
  Text key;
  TomlNode value;
};

/// "a string", "an array", ...
const char* to_text(TomlNode::Type type);

/// Throws an InputError where the text is not valid TOML. Nothing below five levels is kept: a system file has nothing
/// there.
TomlNode parse_toml(const std::shared_ptr<const Document>& document);

}  // namespace noslip

#include "model/file_reader.hpp"

#include <algorithm>
#include <cmath>

namespace noslip {

using Type = TomlNode::Type;

void FileReader::plain(const TomlNode& root, const std::string& key, std::string& target) {
  const TomlEntry* entry = root.find(key);
  if (!entry) return;
  if (entry->value.is(Type::string)) {
    target = entry->value.string.text;
  } else {
    complain("`" + key + "` has to be a string, not " + to_text(entry->value.type), place(entry->value));
  }
}

std::optional<Text> FileReader::text(const TomlNode& node, const std::string& what) {
  if (node.is(Type::string)) return node.string;
  complain(what + " has to be a string, not " + to_text(node.type), place(node), "put it in quotes");
  return std::nullopt;
}

std::optional<Text> FileReader::value(const TomlNode& node, const std::string& what) {
  if (node.is(Type::string)) return node.string;
  if (node.is(Type::integer)) return Text{std::to_string(node.integer), document_, {{0, node.offset}}};
  if (!node.is(Type::number)) {
    complain(what + " has to be a number or an expression in quotes, not " + to_text(node.type), place(node));
    return std::nullopt;
  }
  if (!std::isfinite(node.number)) {
    complain(what + " is not finite", place(node), "give a finite number");
    return std::nullopt;
  }
  std::string digits;
  for (std::size_t i = node.offset; i < document_->text().size(); ++i) {
    const char c = document_->text()[i];
    if (c == '_') continue;
    if ((c < '0' || c > '9') && c != '.' && c != '+' && c != '-' && c != 'e' && c != 'E') break;
    digits += c;
  }
  return Text{std::move(digits), document_, {{0, node.offset}}};
}

const std::vector<TomlNode>* FileReader::array(const TomlEntry& entry, const std::string& of_what,
                                               const std::string& remedy) {
  if (entry.value.is(Type::array)) return &entry.value.items;
  complain("`" + entry.key.text + "` has to be an array of " + of_what + ", not " + to_text(entry.value.type),
           place(entry.value), remedy);
  return nullptr;
}

bool FileReader::texts(const TomlNode& root, const std::string& key, const std::string& of_what,
                       const std::string& item, const std::string& remedy, std::vector<Text>& result) {
  const TomlEntry* entry = root.find(key);
  if (!entry) return true;
  const std::vector<TomlNode>* items = array(*entry, of_what, remedy);
  if (!items) return false;
  bool is_good = true;
  for (const TomlNode& node : *items) {
    if (auto phrase = text(node, item)) {
      result.push_back(std::move(*phrase));
    } else {
      is_good = false;
    }
  }
  return is_good;
}

TextRows FileReader::rows(const TomlNode& root, const std::string& key, const std::string& row,
                          const std::string& remedy) {
  TextRows result;
  const TomlEntry* entry = root.find(key);
  if (!entry) return result;
  result.is_given = true;
  result.place = place(entry->value);
  const std::vector<TomlNode>* items = array(*entry, row + "s", remedy);
  result.is_readable = items != nullptr;
  if (!items) return result;
  for (const TomlNode& node : *items) {
    TextList list;
    list.is_given = true;
    list.place = place(node);
    if (node.is(Type::array)) {
      for (const TomlNode& item : node.items) {
        auto phrase = value(item, "an entry of `" + key + "`");
        list.texts.push_back(phrase ? std::move(*phrase) : Text::whole(key, "0"));
      }
    } else {
      complain("a " + row + " of `" + key + "` has to be an array of strings, not " + to_text(node.type), list.place,
               remedy);
      list.is_given = result.is_readable = false;
    }
    result.rows.push_back(std::move(list));
  }
  return result;
}

std::vector<NamedText> FileReader::table(const TomlNode& root, const std::string& key, bool has_arrays) {
  std::vector<NamedText> result;
  const TomlEntry* entry = root.find(key);
  if (!entry) return result;
  if (!entry->value.is(Type::table)) {
    complain("`" + key + "` has to be a table, not " + to_text(entry->value.type), place(entry->value),
             "write [" + key + "] and one line per name below it");
    return result;
  }
  for (const auto& [name, node] : entry->value.entries) {
    if (has_arrays && node.is(Type::array)) {
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        Text element = name;
        element.text += "[" + std::to_string(i) + "]";
        auto phrase = value(node.items[i], "'" + element.text + "' of `" + key + "`");
        result.push_back({std::move(element), phrase ? std::move(*phrase) : Text::whole(key, "1")});
      }
      continue;
    }
    auto phrase = value(node, "'" + name.text + "' of `" + key + "`");
    // A name stays known even if its value is wrong, or every use of it would be reported too.
    result.push_back({name, phrase ? std::move(*phrase) : Text::whole(key, "1")});
  }
  return result;
}

InitialTexts FileReader::initial(const TomlNode& node, const std::string& letter, const std::string& variable) {
  const std::string what = "initial " + letter;
  InitialTexts result;
  result.place = place(node);
  result.is_given = true;
  const auto add = [&](const TomlNode& number, const std::string& of_what, Text name) {
    auto phrase = value(number, of_what);
    result.values.push_back({std::move(name), phrase ? std::move(*phrase) : Text::whole(what, "0")});
  };
  const auto add_vector = [&](const TomlNode& item, const std::string& of_what, const Text& name) {
    const bool has_arrays =
        std::any_of(item.items.begin(), item.items.end(), [](const TomlNode& each) { return each.is(Type::array); });
    if (has_arrays) {
      complain(of_what + " has to be an array of numbers, not of arrays", place(item),
               "a rotation is given by its rotation vector: axis times angle, three numbers");
      return;
    }
    result.vectors.push_back({name, result.values.size(), item.items.size(), place(item)});
    for (std::size_t i = 0; i < item.items.size(); ++i) {
      Text component = name;
      if (!name.text.empty()) component.text += "(" + std::to_string(i + 1) + ")";
      add(item.items[i], of_what, std::move(component));
    }
  };
  if (node.is(Type::array)) {
    result.by_name = false;
    for (const TomlNode& item : node.items) {
      item.is(Type::array) ? add_vector(item, what, Text{}) : add(item, what, Text{});
    }
  } else if (node.is(Type::table)) {
    for (const auto& [key, item] : node.entries) {
      const std::string of_key = what + " of '" + key.text + "'";
      item.is(Type::array) ? add_vector(item, of_key, key) : add(item, of_key, key);
    }
  } else {
    complain(what + " has to be an array or a table, not " + to_text(node.type), place(node),
             "write one value per " + variable);
  }
  return result;
}

}  // namespace noslip

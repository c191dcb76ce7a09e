// How each form of a key is read from a file, and how its texts are named.
#include "model/kind/key.hpp"

#include <noslip/core/names.hpp>

#include "model/expand.hpp"
#include "model/tables.hpp"

namespace noslip {
namespace {

using Type = TomlNode::Type;

/// { group = "SO(3)", name = "R", velocity = [...] }
CoordinateText read_element(FileReader& reader, const TomlNode& node) {
  CoordinateText element;
  element.is_element = true;
  element.place = reader.place(node);
  element.group = Text::whole("group", "");
  const std::vector<std::string> keys = {"group", "name", "names", "velocity"};
  const std::size_t before = reader.problem_count();
  for (const auto& [key, value] : node.entries) {
    if (key.text == "group") {
      if (auto text = reader.text(value, "`group`")) element.group = std::move(*text);
    } else if (key.text == "name") {
      if (auto text = reader.text(value, "`name`")) element.name = std::move(*text);
    } else if (key.text == "names") {
      element.names.is_given = true;
      reader.texts(node, "names", "names", "a name", "write names = [\"x\", \"y\", \"theta\"]", element.names.texts);
    } else if (key.text == "velocity") {
      element.velocity.is_given = true;
      reader.texts(node, "velocity", "names", "a velocity", "write velocity = [\"w1\", \"w2\", \"w3\"]",
                   element.velocity.texts);
    } else {
      const std::string guess = did_you_mean(key.text, keys);
      reader.complain("unknown key '" + key.text + "' of a group coordinate", key.place(),
                      guess.empty() ? "the keys are " + list_of(keys) : guess);
    }
  }
  if (!node.find("group")) {
    reader.complain("a coordinate that is a table needs a group", element.place,
                    "write { group = \"SO(3)\", name = \"R\", velocity = [\"w1\", \"w2\", \"w3\"] }");
  }
  element.is_readable = reader.problem_count() == before;
  return element;
}

/// An entry of a table, as the form of its key has it.
struct Reading {
  FileReader& reader;
  const TomlNode& table;
  const TomlEntry& entry;
  const char* name;
  SystemText& text;

  void operator()(const OneText& one) const {
    Text& target = text.*one.at;
    if (auto found = reader.text(entry.value, name)) target = std::move(*found);
    target.is_given = true;
  }

  void operator()(const Strings& strings) const {
    TextList& target = text.*strings.at;
    target.is_given = true;
    target.place = reader.place(entry.value);
    if (strings.may_have_names && entry.value.is(Type::table)) {
      const TextList named = TextList::named(reader.table(table, name));
      target.names = named.names;
      target.texts = named.texts;
      return;
    }
    const bool is_good = reader.texts(table, name, strings.of_what, strings.item, strings.remedy, target.texts);
    if (strings.is_needed) text.is_readable &= is_good;
  }

  void operator()(const Expressions& expressions) const {
    TextList list;
    list.is_given = true;
    list.place = reader.place(entry.value);
    if (const std::vector<TomlNode>* items = reader.array(entry, "expressions", "write one expression per variable")) {
      for (const TomlNode& node : *items) {
        auto found = reader.value(node, std::string("an entry of `") + name + "`");
        list.push_back(found ? std::move(*found) : Text::whole(name, "0"));
      }
    } else {
      text.is_readable = false;
    }
    if (const auto* row = std::get_if<TextRows SystemText::*>(&expressions.at)) {
      TextRows& target = text.**row;
      target = {list};
      target.is_given = true;
      target.place = list.place;
    } else {
      text.*std::get<TextList SystemText::*>(expressions.at) = std::move(list);
    }
  }

  void operator()(const RowTexts& rows) const {
    TextRows& target = text.*rows.at;
    target = reader.rows(table, name, rows.row, rows.remedy);
    if (rows.is_needed) text.is_readable &= target.is_readable;
  }

  void operator()(const NamedTexts& named) const {
    text.*named.at = reader.table(table, name, named.has_arrays);
    if (named.if_empty && entry.value.is(Type::table) && entry.value.entries.empty()) {
      reader.complain(std::string("[") + name + "] is empty", entry.key.place(), named.if_empty);
    }
  }

  void operator()(const CoordinateTexts& coordinates) const {
    const std::vector<TomlNode>* items = reader.array(entry, "names", "write coordinates = [\"x\", \"y\"]");
    if (!items) {
      text.is_readable = false;
      return;
    }
    for (const TomlNode& node : *items) {
      if (node.is(Type::table)) {
        (text.*coordinates.at).push_back(read_element(reader, node));
      } else if (auto found = reader.text(node, "a coordinate")) {
        (text.*coordinates.at).push_back(CoordinateText(std::move(*found)));
      } else {
        text.is_readable = false;
      }
    }
  }

  void operator()(const TableTexts& tables) const { text.*tables.at = read_tables(reader, entry); }

  void operator()(const InitialValues& values) const {
    text.*values.at = reader.initial(entry.value, name, values.variable);
  }
};

void name_text(Text& text, const std::string& name) {
  if (!text.document) text.name_document(name);
  text.is_given = !text.empty();
}

void name_list(TextList& list, const std::string& name) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool has_name = i < list.names.size();
    name_text(list.texts[i], has_name ? name + "." + list.names[i].text : name + "[" + std::to_string(i + 1) + "]");
    if (has_name) name_text(list.names[i], name);
  }
  list.is_given = !list.empty();
  list.place.file = name;
}

void name_rows(TextRows& rows, const std::string& name) {
  rows.is_given = !rows.empty();
  rows.place.file = name;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    name_list(rows.rows[i], name + "[" + std::to_string(i + 1) + "]");
    rows.rows[i].is_given = true;
  }
}

struct Naming {
  SystemText& text;
  const std::string name;

  void operator()(const OneText& one) const { name_text(text.*one.at, name); }
  void operator()(const Strings& strings) const { name_list(text.*strings.at, name); }
  void operator()(const Expressions& expressions) const {
    if (const auto* row = std::get_if<TextRows SystemText::*>(&expressions.at)) {
      TextRows& rows = text.**row;
      TextList all;
      for (const TextList& part : rows.rows) all.texts.insert(all.texts.end(), part.begin(), part.end());
      name_list(all, name);
      rows = {all};
      rows.is_given = all.is_given;
      rows.place = all.place;
    } else {
      name_list(text.*std::get<TextList SystemText::*>(expressions.at), name);
    }
  }
  void operator()(const RowTexts& rows) const { name_rows(text.*rows.at, name); }
  void operator()(const NamedTexts& named) const {
    for (NamedText& entry : text.*named.at) {
      name_text(entry.value, name + "." + entry.name.text);
      name_text(entry.name, name);
    }
  }
  void operator()(const CoordinateTexts& coordinates) const {
    std::size_t number = 0;
    for (CoordinateText& entry : text.*coordinates.at) {
      const std::string of_entry = name + "[" + std::to_string(++number) + "]";
      entry.place.file = of_entry;
      name_text(entry.name, entry.is_element ? of_entry + ".name" : of_entry);
      if (!entry.is_element) continue;
      name_text(entry.group, of_entry);
      name_list(entry.names, of_entry + ".names");
      name_list(entry.velocity, of_entry + ".velocity");
    }
  }
  void operator()(const TableTexts& tables) const {
    for (TableText& entry : text.*tables.at) {
      entry.place.file = name + "." + entry.name.text;
      for (Text* part : {&entry.name, &entry.kind, &entry.outside}) name_text(*part, entry.place.file);
    }
  }
  void operator()(const InitialValues& values) const {
    InitialTexts& target = text.*values.at;
    std::size_t number = 0;
    for (NamedText& entry : target.values) {
      ++number;
      name_text(entry.value, target.by_name ? name + "." + entry.name.text : name + "[" + std::to_string(number) + "]");
      if (target.by_name) name_text(entry.name, name);
    }
    target.is_given = !target.values.empty();
    target.place.file = name;
  }
};

struct Given {
  const SystemText& text;

  bool operator()(const OneText& one) const { return (text.*one.at).is_given || !(text.*one.at).empty(); }
  bool operator()(const Strings& strings) const { return !(text.*strings.at).empty(); }
  bool operator()(const Expressions& expressions) const {
    return std::visit([&](auto at) { return !(text.*at).empty(); }, expressions.at);
  }
  bool operator()(const RowTexts& rows) const { return !(text.*rows.at).empty(); }
  bool operator()(const NamedTexts& named) const { return !(text.*named.at).empty(); }
  bool operator()(const CoordinateTexts& coordinates) const { return !(text.*coordinates.at).empty(); }
  bool operator()(const TableTexts& tables) const { return !(text.*tables.at).empty(); }
  bool operator()(const InitialValues& values) const { return !(text.*values.at).values.empty(); }
};

struct Clearing {
  SystemText& text;

  void operator()(const Expressions& expressions) const {
    std::visit([&](auto at) { text.*at = {}; }, expressions.at);
  }
  template <class Form>
  void operator()(const Form& form) const {
    text.*form.at = {};
  }
};

struct Expanding {
  SystemText& text;
  Expander& expander;

  void operator()(const OneText&) const {}
  void operator()(const Strings& strings) const {
    TextList& list = text.*strings.at;
    if (!list.names.empty()) {
      std::vector<NamedText> named;
      for (std::size_t i = 0; i < list.size(); ++i) named.push_back({list.names[i], list.texts[i]});
      expander.expand(named);
      TextList expanded = TextList::named(named);
      list.names = std::move(expanded.names);
      list.texts = std::move(expanded.texts);
      return;
    }
    std::vector<Text>& texts = list.texts;
    std::string_view(strings.of_what) == "names" ? expander.expand_names(texts) : expander.expand_texts(texts);
  }
  void operator()(const Expressions& expressions) const {
    if (const auto* list = std::get_if<TextList SystemText::*>(&expressions.at)) {
      expander.expand_texts((text.**list).texts);
    } else {
      rows(text.*std::get<TextRows SystemText::*>(expressions.at));
    }
  }
  void operator()(const RowTexts& of_rows) const { rows(text.*of_rows.at); }
  void operator()(const NamedTexts& named) const {
    if (named.has_families) expander.expand(text.*named.at);
  }
  void operator()(const CoordinateTexts& coordinates) const { expander.expand(text.*coordinates.at); }
  void operator()(const TableTexts&) const {}
  void operator()(const InitialValues& values) const { expander.expand(text.*values.at); }

 private:
  void rows(TextRows& all) const {
    for (TextList& row : all.rows) expander.expand_texts(row.texts);
  }
};

}  // namespace

std::span<const Key> common_keys() {
  static const Key keys[] = {
      {"parameters", NamedTexts{&SystemText::parameters, nullptr, true, true}},
      {"inputs", NamedTexts{&SystemText::inputs}},
      {"sampled",
       NamedTexts{&SystemText::sampled,
                  "give it `every = 0.01`, the time between two samples, and by name of an input its value"}},
      {"tables", TableTexts{&SystemText::tables}},
      {"definitions", NamedTexts{&SystemText::definitions, nullptr, true}},
      {"invariants", NamedTexts{&SystemText::invariants}},
      {"outputs", NamedTexts{&SystemText::outputs}},
      {"guards", Strings{&SystemText::guards, "strings", "a condition", "write guards = [\"x > 0\"]"}},
      {"exact", NamedTexts{&SystemText::exact, nullptr, true}},
      {"units", NamedTexts{&SystemText::units, nullptr, true}},
  };
  return keys;
}

std::span<const Key> common_initial_keys() {
  static const Key keys[] = {{"sampled", InitialValues{&SystemText::sampled0, "name"}, "sampled0"}};
  return keys;
}

void read_key(FileReader& reader, const TomlNode& table, const Key& key, SystemText& text) {
  if (const TomlEntry* entry = table.find(key.name)) {
    std::visit(Reading{reader, table, *entry, key.name, text}, key.holds);
  }
}

bool is_given(const Key& key, const SystemText& text) { return std::visit(Given{text}, key.holds); }

void clear_texts(const Key& key, SystemText& text) { std::visit(Clearing{text}, key.holds); }

void expand_key(const Key& key, SystemText& text, Expander& expander) {
  std::visit(Expanding{text, expander}, key.holds);
}

void name_texts(const Key& key, SystemText& text) { std::visit(Naming{text, key.member}, key.holds); }

}  // namespace noslip

#include "model/tables.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/exec/value_text.hpp>
#include <noslip/expr/number.hpp>

#include "expr/grammar.hpp"
#include "model/scope.hpp"

namespace noslip {
namespace {

using Type = TomlNode::Type;

constexpr const char* write_points = "write points = [[0, 0], [1, 0.2]]";
constexpr const char* write_table = "write name = { points = [[0, 0], [1, 0.2]], kind = \"linear\" }";

/// A number as it is written, or an expression without names.
std::optional<quad> number_in(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (const auto number = Number::parse(text)) return is_negative ? -number->value() : number->value();
  const std::optional<quad> value = evaluate(std::string(text)).number;
  return value && is_negative ? -*value : value;
}

class TableReader {
 public:
  TableReader(FileReader& reader, const TomlEntry& entry) : reader_(reader), entry_(entry) {
    table_.name = entry.key;
    table_.place = entry.key.place();
    table_.kind = Text::whole("kind", "linear");
    table_.outside = Text::whole("outside", "hold");
  }

  TableText run() {
    const std::size_t before = reader_.problem_count();
    if (entry_.value.is(Type::table)) {
      read();
    } else {
      reader_.complain(fmt::format("table '{}' has to be a table with its points, not {}", table_.name.text,
                                   to_text(entry_.value.type)),
                       reader_.place(entry_.value), write_table);
    }
    table_.is_readable = reader_.problem_count() == before;
    return std::move(table_);
  }

 private:
  void read() {
    static const std::vector<std::string> keys = {"points", "file", "x", "y", "kind", "outside"};
    for (const TomlEntry& entry : entry_.value.entries) {
      if (std::find(keys.begin(), keys.end(), entry.key.text) != keys.end()) continue;
      const std::string guess = did_you_mean(entry.key.text, keys);
      reader_.complain(fmt::format("unknown key '{}' of table '{}'", entry.key.text, table_.name.text),
                       entry.key.place(), guess.empty() ? "the keys are " + list_of(keys) : guess);
    }
    for (const auto& [key, target] : {std::pair("kind", &table_.kind), {"outside", &table_.outside}}) {
      const TomlEntry* found = entry_.value.find(key);
      if (!found) continue;
      if (auto text = reader_.text(found->value, fmt::format("`{}`", key))) *target = std::move(*text);
    }
    const TomlEntry* const points = entry_.value.find("points");
    if (const TomlEntry* const file = entry_.value.find("file")) {
      if (points) {
        reader_.complain(fmt::format("table '{}' has points and a file", table_.name.text), file->key.place(),
                         "give one of them");
      } else {
        reader_.complain(fmt::format("table '{}' is in a file, and the system is not in one", table_.name.text),
                         file->key.place(),
                         "load the system from a file, or write the points: points = [[0, 0], [1, 0.2]]");
      }
      return;
    }
    if (!points) {
      reader_.complain(fmt::format("table '{}' has no points", table_.name.text), table_.place,
                       std::string(write_points) + ", or file = \"data.csv\"");
    } else if (points->value.is(Type::string)) {
      read_text(points->value);
    } else if (const auto* items = reader_.array(*points, "points", write_points)) {
      for (const TomlNode& item : *items) {
        if (!read_point(item)) return;
      }
    }
  }

  /// "0, 0; 1, 0.2"
  void read_text(const TomlNode& node) {
    const std::string& text = node.string.text;
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; };
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find_first_of(";\n", begin), text.size());
      std::vector<std::pair<std::size_t, std::size_t>> words;
      for (std::size_t i = begin; i < end;) {
        while (i < end && is_blank(text[i])) ++i;
        const std::size_t first = i;
        while (i < end && !is_blank(text[i])) ++i;
        if (i > first) words.emplace_back(first, i - first);
      }
      const std::size_t start = begin;
      begin = end + 1;
      if (words.empty()) continue;
      const auto word = [&](std::size_t k) { return std::string_view(text).substr(words[k].first, words[k].second); };
      if (words.size() != 2) {
        return reader_.complain(
            fmt::format("a point of table '{}' has {} numbers, not 2", table_.name.text, words.size()),
            node.string.place(start), "write points = \"0, 0; 1, 0.2\"");
      }
      for (std::size_t k = 0; k < 2; ++k) {
        const std::optional<quad> value = number_in(word(k));
        if (!value) {
          return reader_.complain(fmt::format("'{}' in table '{}' is not a number", word(k), table_.name.text),
                                  node.string.place(words[k].first), "write points = \"0, 0; 1, 0.2\"");
        }
        (k == 0 ? table_.x : table_.y).push_back(*value);
      }
    }
  }

  bool read_point(const TomlNode& item) {
    if (!item.is(Type::array) || item.items.size() != 2) {
      const std::string what = item.is(Type::array) ? fmt::format("has {} numbers", item.items.size())
                                                    : fmt::format("is {}", to_text(item.type));
      reader_.complain(fmt::format("a point of table '{}' {}, not two numbers", table_.name.text, what),
                       reader_.place(item), write_points);
      return false;
    }
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t before = reader_.problem_count();
      const auto text = reader_.value(item.items[k], fmt::format("a number of table '{}'", table_.name.text));
      const std::optional<quad> value = text ? number_in(text->text) : std::nullopt;
      if (!value) {
        if (reader_.problem_count() == before) {
          reader_.complain(fmt::format("'{}' in table '{}' is not a number", text ? text->text : "", table_.name.text),
                           reader_.place(item.items[k]), "a table has numbers, without names of parameters");
        }
        return false;
      }
      (k == 0 ? table_.x : table_.y).push_back(*value);
    }
    return true;
  }

  FileReader& reader_;
  const TomlEntry& entry_;
  TableText table_;
};

/// One of two words.
template <class Value>
std::optional<Value> choice(const Text& text, const TableText& table, const char* key, const char* first,
                            const char* second, Value if_first, Value if_second, std::vector<Problem>& problems) {
  if (text.text == first) return if_first;
  if (text.text == second) return if_second;
  const std::vector<std::string> words{first, second};
  const std::string guess = did_you_mean(text.text, words);
  problems.push_back({fmt::format("unknown {} '{}' of table '{}'", key, text.text, table.name.text),
                      text.document ? text.place() : table.place,
                      guess.empty() ? fmt::format("write \"{}\" or \"{}\"", first, second) : guess});
  return std::nullopt;
}

}  // namespace

std::vector<TableText> read_tables(FileReader& reader, const TomlEntry& entry) {
  std::vector<TableText> tables;
  if (!entry.value.is(Type::table)) {
    reader.complain(std::string("`tables` has to be a table, not ") + to_text(entry.value.type),
                    reader.place(entry.value), std::string("write [tables], then ") + write_table);
    return tables;
  }
  for (const TomlEntry& each : entry.value.entries) tables.push_back(TableReader(reader, each).run());
  return tables;
}

std::optional<Table> table_of(const TableText& text, std::vector<Problem>& problems) {
  const auto kind =
      choice(text.kind, text, "kind", "linear", "cubic", Table::Kind::linear, Table::Kind::cubic, problems);
  const auto outside =
      choice(text.outside, text, "outside", "hold", "error", Table::Outside::hold, Table::Outside::error, problems);
  if (!kind || !outside || !text.is_readable) return std::nullopt;
  try {
    return Table(text.name.text, text.x, text.y, {.kind = *kind, .outside = *outside});
  } catch (const InputError& error) {
    for (Problem problem : error.problems()) {
      problem.place = text.place;
      problems.push_back(std::move(problem));
    }
    return std::nullopt;
  }
}

void Names::add_tables(const std::vector<TableText>& texts, std::vector<Table>& tables) {
  tables_ = &tables;
  scope_.table = [this](std::string_view name) -> std::optional<Table> {
    for (const Table& table : *tables_) {
      if (table.name() == name) return table;
    }
    return std::nullopt;
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Text& name = texts[i].name;
    const bool is_function =
        why_not_a_name(name.text).empty() && (find_function(name.text) != nullptr || name.text == "sum" ||
                                              name.text == "p" || name.text == "psi" || name.text == "last");
    if (is_function) {
      problems_.push_back({fmt::format("'{}' is a function", name.text), name.place(), "choose another name"});
      continue;
    }
    if (!add(name, Sort::table, i)) continue;
    const std::size_t before = problems_.size();
    if (const auto table = table_of(texts[i], problems_)) tables.push_back(*table);
    if (problems_.size() == before && !texts[i].is_readable) continue;
  }
}

}  // namespace noslip

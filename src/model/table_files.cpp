// Tables whose points are in files: they become part of the text of the system.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/text_file.hpp>
#include <noslip/expr/number.hpp>
#include <noslip/model/csv_reader.hpp>

#include "model/tables.hpp"
#include "model/toml_tree.hpp"

namespace noslip {
namespace {

using Type = TomlNode::Type;

/// Behind the string that begins at `begin`.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string_view three = text.substr(begin, 3);
  const bool is_long = three.size() == 3 && three[1] == quote && three[2] == quote;
  const std::string closing(is_long ? 3 : 1, quote);
  for (std::size_t i = begin + closing.size(); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text.substr(i, closing.size()) == closing) {
      return i + closing.size();
    }
  }
  return text.size();
}

/// `x = "t"`, `x = 2` (counted from 1), or nothing, which is the column `otherwise`.
std::size_t column_of(const TomlNode& table, const char* key, std::size_t otherwise, const CsvTable& csv,
                      const std::shared_ptr<const Document>& document) {
  const TomlEntry* const given = table.find(key);
  const auto refuse_column = [&](const std::string& what, const std::string& remedy) {
    const Place place = given ? document->place(given->value.offset) : csv.place();
    throw InputError({Problem{what, place, remedy}});
  };
  if (given && given->value.is(Type::string)) {
    const std::string& name = given->value.string.text;
    const std::size_t column = csv.find(name);
    if (column < csv.column_count()) return column;
    const std::string guess = did_you_mean(name, csv.names());
    refuse_column(fmt::format("{} has no column '{}'", csv.place().file, name),
                  !csv.has_names() ? fmt::format("the columns have no names; write {} = 1 for the first one", key)
                  : guess.empty()  ? "the columns are " + list_of(csv.names())
                                   : guess);
  }
  if (given && !given->value.is(Type::integer)) {
    refuse_column(
        fmt::format("`{}` has to be the name or the number of a column, not {}", key, to_text(given->value.type)),
        fmt::format("write {} = \"t\" or {} = 1", key, key));
  }
  const std::int64_t number = given ? given->value.integer : static_cast<std::int64_t>(otherwise) + 1;
  if (number < 1 || number > static_cast<std::int64_t>(csv.column_count())) {
    refuse_column(fmt::format("{} has no column {}", csv.place().file, number),
                  fmt::format("it has {}", counted(csv.column_count(), "column")));
  }
  return static_cast<std::size_t>(number - 1);
}

/// What is wrong with points of a file is said with their place in it.
void check_rows(const CsvTable& csv, std::size_t x, std::size_t y) {
  for (std::size_t i = 0; i < csv.row_count(); ++i) {
    for (const std::size_t column : {x, y}) {
      if (is_finite(csv.column(column)[i])) continue;
      throw InputError({Problem{"a number is missing", csv.place(i, column), "a table needs both numbers of a point"}});
    }
    if (i == 0 || csv.column(x)[i - 1] < csv.column(x)[i]) continue;
    const bool is_same = csv.column(x)[i - 1] == csv.column(x)[i];
    throw InputError(
        {Problem{fmt::format("{} follows {}: {}", to_text(static_cast<double>(csv.column(x)[i])),
                             to_text(static_cast<double>(csv.column(x)[i - 1])),
                             is_same ? "a table has one value at each argument" : "the arguments have to grow"),
                 csv.place(i, x), is_same ? "remove one of them" : "sort the rows by this column"}});
  }
}

/// With few digits if they give the same number.
std::string written(quad value) {
  const std::string text = to_text(static_cast<double>(value));
  const bool is_negative = text.starts_with('-');
  const auto number = Number::parse(std::string_view(text).substr(is_negative ? 1 : 0));
  const bool is_same = number && (is_negative ? -number->value() : number->value()) == value;
  return is_same ? text : to_text(value);
}

struct Replacement {
  std::size_t begin, end;
  std::string text;
};

}  // namespace

std::string with_points(std::string toml, const std::string& origin,
                        const std::function<std::string(const std::string& file)>& read) {
  if (toml.find("tables") == std::string::npos || toml.find("file") == std::string::npos) return toml;
  const auto document = std::make_shared<Document>(origin, toml);
  const std::string_view text = document->text();
  const TomlNode root = parse_toml(document);
  const TomlEntry* const tables = root.find("tables");
  if (!tables || !tables->value.is(Type::table)) return toml;
  std::vector<Replacement> replacements;
  for (const TomlEntry& table : tables->value.entries) {
    const TomlEntry* const file = table.value.is(Type::table) ? table.value.find("file") : nullptr;
    if (!file || table.value.find("points")) continue;
    if (!file->value.is(Type::string)) {
      throw InputError({Problem{
          fmt::format("`file` of table '{}' has to be a string, not {}", table.key.text, to_text(file->value.type)),
          document->place(file->value.offset), "write file = \"data.csv\""}});
    }
    const std::filesystem::path path = std::filesystem::path(origin).parent_path() / file->value.string.text;
    std::string content;
    try {
      content = read ? read(path.string()) : read_text_file(path, std::numeric_limits<std::uintmax_t>::max());
    } catch (const FileError& error) {
      throw InputError({Problem{fmt::format("table '{}': {}", table.key.text, error.what()),
                                document->place(file->value.offset), "the path is relative to the system file"}});
    }
    const CsvTable csv = parse_csv(std::move(content), path.string());
    const std::size_t x = column_of(table.value, "x", 0, csv, document);
    const std::size_t y = column_of(table.value, "y", 1, csv, document);
    check_rows(csv, x, y);
    std::string points = "points = \"";
    for (std::size_t i = 0; i < csv.row_count(); ++i) {
      points += fmt::format("{}{}, {}", i == 0 ? "" : "; ", written(csv.column(x)[i]), written(csv.column(y)[i]));
    }
    points += '"';
    replacements.push_back({file->key.segments.empty() ? 0 : file->key.segments.front().second,
                            end_of_string(text, file->value.offset), std::move(points)});
    const char before = replacements.back().begin > 0 ? text[replacements.back().begin - 1] : ' ';
    if (before == '"' || before == '\'') replacements.back().begin -= 1;  // a key in quotes
  }
  std::sort(replacements.begin(), replacements.end(),
            [](const Replacement& a, const Replacement& b) { return a.begin > b.begin; });
  for (const Replacement& each : replacements) toml.replace(each.begin, each.end - each.begin, each.text);
  return toml;
}

}  // namespace noslip

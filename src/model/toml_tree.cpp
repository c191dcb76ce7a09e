// Header-only here whatever the installed package says, so that no user of the library has to link toml++.
#undef TOML_HEADER_ONLY
#undef TOML_SHARED_LIB
#define TOML_HEADER_ONLY 1
// Some texts violate assertions of toml++ 3.3 that its code handles well a few lines later, for example a key that
// starts with a character which no key may have. Such a text must not abort a debug build, and an optimised build must
// not take the assertion for granted and drop those lines.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

#pragma pop_macro("NDEBUG")

#include "model/toml_tree.hpp"

#include <algorithm>

#include "model/system_data.hpp"
#include "model/key_depth.hpp"

namespace noslip {
namespace {

constexpr int most_parts = 100;  // of one dotted key
constexpr int most_levels = 5;

[[noreturn]] void refuse_text(std::string what, Place place) {
  throw InputError({Problem{std::move(what), std::move(place), ""}});
}

std::string syntax_text(std::string_view description) {
  // toml++ opens with "Error while parsing ..."; the place in front says that already.
  std::string result(description);
  if (const std::string opening = "Error while "; result.rfind(opening, 0) == 0) result.erase(0, opening.size());
  return "not valid TOML: " + result;
}

class Converter {
 public:
  explicit Converter(std::shared_ptr<const Document> document)
      : document_(std::move(document)), find_offset_(document_) {}

  std::size_t offset(const toml::source_region& region) { return find_offset_(region.begin.line, region.begin.column); }

  TomlNode node(const toml::node& source, int level) {
    TomlNode result;
    result.offset = offset(source.source());
    switch (source.type()) {
      case toml::node_type::string:
        result.type = TomlNode::Type::string;
        result.string = toml_string_text(document_, result.offset, source.ref<std::string>());
        break;
      case toml::node_type::integer:
        result.type = TomlNode::Type::integer;
        result.integer = source.ref<std::int64_t>();
        break;
      case toml::node_type::floating_point:
        result.type = TomlNode::Type::number;
        result.number = source.ref<double>();
        break;
      case toml::node_type::boolean: result.type = TomlNode::Type::boolean; break;
      case toml::node_type::array:
        result.type = TomlNode::Type::array;
        if (level == most_levels) break;
        for (const toml::node& item : *source.as_array()) result.items.push_back(node(item, level + 1));
        break;
      case toml::node_type::table:
        result.type = TomlNode::Type::table;
        if (level < most_levels) result.entries = entries(*source.as_table(), level + 1);
        break;
      default: result.type = TomlNode::Type::date; break;
    }
    return result;
  }

 private:
  /// Tables of toml++ are sorted by name; the file's order matters to parameters and to reports.
  std::vector<TomlEntry> entries(const toml::table& table, int level) {
    std::vector<std::pair<const toml::key*, const toml::node*>> sorted;
    for (auto&& [key, value] : table) sorted.emplace_back(&key, &value);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.first->source().begin < b.first->source().begin; });
    std::vector<TomlEntry> result;
    for (const auto& [key, value] : sorted) result.push_back({key_phrase(*key), node(*value, level)});
    return result;
  }

  Text key_phrase(const toml::key& key) {
    std::size_t begin = offset(key.source());
    const char first = begin < document_->text().size() ? document_->text()[begin] : '\0';
    if (first == '"' || first == '\'') ++begin;
    return {std::string(key.str()), document_, {{0, begin}}};
  }

  std::shared_ptr<const Document> document_;
  OffsetFinder find_offset_;
};

}  // namespace

const TomlEntry* TomlNode::find(std::string_view name) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const TomlEntry& entry) { return entry.key.text == name; });
  return found == entries.end() ? nullptr : &*found;
}

const char* to_text(TomlNode::Type type) {
  switch (type) {
    case TomlNode::Type::string: return "a string";
    case TomlNode::Type::integer: return "an integer";
    case TomlNode::Type::number: return "a number";
    case TomlNode::Type::boolean: return "a boolean";
    case TomlNode::Type::array: return "an array";
    case TomlNode::Type::table: return "a table";
    case TomlNode::Type::date: return "a date or a time";
  }
  return "";
}

TomlNode parse_toml(const std::shared_ptr<const Document>& document) {
  if (const auto offset = too_deep_key(document->text(), most_parts)) {
    refuse_text("a key with more than " + std::to_string(most_parts) + " parts", document->place(*offset));
  }
  Converter converter(document);
  toml::table root;
  try {
    root = toml::parse(std::string_view(document->text()));
  } catch (const toml::parse_error& error) {
    refuse_text(syntax_text(error.description()), document->place(converter.offset(error.source())));
  }
  return converter.node(root, 0);
}

}  // namespace noslip

// The system file (TOML) as a description. The only translation unit that sees toml++, which is heavy.
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

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <noslip/core/names.hpp>
#include "model/description.hpp"
#include "model/key_depth.hpp"

namespace noslip {
namespace {

const std::vector<std::string> known_keys = {"name",        "description", "source",     "coordinates", "lagrangian",
                                             "constraints", "holonomic",   "parameters", "definitions", "forces",
                                             "invariants",  "initial",     "exact"};

/// Keys of the format that describe systems which are not integrated yet.
struct RefusedKey {
  const char* name;
  const char* reason;
};
constexpr RefusedKey refused_keys[] = {
    {"kind", "`kind` is not supported yet: only mechanical systems given by a `lagrangian` are integrated"},
    {"hamiltonian", "`hamiltonian` is not supported yet: give the `lagrangian` instead"},
    {"nonideal", "`nonideal` is not supported yet: only ideal reactions K^T lambda are integrated"},
};

const char* type_text(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string: return "a string";
    case toml::node_type::integer: return "an integer";
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "a boolean";
    case toml::node_type::array: return "an array";
    case toml::node_type::table: return "a table";
    default: return "a date or a time";
  }
}

class Reader {
 public:
  Reader(std::string_view toml, const std::string& origin, std::vector<Problem>& problems)
      : document_(std::make_shared<Document>(origin, std::string(toml))), problems_(problems) {
    result_.name = std::filesystem::path(origin).stem().string();
    result_.place.file = origin;
  }

  Description run() {
    constexpr int most_parts = 100;
    if (const auto offset = too_deep_key(document_->text(), most_parts)) {
      complain("a key with more than " + std::to_string(most_parts) + " parts", document_->place(*offset), "");
      refuse(std::move(problems_));
    }
    toml::table root;
    try {
      root = toml::parse(std::string_view(document_->text()));
    } catch (const toml::parse_error& error) {
      complain(syntax_text(error.description()), place(error.source()), "");
      refuse(std::move(problems_));
    }
    if (refused_kinds(root)) refuse(std::move(problems_));
    known_only(root, known_keys, "");
    const std::string name_of_file = result_.name;
    plain(root, "name", result_.name);
    if (result_.name.empty()) result_.name = name_of_file;
    plain(root, "description", result_.description);
    plain(root, "source", result_.source);
    coordinates(root);
    if (const toml::node* node = root.get("lagrangian")) {
      result_.has_lagrangian = true;
      if (auto phrase = text(*node, "lagrangian")) result_.lagrangian = std::move(*phrase);
    }
    constraints(root);
    result_.parameters = entries(root, "parameters");
    result_.definitions = entries(root, "definitions");
    result_.forces = entries(root, "forces");
    result_.invariants = entries(root, "invariants");
    result_.exact = entries(root, "exact");
    initial(root);
    return std::move(result_);
  }

 private:
  void complain(std::string what, Place place, std::string remedy) {
    problems_.push_back({std::move(what), std::move(place), std::move(remedy)});
  }

  static std::string syntax_text(std::string_view description) {
    // toml++ opens with "Error while parsing ..."; the place in front says that already.
    std::string result(description);
    if (const std::string opening = "Error while "; result.rfind(opening, 0) == 0) result.erase(0, opening.size());
    return "not valid TOML: " + result;
  }

  std::size_t offset(const toml::source_region& region) const {
    return document_->offset(region.begin.line, region.begin.column);
  }
  Place place(const toml::source_region& region) const { return document_->place(offset(region)); }

  Phrase key_phrase(const toml::key& key) const {
    std::size_t begin = offset(key.source());
    const char first = begin < document_->text().size() ? document_->text()[begin] : '\0';
    if (first == '"' || first == '\'') ++begin;
    return {std::string(key.str()), document_, {{0, begin}}};
  }

  /// Tables of toml++ are sorted by name; the file's order matters to parameters and to reports.
  static std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table) {
    std::vector<std::pair<const toml::key*, const toml::node*>> result;
    for (auto&& [key, node] : table) result.emplace_back(&key, &node);
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return a.first->source().begin < b.first->source().begin; });
    return result;
  }

  bool refused_kinds(const toml::table& root) {
    bool refused = false;
    const auto refuse_node = [&](const toml::node& node, const char* reason) {
      complain(reason, place(node.source()), "");
      refused = true;
    };
    for (const RefusedKey& key : refused_keys) {
      const auto found = root.find(key.name);
      if (found == root.end()) continue;
      complain(key.reason, key_phrase(found->first).place(), "");
      refused = true;
    }
    if (const toml::array* list = root["holonomic"].as_array(); list && !list->empty()) {
      refuse_node(*list, "`holonomic` is not supported yet: position constraints are not integrated");
    }
    if (const toml::array* list = root["coordinates"].as_array()) {
      for (const toml::node& entry : *list) {
        if (entry.is_table()) refuse_node(entry, "group coordinates (`group = ...`) are not supported yet");
      }
    }
    return refused;
  }

  void known_only(const toml::table& table, const std::vector<std::string>& known, const std::string& where) {
    for (const auto& [key, node] : in_file_order(table)) {
      const std::string name(key->str());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::string guess = did_you_mean(name, known);
      complain("unknown key '" + name + "'" + where, key_phrase(*key).place(),
               guess.empty() ? "the keys are " + list_of(known) : guess);
    }
  }

  void plain(const toml::table& table, const char* key, std::string& target) {
    const toml::node* node = table.get(key);
    if (!node) return;
    if (const auto value = node->value_exact<std::string>()) {
      target = *value;
    } else {
      complain(std::string("`") + key + "` has to be a string, not " + type_text(*node), place(node->source()), "");
    }
  }

  /// A string as written, for expressions and names.
  std::optional<Phrase> text(const toml::node& node, const std::string& what) {
    if (auto value = node.value_exact<std::string>()) {
      return toml_string_phrase(document_, offset(node.source()), std::move(*value));
    }
    complain(what + " has to be a string, not " + type_text(node), place(node.source()), "put it in quotes");
    return std::nullopt;
  }

  /// A number or an expression. Numbers keep the digits of the file, so that 0.1 stays one tenth.
  std::optional<Phrase> value(const toml::node& node, const std::string& what) {
    if (node.is_string()) return text(node, what);
    const std::size_t begin = offset(node.source());
    if (const auto integer = node.value_exact<std::int64_t>()) {
      return Phrase{std::to_string(*integer), document_, {{0, begin}}};
    }
    if (const auto number = node.value_exact<double>()) {
      if (!std::isfinite(*number)) {
        complain(what + " is not finite", document_->place(begin), "give a finite number");
        return std::nullopt;
      }
      std::string digits;
      for (std::size_t i = begin; i < document_->text().size(); ++i) {
        const char c = document_->text()[i];
        if (c == '_') continue;
        if ((c < '0' || c > '9') && c != '.' && c != '+' && c != '-' && c != 'e' && c != 'E') break;
        digits += c;
      }
      return Phrase{std::move(digits), document_, {{0, begin}}};
    }
    complain(what + " has to be a number or an expression in quotes, not " + type_text(node), document_->place(begin),
             "");
    return std::nullopt;
  }

  void coordinates(const toml::table& root) {
    const toml::node* node = root.get("coordinates");
    if (!node) return;
    const toml::array* list = node->as_array();
    if (!list) {
      complain(std::string("`coordinates` has to be an array of names, not ") + type_text(*node), place(node->source()),
               "write coordinates = [\"x\", \"y\"]");
      result_.has_coordinates = false;
      return;
    }
    for (const toml::node& entry : *list) {
      if (auto phrase = text(entry, "a coordinate")) {
        result_.coordinates.push_back(std::move(*phrase));
      } else {
        result_.has_coordinates = false;
      }
    }
  }

  void constraints(const toml::table& root) {
    for (const char* key : {"constraints", "holonomic"}) {
      const toml::node* node = root.get(key);
      if (!node) continue;
      const toml::array* list = node->as_array();
      if (!list) {
        complain(std::string("`") + key + "` has to be an array of strings, not " + type_text(*node),
                 place(node->source()), "put it in brackets");
        continue;
      }
      for (const toml::node& entry : *list) {
        if (auto phrase = text(entry, "a constraint")) result_.constraints.push_back(std::move(*phrase));
      }
    }
  }

  std::vector<NamedPhrase> entries(const toml::table& root, const std::string& key) {
    std::vector<NamedPhrase> result;
    const toml::node* node = root.get(key);
    if (!node) return result;
    const toml::table* table = node->as_table();
    if (!table) {
      complain("`" + key + "` has to be a table, not " + type_text(*node), place(node->source()),
               "write [" + key + "] and one line per name below it");
      return result;
    }
    for (const auto& [name, entry] : in_file_order(*table)) {
      const std::string what = fmt::format("'{}' of `{}`", name->str(), key);
      auto phrase = value(*entry, what);
      // A name stays known even if its value is wrong, or every use of it would be reported too.
      result.push_back({key_phrase(*name), phrase ? std::move(*phrase) : Phrase::whole(key, "0")});
    }
    return result;
  }

  void initial(const toml::table& root) {
    const toml::node* node = root.get("initial");
    if (!node) return;
    const toml::table* table = node->as_table();
    if (!table) {
      complain(std::string("`initial` has to be a table, not ") + type_text(*node), place(node->source()),
               "write [initial], then q = [...] and v = [...]");
      return;
    }
    for (const auto& [key, entry] : in_file_order(*table)) {
      const std::string name(key->str());
      if (name == "t") {
        if (auto phrase = value(*entry, "the initial time")) result_.t0 = std::move(*phrase);
      } else if (name == "q") {
        result_.q0_by_name = initial_values(*entry, "initial q", result_.q0);
        result_.q0_place = place(entry->source());
      } else if (name == "v") {
        result_.v0_by_name = initial_values(*entry, "initial v", result_.v0);
        result_.v0_place = place(entry->source());
      } else {
        complain("unknown key '" + name + "' in [initial]", key_phrase(*key).place(),
                 "the keys are t, q and v; coordinates go inside, q = { x = 1.0 } or an array");
      }
    }
  }

  /// Returns whether the values carry names.
  bool initial_values(const toml::node& node, const std::string& what, std::vector<NamedPhrase>& values) {
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& entry : *list) {
        auto phrase = value(entry, what);
        values.push_back({Phrase{}, phrase ? std::move(*phrase) : Phrase::whole(what, "0")});
      }
      return false;
    }
    if (const toml::table* table = node.as_table()) {
      for (const auto& [key, entry] : in_file_order(*table)) {
        auto phrase = value(*entry, fmt::format("{} of '{}'", what, key->str()));
        values.push_back({key_phrase(*key), phrase ? std::move(*phrase) : Phrase::whole(what, "0")});
      }
    } else {
      complain(what + " has to be an array or a table, not " + type_text(node), place(node.source()),
               "write one value per coordinate");
    }
    return true;
  }

  std::shared_ptr<const Document> document_;
  std::vector<Problem>& problems_;
  Description result_;
};

}  // namespace

Description read_system_file(std::string_view toml, const std::string& origin, std::vector<Problem>& problems) {
  // toml++ does not count a byte order mark as a column; neither do we.
  if (toml.substr(0, 3) == "\xEF\xBB\xBF") toml.remove_prefix(3);
  return Reader(toml, origin, problems).run();
}

}  // namespace noslip

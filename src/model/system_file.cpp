// A system file as texts: which keys there are, in which kind of system.
#include <algorithm>
#include <filesystem>
#include <string>

#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>

#include "model/kind/kind.hpp"
#include "model/system_file.hpp"

namespace noslip {
namespace {

using Type = TomlNode::Type;

std::vector<std::string> names_of(std::span<const Key> keys) {
  std::vector<std::string> names;
  for (const Key& key : keys) names.emplace_back(key.name);
  return names;
}

bool has_key(const Kind& kind, const std::string& name) {
  const std::span<const Key> keys = kind.keys();
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return name == key.name; });
}

/// What to write in the place of keys that other formats have; empty for anything else.
std::string instead_of_key(const std::string& key) {
  static const std::pair<const char*, std::string> others[] = {
      {"version", "a system file has no version: remove the line"},
      {"schema", "a system file has no schema: remove the line"},
      {"title", "write name"},
      {"author", "write it into source or description"},
      {"reference", "write source"},
      {"variables", "write coordinates"},
      {"dofs", "write coordinates"},
      {"constants", "write [parameters]"},
      {"params", "write [parameters]"},
      {"potential", "write lagrangian = \"T - V\" with the kinetic energy T and the potential V"},
      {"kinetic", "write lagrangian = \"T - V\" with the kinetic energy T and the potential V"},
      {"energy", "write lagrangian = \"T - V\" with the kinetic energy T and the potential V"},
      {"initial_conditions", "write [initial]"},
      {"q0", "write [initial], then q = [...]"},
      {"v0", "write [initial], then v = [...]"},
      {"functions", "write [definitions], or [tables] for numbers"},
      {"step", "it belongs to a run, not to a system: " + option("step")},
      {"dt", "it belongs to a run, not to a system: " + option("step")},
      {"until", "it belongs to a run, not to a system: " + option("until")},
      {"method", "it belongs to a run, not to a system: " + option("method")},
  };
  for (const auto& [name, remedy] : others) {
    if (key == name) return remedy;
  }
  return {};
}

class SystemFileReader {
 public:
  SystemFileReader(std::string_view toml, const std::string& origin, std::vector<Problem>& problems)
      : document_(std::make_shared<Document>(origin, std::string(toml))),
        root_(parse_toml(document_)),
        problems_(problems),
        reader_(document_, problems) {
    result_.name = std::filesystem::path(origin).stem().string();
    result_.place.file = origin;
  }

  SystemText run() {
    const Kind& kind = find();
    result_.kind = kind.name();
    refuse(std::move(problems_));
    known_keys_only(kind);
    const std::string name_of_file = result_.name;
    reader_.plain(root_, "name", result_.name);
    if (result_.name.empty()) result_.name = name_of_file;
    reader_.plain(root_, "description", result_.description);
    reader_.plain(root_, "source", result_.source);
    for (const std::span<const Key> keys : {kind.keys(), common_keys()}) {
      for (const Key& key : keys) read_key(reader_, root_, key, result_);
    }
    initial(kind);
    return std::move(result_);
  }

 private:
  const Kind& find() {
    const TomlEntry* entry = root_.find("kind");
    if (!entry) return mechanical_kind();
    const auto name = reader_.text(entry->value, "`kind`");
    if (!name) return mechanical_kind();
    if (const Kind* kind = find_kind(name->text)) return *kind;
    const std::string guess = did_you_mean(name->text, kind_names());
    reader_.complain("unknown kind '" + name->text + "'", name->place(),
                     guess.empty() ? "the kinds are " + list_of(kind_names()) : guess);
    return mechanical_kind();
  }

  /// Whoever forgot the kind: what only one kind has tells which one is meant.
  std::string meant() const {
    const auto in_file = [&](const char* key) { return root_.find(key) != nullptr; };
    for (std::size_t i = kinds().size(); i-- > 1;) {
      if (kinds()[i]->is_meant(in_file)) return std::string("\"") + kinds()[i]->name() + "\"";
    }
    return "";
  }

  void known_keys_only(const Kind& kind) {
    std::vector<std::string> known = {"name", "description", "source", "kind"};
    for (const std::string& key : names_of(common_keys())) known.push_back(key);
    known.insert(known.end() - 1, "initial");
    for (const std::string& key : names_of(kind.keys())) known.push_back(key);
    const bool is_mechanical = &kind == &mechanical_kind();
    for (const auto& [key, node] : root_.entries) {
      if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
      const bool is_of_others = std::any_of(kinds().begin(), kinds().end(),
                                            [&, name = key.text](const Kind* other) { return has_key(*other, name); });
      if (is_mechanical && is_of_others) {
        reader_.complain("`" + key.text + "` belongs to systems of kind " + meant(), key.place(),
                         (root_.find("kind") ? "remove it, or write kind = " : "add the line kind = ") + meant());
        // Whoever forgot the kind does not miss the coordinates.
        if (!root_.find("coordinates")) result_.is_readable = false;
      } else if (is_of_others) {
        reader_.complain("`" + key.text + "` does not belong to a system of kind \"" + kind.name() + "\"", key.place(),
                         kind.consists_of());
      } else {
        std::string guess = instead_of_key(key.text);
        if (guess.empty()) guess = did_you_mean(key.text, known);
        reader_.complain("unknown key '" + key.text + "'", key.place(),
                         guess.empty() ? "the keys are " + list_of(known) : guess);
      }
    }
  }

  void initial(const Kind& kind) {
    const TomlEntry* found = root_.find("initial");
    if (!found) return;
    const std::span<const Key> keys = kind.initial_keys();
    const std::string first = keys[0].name;
    if (!found->value.is(Type::table)) {
      const std::string second = keys.size() > 1 ? std::string(" and ") + keys[1].name + " = [...]" : "";
      reader_.complain(std::string("`initial` has to be a table, not ") + to_text(found->value.type),
                       reader_.place(found->value), "write [initial], then " + first + " = [...]" + second);
      return;
    }
    const KindWords& words = kind.words();
    for (const auto& [name, node] : found->value.entries) {
      const Key* key = nullptr;
      for (const std::span<const Key> own : {keys, common_initial_keys()}) {
        for (const Key& each : own) {
          if (name.text == each.name) key = &each;
        }
      }
      if (name.text == "t") {
        if (auto value = reader_.value(node, "the initial time")) result_.t0 = std::move(*value);
      } else if (key) {
        read_key(reader_, found->value, *key, result_);
      } else {
        reader_.complain("unknown key '" + name.text + "' in [initial]", name.place(),
                         "the keys are " + kind.initial_names(result_) +
                             (result_.sampled.empty() ? "" : ", and sampled") + "; " + words.variable +
                             "s go inside, " + first + " = { " + words.example_name + " = 1.0 } or an array");
      }
    }
  }

  std::shared_ptr<const Document> document_;
  TomlNode root_;
  std::vector<Problem>& problems_;
  FileReader reader_;
  SystemText result_;
};

}  // namespace

SystemText read_system_file(std::string_view toml, const std::string& origin, std::vector<Problem>& problems) {
  // toml++ does not count a byte order mark as a column, and neither do messages.
  if (toml.substr(0, 3) == "\xEF\xBB\xBF") toml.remove_prefix(3);
  return SystemFileReader(toml, origin, problems).run();
}

}  // namespace noslip

// The system file as a description: which keys there are, in which kind of system, and what they hold.
#include <algorithm>
#include <filesystem>
#include <string>

#include <noslip/core/names.hpp>
#include "model/file_reader.hpp"

namespace noslip {
namespace {

using Type = TomlNode::Type;

const std::vector<std::string> common_keys = {"name",        "description", "source",  "kind", "parameters",
                                              "definitions", "invariants",  "initial", "exact"};
const std::vector<std::string> mechanical_keys = {
    "coordinates", "lagrangian", "hamiltonian", "constraints", "holonomic", "forces", "nonideal", "basis", "angles"};
const std::vector<std::string> index_two_keys = {"y", "z", "f", "g"};
const std::vector<std::string> odae_keys = {"y", "z", "lambda", "v", "p", "f", "r", "g"};
const std::vector<std::string> skew_gradient_keys = {"x", "hamiltonian", "structure", "angles"};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const std::vector<std::string>& keys_of(SystemKind kind) {
  switch (kind) {
    case SystemKind::mechanical: return mechanical_keys;
    case SystemKind::dae2: return index_two_keys;
    case SystemKind::odae: return odae_keys;
    case SystemKind::skew_gradient: return skew_gradient_keys;
  }
  return mechanical_keys;
}

/// What a system that is not mechanical consists of, for those who give something else.
const char* parts_of(SystemKind kind) {
  if (kind == SystemKind::skew_gradient) {
    return "it has x' = Pi(x) grad H(x), given by x, hamiltonian and structure, the matrix Pi";
  }
  return kind == SystemKind::dae2
             ? "it has y' = f(t, y, z) and 0 = g(t, y), given by y, z, f and g"
             : "it has y' = v(t, y, z), d/dt p(t, y, z) = f(t, y, z) + r(t, y, lambda) and 0 = g(t, y), given by y, z, "
               "lambda, v, p, f, r and g";
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

  Description run() {
    kind();
    refuse(std::move(problems_));
    known_keys_only();
    const std::string name_of_file = result_.name;
    reader_.plain(root_, "name", result_.name);
    if (result_.name.empty()) result_.name = name_of_file;
    reader_.plain(root_, "description", result_.description);
    reader_.plain(root_, "source", result_.source);
    switch (result_.kind) {
      case SystemKind::mechanical: mechanical(); break;
      case SystemKind::dae2: index_two(); break;
      case SystemKind::odae: overdetermined(); break;
      case SystemKind::skew_gradient: skew_gradient(); break;
    }
    result_.parameters = reader_.table(root_, "parameters");
    result_.definitions = reader_.table(root_, "definitions");
    result_.invariants = reader_.table(root_, "invariants");
    result_.exact = reader_.table(root_, "exact");
    initial();
    return std::move(result_);
  }

 private:
  bool is_mechanical() const { return result_.kind == SystemKind::mechanical; }

  void kind() {
    const TomlEntry* entry = root_.find("kind");
    if (!entry) return;
    const auto phrase = reader_.text(entry->value, "`kind`");
    if (!phrase || phrase->text == "mechanical") return;
    for (const SystemKind known : {SystemKind::dae2, SystemKind::odae, SystemKind::skew_gradient}) {
      if (phrase->text != to_text(known)) continue;
      result_.kind = known;
      return;
    }
    const std::vector<std::string> kinds = {"mechanical", "dae2", "odae", "skew-gradient"};
    const std::string guess = did_you_mean(phrase->text, kinds);
    reader_.complain("unknown kind '" + phrase->text + "'", phrase->place(),
                     guess.empty() ? "the kinds are " + list_of(kinds) : guess);
  }

  void known_keys_only() {
    std::vector<std::string> known = common_keys;
    const std::vector<std::string>& own = keys_of(result_.kind);
    known.insert(known.end(), own.begin(), own.end());
    // Whoever forgot the kind: what only one kind has tells which one is meant.
    const bool looks_overdetermined = root_.find("lambda") || root_.find("r") || root_.find("v");
    const bool looks_skew = root_.find("structure") || (root_.find("x") && !root_.find("y"));
    const std::string meant = looks_skew ? "\"skew-gradient\"" : looks_overdetermined ? "\"odae\"" : "\"dae2\"";
    for (const auto& [key, node] : root_.entries) {
      if (contains(known, key.text)) continue;
      const bool is_of_others = contains(odae_keys, key.text) || contains(skew_gradient_keys, key.text);
      if (is_mechanical() && is_of_others) {
        reader_.complain("`" + key.text + "` belongs to systems of kind " + meant, key.place(),
                         (root_.find("kind") ? "remove it, or write kind = " : "add the line kind = ") + meant);
        // Whoever forgot the kind does not miss the coordinates.
        if (!root_.find("coordinates")) result_.is_readable = false;
      } else if (!is_mechanical() && (contains(mechanical_keys, key.text) || is_of_others)) {
        reader_.complain("`" + key.text + "` does not belong to a system of kind \"" + to_text(result_.kind) + "\"",
                         key.place(), parts_of(result_.kind));
      } else {
        const std::string guess = did_you_mean(key.text, known);
        reader_.complain("unknown key '" + key.text + "'", key.place(),
                         guess.empty() ? "the keys are " + list_of(known) : guess);
      }
    }
  }

  void coordinates() {
    const TomlEntry* entry = root_.find("coordinates");
    if (!entry) return;
    const std::vector<TomlNode>* items = reader_.array(*entry, "names", "write coordinates = [\"x\", \"y\"]");
    if (!items) {
      result_.is_readable = false;
      return;
    }
    for (const TomlNode& node : *items) {
      FactorPhrases factor;
      if (node.is(Type::table)) {
        factor = group_factor(group(node), problems_);
      } else if (auto phrase = reader_.text(node, "a coordinate")) {
        factor = coordinate_factor(std::move(*phrase));
      }
      result_.is_readable &= factor.group != nullptr;
      result_.coordinates.insert(result_.coordinates.end(), factor.names.begin(), factor.names.end());
      result_.factors.push_back(std::move(factor));
    }
  }

  GroupPhrases group(const TomlNode& node) {
    GroupPhrases given;
    const std::size_t before = problems_.size();
    given.place = reader_.place(node);
    given.group = Phrase::whole("group", "");
    const std::vector<std::string> keys = {"group", "name", "names", "velocity"};
    for (const auto& [key, value] : node.entries) {
      if (key.text == "group") {
        if (auto phrase = reader_.text(value, "`group`")) given.group = std::move(*phrase);
      } else if (key.text == "name") {
        if (auto phrase = reader_.text(value, "`name`")) given.name = std::move(*phrase);
        given.has_name = !given.name.text.empty();
      } else if (key.text == "names") {
        given.has_names = true;
        reader_.texts(node, "names", "names", "a name", "write names = [\"x\", \"y\", \"theta\"]", given.names);
      } else if (key.text == "velocity") {
        given.has_velocity = true;
        reader_.texts(node, "velocity", "names", "a velocity", "write velocity = [\"w1\", \"w2\", \"w3\"]",
                      given.velocity);
      } else {
        const std::string guess = did_you_mean(key.text, keys);
        reader_.complain("unknown key '" + key.text + "' of a group coordinate", key.place(),
                         guess.empty() ? "the keys are " + list_of(keys) : guess);
      }
    }
    if (!node.find("group")) {
      reader_.complain("a coordinate that is a table needs a group", given.place,
                       "write { group = \"SO(3)\", name = \"R\", velocity = [\"w1\", \"w2\", \"w3\"] }");
    }
    given.is_readable = problems_.size() == before;
    return given;
  }

  void mechanical() {
    coordinates();
    if (const TomlEntry* entry = root_.find("lagrangian")) {
      result_.has_lagrangian = true;
      if (auto phrase = reader_.text(entry->value, "lagrangian")) result_.lagrangian = std::move(*phrase);
    }
    if (const TomlEntry* entry = root_.find("hamiltonian")) {
      result_.has_hamiltonian = true;
      if (auto phrase = reader_.text(entry->value, "hamiltonian")) result_.hamiltonian = std::move(*phrase);
    }
    reader_.texts(root_, "constraints", "strings", "a constraint", "put it in brackets", result_.constraints);
    reader_.texts(root_, "holonomic", "strings", "a constraint", "put it in brackets", result_.holonomic);
    result_.forces = reader_.table(root_, "forces");
    result_.nonideal = reader_.table(root_, "nonideal");
    reader_.texts(root_, "angles", "names", "an angle", "write angles = [\"theta\"]", result_.angles);
    result_.basis = reader_.rows(root_, "basis", "row", "write basis = [[\"...\", \"...\"]]: one row per vector field");
  }

  void index_two() {
    result_.is_readable &=
        reader_.texts(root_, "y", "names", "a variable", "write y = [\"y1\", \"y2\"]", result_.coordinates);
    result_.is_readable &= reader_.texts(root_, "z", "names", "a variable", "write z = [\"z1\"]", result_.z);
    result_.is_readable &=
        reader_.texts(root_, "g", "strings", "a constraint", "put it in brackets", result_.constraints);
    result_.parts = reader_.rows(
        root_, "f", "part", "write f = [[], [\"...\", \"...\"]]: the parts A, B, C, C* and D, [] for a missing one");
    result_.is_readable &= result_.parts.is_readable;
  }

  void overdetermined() {
    result_.is_readable &=
        reader_.texts(root_, "y", "names", "a variable", "write y = [\"y1\", \"y2\"]", result_.coordinates);
    result_.is_readable &= reader_.texts(root_, "z", "names", "a variable", "write z = [\"z1\", \"z2\"]", result_.z);
    result_.is_readable &=
        reader_.texts(root_, "lambda", "names", "a multiplier", "write lambda = [\"lambda1\"]", result_.lambda);
    result_.is_readable &=
        reader_.texts(root_, "g", "strings", "a constraint", "put it in brackets", result_.holonomic);
    for (auto [key, list] : {std::pair{"v", &result_.odae_v}, std::pair{"p", &result_.odae_p},
                             std::pair{"f", &result_.odae_f}, std::pair{"r", &result_.odae_r}}) {
      const TomlEntry* entry = root_.find(key);
      if (!entry) continue;
      list->is_given = true;
      list->place = reader_.place(entry->value);
      const std::vector<TomlNode>* items = reader_.array(*entry, "expressions", "write one expression per variable");
      if (!items) {
        result_.is_readable = false;
        continue;
      }
      for (const TomlNode& node : *items) {
        auto phrase = reader_.value(node, std::string("an entry of `") + key + "`");
        list->texts.push_back(phrase ? std::move(*phrase) : Phrase::whole(key, "0"));
      }
    }
  }

  void skew_gradient() {
    result_.is_readable &=
        reader_.texts(root_, "x", "names", "a variable", "write x = [\"x1\", \"x2\"]", result_.coordinates);
    if (const TomlEntry* entry = root_.find("hamiltonian")) {
      result_.has_hamiltonian = true;
      if (auto phrase = reader_.text(entry->value, "hamiltonian")) result_.hamiltonian = std::move(*phrase);
    }
    reader_.texts(root_, "angles", "names", "an angle", "write angles = [\"theta\"]", result_.angles);
    result_.structure = reader_.rows(root_, "structure", "row", "write structure = [[\"0\", \"1\"], [\"-1\", \"0\"]]");
    result_.is_readable &= result_.structure.is_readable;
  }

  void initial() {
    const TomlEntry* found = root_.find("initial");
    if (!found) return;
    if (result_.kind == SystemKind::skew_gradient) return initial_x(*found);
    const std::string first = is_mechanical() ? "q" : "y", second = is_mechanical() ? "v" : "z";
    if (!found->value.is(Type::table)) {
      reader_.complain(std::string("`initial` has to be a table, not ") + to_text(found->value.type),
                       reader_.place(found->value),
                       "write [initial], then " + first + " = [...] and " + second + " = [...]");
      return;
    }
    const std::string variable = is_mechanical() ? "coordinate" : "variable";
    const std::string third = result_.has_hamiltonian ? " or p" : result_.kind == SystemKind::odae ? " and lambda" : "";
    for (const auto& [key, node] : found->value.entries) {
      if (key.text == "t") {
        if (auto phrase = reader_.value(node, "the initial time")) result_.t0 = std::move(*phrase);
      } else if (key.text == first) {
        result_.q0 = reader_.initial(node, first, variable);
      } else if (key.text == second) {
        (is_mechanical() ? result_.v0 : result_.z0) = reader_.initial(node, second, variable);
      } else if (is_mechanical() && key.text == "p") {
        result_.p0 = reader_.initial(node, "p", variable);
      } else if (result_.kind == SystemKind::odae && key.text == "lambda") {
        result_.lambda0 = reader_.initial(node, "lambda", "multiplier");
      } else {
        reader_.complain("unknown key '" + key.text + "' in [initial]", key.place(),
                         "the keys are t, " + first + (third.empty() ? " and " : ", ") + second + third + "; " +
                             variable + "s go inside, " + first + " = { " + (is_mechanical() ? "x" : "y1") +
                             " = 1.0 } or an array");
      }
    }
  }

  void initial_x(const TomlEntry& entry) {
    if (!entry.value.is(Type::table)) {
      reader_.complain(std::string("`initial` has to be a table, not ") + to_text(entry.value.type),
                       reader_.place(entry.value), "write [initial], then x = [...]");
      return;
    }
    for (const auto& [key, node] : entry.value.entries) {
      if (key.text == "t") {
        if (auto phrase = reader_.value(node, "the initial time")) result_.t0 = std::move(*phrase);
      } else if (key.text == "x") {
        result_.q0 = reader_.initial(node, "x", "variable");
      } else {
        reader_.complain("unknown key '" + key.text + "' in [initial]", key.place(),
                         "the keys are t and x; variables go inside, x = { x1 = 1.0 } or an array");
      }
    }
  }

  std::shared_ptr<const Document> document_;
  TomlNode root_;
  std::vector<Problem>& problems_;
  FileReader reader_;
  Description result_;
};

}  // namespace

Description read_system_file(std::string_view toml, const std::string& origin, std::vector<Problem>& problems) {
  // toml++ does not count a byte order mark as a column, and neither do messages.
  if (toml.substr(0, 3) == "\xEF\xBB\xBF") toml.remove_prefix(3);
  return SystemFileReader(toml, origin, problems).run();
}

}  // namespace noslip

// noslip systems: the catalogue.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/core/names.hpp>
#include <noslip/expr/print.hpp>
#include <noslip/model/shown.hpp>

#include "arguments.hpp"
#include "output.hpp"
#include "shorten.hpp"
#include "values.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* systems_examples = R"(Examples:
  noslip systems
  noslip systems sleigh
  noslip systems --toml sleigh > my-sleigh.toml
)";

std::string sizes_text(const CatalogueEntry& entry) {
  std::string text;
  for (const SizeParameter& size : entry.sizes) {
    text += fmt::format("{}{} = {} ({} to {})", text.empty() ? "" : ", ", size.name, size.default_value, size.least,
                        size.most);
  }
  return text;
}

const CatalogueEntry& find_entry(const std::string& name) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const std::string hint = did_you_mean(name, names);
  throw InputError(fmt::format("the catalogue has no system '{}'", name),
                   hint.empty() ? "noslip systems lists them all" : hint);
}

Json entry_json(const CatalogueEntry& entry) {
  const System system = catalogue_system(entry.name);
  Json parameters = Json::object();
  for (const Parameter& parameter : system.parameters()) parameters[parameter.name] = to_text(parameter.default_value);
  Json constraints = Json::array();
  for (const Constraint& constraint : system.constraints()) constraints.push_back(constraint.text);
  Json holonomic = Json::array();
  for (const HolonomicConstraint& constraint : system.holonomic()) holonomic.push_back(constraint.text);
  Json sizes = Json::array();
  for (const SizeParameter& size : entry.sizes) {
    sizes.push_back({{"name", size.name}, {"default", size.default_value}, {"least", size.least}, {"most", size.most}});
  }
  Json result = {{"name", entry.name},
                 {"title", system.name()},
                 {"summary", entry.summary},
                 {"source", entry.source},
                 {"kind", system.kind()},
                 {"coordinates", configuration_names(system)},
                 {"parameters", std::move(parameters)},
                 {"constraints", std::move(constraints)},
                 {"holonomic", std::move(holonomic)},
                 {"sizes", std::move(sizes)}};
  if (!system.states().empty()) result["states"] = state_names(system);
  if (system.is_on_group()) {
    result["group"] = system.group().name();
    result["velocity_names"] = system.velocity_names();
  }
  return result;
}

std::string entry_text(const CatalogueEntry& entry) {
  const System system = catalogue_system(entry.name);
  std::string text = fmt::format("{}: {}\n", entry.name, system.name());
  text += paragraph(entry.summary);
  text += '\n';
  text += two_columns("source", entry.source, 16);
  for (const Shown::Variables& variables : outline(system).variables) {
    if (variables.names.empty()) continue;
    text += two_columns(variables.label, short_list(variables.names), 16);
  }
  const std::string parameters = defaults_text(system.parameters());
  text += two_columns("parameters", parameters.empty() ? "none" : parameters, 16);
  if (!entry.sizes.empty()) text += two_columns("sizes", sizes_text(entry), 16);
  if (!system.sizes().empty()) text += two_columns("sizes", list_of(system.sizes()) + ", whole numbers", 16);
  for (const Constraint& constraint : system.constraints()) text += two_columns("constraint", constraint.text, 16);
  for (const HolonomicConstraint& constraint : system.holonomic())
    text += two_columns("holonomic", constraint.text, 16);
  return text + fmt::format("\nIts file: noslip systems --toml {}\n", entry.name);
}

/// The system file of an entry; --set may give the sizes, nothing else.
std::string toml_of(Arguments& arguments, const CatalogueEntry& entry) {
  std::map<std::string, int> sizes;
  for (const SizeParameter& size : entry.sizes) sizes[size.name] = size.default_value;
  for (const std::string& text : arguments.texts("--set")) {
    const auto sides = split_assignment(text);
    const auto size = std::find_if(entry.sizes.begin(), entry.sizes.end(),
                                   [&](const SizeParameter& known) { return sides && known.name == sides->first; });
    if (size == entry.sizes.end()) {
      arguments.problem(fmt::format("--set {}: with --toml only sizes can be set", text),
                        entry.sizes.empty() ? fmt::format("{} has none", entry.name)
                                            : fmt::format("{} has {}", entry.name, sizes_text(entry)));
      continue;
    }
    const std::optional<quad> number = evaluate(sides->second).number;
    const bool fits = number && *number >= size->least && *number <= size->most &&
                      *number == static_cast<quad>(static_cast<int>(*number));
    if (!fits) {
      arguments.problem(fmt::format("--set {}: a whole number is needed", text),
                        fmt::format("{} is between {} and {}", size->name, size->least, size->most));
      continue;
    }
    sizes[size->name] = static_cast<int>(*number);
  }
  arguments.refuse_problems();
  return entry.toml(sizes);
}

}  // namespace

int systems_verb(const Words& words) {
  Arguments arguments("systems", "Lists the systems of the catalogue, or describes one of them.");
  arguments.usage("[NAME] [options]");
  arguments.positional("NAME", "a system to describe; without it all are listed");
  arguments.declare();
  arguments.epilogue(systems_examples);
  if (!arguments.parse(words)) return exit_done;

  if (arguments.has("--toml")) {
    if (arguments.has("--json")) arguments.problem("--toml and --json are both given", "give one of them");
    if (arguments.has("NAME")) {
      arguments.problem(fmt::format("unexpected '{}' beside --toml", arguments.text("NAME")),
                        "give one name, after --toml");
    }
    arguments.refuse_problems();
    std::string text = toml_of(arguments, find_entry(arguments.text("--toml")));
    if (!text.ends_with('\n')) text += '\n';
    print(text);
    return exit_done;
  }
  if (arguments.has("--set")) throw InputError("--set has no effect without --toml", "add --toml NAME");
  if (arguments.has("NAME")) {
    const CatalogueEntry& entry = find_entry(arguments.text("NAME"));
    print(arguments.has("--json") ? entry_json(entry).dump(2) + "\n" : entry_text(entry));
    return exit_done;
  }
  if (arguments.has("--json")) {
    Json list = Json::array();
    for (const CatalogueEntry& entry : catalogue()) list.push_back(entry_json(entry));
    print(Json{{"systems", std::move(list)}}.dump(2) + "\n");
    return exit_done;
  }
  std::vector<std::vector<std::string>> rows;
  for (const CatalogueEntry& entry : catalogue()) {
    std::string what = entry.summary;
    if (!entry.sizes.empty()) what += " Sizes: " + sizes_text(entry) + ".";
    if (const System system = catalogue_system(entry.name); system.is_on_group()) {
      what += fmt::format(" On the group {}.", system.group().name());
    }
    rows.push_back({entry.name, what});
  }
  print(table({"NAME", "WHAT"}, rows));
  return exit_done;
}

}  // namespace noslip::app

// noslip show: the equations that were derived.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <noslip/core/printable.hpp>
#include <noslip/expr/print.hpp>
#include <noslip/model/shown.hpp>

#include "options.hpp"
#include "output.hpp"
#include "shorten.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* show_examples = R"(Examples:
  noslip show sleigh
  noslip show my-robot.toml --latex > equations.tex

The LaTeX is one align* environment (package amsmath) for a document of yours.
)";

/// q[0] of p(q[0]), M[q[0], q[1]] and q[0]'', so that the equations of an array are known to belong together.
std::string variable_of(const std::string& left) {
  std::string name = left;
  while (name.ends_with('\'')) name.pop_back();
  if (name.ends_with(')')) {
    const std::size_t open = name.find('(');
    name = name.substr(open + 1, name.size() - open - 2);
  } else if (name.starts_with("M[") && name.find(", ") != std::string::npos) {
    name = name.substr(2, name.find(", ") - 2);
  }
  return name;
}

std::string lines_of(const std::vector<Equation>& equations) {
  std::string text;
  std::vector<std::string> names;
  for (const Equation& equation : equations) names.push_back(variable_of(equation.left));
  for (const auto& [entry, left_out] : lines_of_list(names)) {
    text += left_out > 0 ? fmt::format("  {} (--json has them all)\n", left_out_text(left_out))
                         : fmt::format("  {} = {}\n", short_expression(equations[entry].left),
                                       short_expression(equations[entry].right));
  }
  return text;
}

std::string show_text(const System& system) {
  const Shown shown = noslip::shown(system);
  std::string text = one_line(system.name()) + "\n";
  for (const Shown::Variables& variables : shown.variables) {
    if (variables.names.empty()) continue;
    text += two_columns(variables.label, short_list(variables.names), 16);
  }
  if (!shown.angles.empty()) text += two_columns("angles", short_list(shown.angles), 16);
  const std::string parameters = defaults_text(system.parameters());
  if (!parameters.empty()) text += two_columns("parameters", parameters, 16);
  for (const Shown::Section& section : shown.sections) {
    if (!section.title.empty()) text += "\n" + section.title + "\n" + lines_of(section.text);
  }
  return text;
}

Json as_json(const ShownValue& shown) {
  if (shown.type == ShownValue::Type::text) return shown.text;
  Json json = shown.type == ShownValue::Type::list ? Json::array() : Json::object();
  for (std::size_t i = 0; i < shown.items.size(); ++i) {
    Json item = as_json(shown.items[i]);
    shown.type == ShownValue::Type::list ? json.push_back(std::move(item))
                                         : void(json[shown.keys[i]] = std::move(item));
  }
  return json;
}

std::string as_json(const System& system) {
  const Shown shown = noslip::shown(system);
  Json document = Json::object();
  document["system"] = system.name();
  document["kind"] = system.kind();
  document["coordinates"] = configuration_names(system);
  if (system.is_on_group()) {
    document["group"] = system.group().name();
    document["velocity_names"] = system.velocity_names();
  }
  if (!shown.angles.empty()) document["angles"] = shown.angles;
  document["multiplier_names"] = system.multiplier_names();
  for (const auto& [key, value] : shown.entries) document[key] = as_json(value);
  document["latex"] = to_latex(shown);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

int show_verb(const Words& words) {
  Arguments arguments("show", "Prints the equations that were derived from a system.");
  arguments.usage("SYSTEM [options]");
  declare_system(arguments);
  arguments.epilogue(show_examples);
  if (!arguments.parse(words)) return exit_done;
  if (arguments.has("--latex") && arguments.has("--json")) {
    arguments.problem("--latex and --json are both given", "--json has the LaTeX under the key latex");
  }
  const System system = choose_system(arguments).system;
  print(arguments.has("--json")    ? as_json(system)
        : arguments.has("--latex") ? to_latex(shown(system))
                                   : show_text(system));
  return exit_done;
}

}  // namespace noslip::app

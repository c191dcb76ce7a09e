// Pieces of what a system shows.
#include "model/kind/show.hpp"

#include <noslip/core/names.hpp>
#include <noslip/expr/print.hpp>
#include <noslip/model/sampled.hpp>

namespace noslip {
namespace {

constexpr std::size_t longest_in_line = 200;  // characters of an expression among others

}  // namespace

void add_section(Shown& shown, std::string title, const System& system, Writer& writer,
                 std::vector<Equation> (*equations)(const System&, Pen)) {
  shown.sections.push_back(
      {std::move(title), equations(system, writer.text_pen()), equations(system, writer.latex_pen())});
}

void add_units(Shown& shown, const System& system) {
  std::vector<std::string> names, lines;
  ShownValue::List texts;
  for (const auto& [name, unit] : system.units()) {
    names.push_back(name);
    texts.emplace_back(unit);
    lines.push_back(name + " in " + unit);
  }
  if (names.empty()) return;
  shown.variables.push_back({"units", std::move(lines)});
  shown.entries.emplace_back("units", ShownValue(std::move(names), std::move(texts)));
}

void add_inputs(Shown& shown, const System& system, Writer& writer) {
  std::vector<std::string> names, defaults;
  std::vector<Expr> values;
  for (const Parameter& input : system.inputs()) {
    names.push_back(input.name);
    values.push_back(input.default_value);
    defaults.push_back(input.name + " = " + to_text(input.default_value, longest_in_line));
  }
  if (!names.empty()) {
    shown.variables.push_back({"inputs", defaults});
    shown.entries.emplace_back("inputs", texts_by_name(writer, names, values));
  }
  const Sampled* controller = system.sampled();
  if (!controller) return;
  const std::string every = to_text(controller->every, longest_in_line);
  const std::string delay = to_text(controller->delay, longest_in_line);
  const std::string when = "every " + every + (controller->delay.is_zero() ? "" : ", acting " + delay + " later");
  Shown::Section section{"Controller, sampled " + when, {}, {}};
  std::vector<std::string> value_names, given;
  std::vector<Expr> expressions;
  for (const Sampled::Value& value : controller->values) {
    section.text.push_back({value.name, writer.text(value.value)});
    section.latex.push_back({to_latex(Graph().symbol(value.name)), writer.latex(value.value)});
    value_names.push_back(value.name);
    expressions.push_back(value.value);
    if (value.input >= 0) given.push_back(value.name);
  }
  shown.sections.push_back(std::move(section));
  shown.entries.emplace_back(
      "sampled", ShownValue({"every", "delay", "values"}, {writer.text(controller->every), writer.text(controller->delay), texts_by_name(writer, value_names, expressions)}));
  shown.facts.push_back({"", "inputs from a controller", given, list_of(given) + ", sampled " + when});
}

ShownValue text_list(Writer& writer, const std::vector<Expr>& expressions) {
  ShownValue::List list;
  for (const Expr expression : expressions) list.emplace_back(writer.text(expression));
  return list;
}

ShownValue text_rows(Writer& writer, const std::vector<std::vector<Expr>>& rows) {
  ShownValue::List list;
  for (const std::vector<Expr>& row : rows) list.push_back(text_list(writer, row));
  return list;
}

ShownValue texts_by_name(Writer& writer, const std::vector<std::string>& names, const std::vector<Expr>& expressions) {
  ShownValue::List texts;
  for (const Expr expression : expressions) texts.emplace_back(writer.text(expression));
  return {{names.begin(), names.begin() + static_cast<std::ptrdiff_t>(texts.size())}, std::move(texts)};
}

/// Of a constraint; its name first where it has one.
ShownValue with_name(const std::string& name, std::vector<std::string> keys, ShownValue::List values) {
  if (!name.empty()) {
    keys.insert(keys.begin(), "name");
    values.insert(values.begin(), ShownValue(name));
  }
  return {std::move(keys), std::move(values)};
}

void add_sources(Shown& shown, const System& system, Writer& writer) {
  if (writer.writes_outline()) return;
  std::vector<std::pair<std::string, ShownValue>> entries;
  std::vector<std::string> names;
  std::vector<Expr> defaults;
  for (const Parameter& parameter : system.parameters()) {
    names.push_back(parameter.name);
    defaults.push_back(parameter.default_value);
  }
  entries.emplace_back("parameters", texts_by_name(writer, names, defaults));
  if (system.has_hamiltonian()) entries.emplace_back("hamiltonian", writer.text(system.hamiltonian()));
  if (system.offers().lagrangian) entries.emplace_back("lagrangian", writer.text(system.lagrangian()));
  ShownValue::List constraints, holonomic;
  for (const Constraint& constraint : system.constraints()) {
    constraints.push_back(with_name(constraint.name, {"text", "kind", "k"},
                                    {ShownValue(constraint.text), ShownValue(to_text(constraint.kind)),
                                     ShownValue(writer.text(constraint.k))}));
  }
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    holonomic.push_back(with_name(constraint.name, {"text", "g"},
                                  {ShownValue(constraint.text), ShownValue(writer.text(constraint.g))}));
  }
  entries.emplace_back("constraints", std::move(constraints));
  entries.emplace_back("holonomic", std::move(holonomic));
  shown.entries.insert(shown.entries.begin(), std::make_move_iterator(entries.begin()),
                       std::make_move_iterator(entries.end()));
}

void add_definitions(Shown& shown, const SharedParts& shared) {
  if (shared.definitions().empty()) return;
  Shown::Section section{"Definitions, parts that appear more than once", {}, {}};
  std::vector<std::string> names;
  ShownValue::List texts;
  for (const SharedParts::Definition& definition : shared.definitions()) {
    const std::string text = to_text(definition.value);
    section.text.push_back({definition.name, text});
    section.latex.push_back({to_latex(Graph().symbol(definition.name)), to_latex(definition.value)});
    names.push_back(definition.name);
    texts.emplace_back(text);
  }
  shown.sections.insert(shown.sections.begin(), std::move(section));
  shown.entries.emplace(shown.entries.begin(), "definitions", ShownValue(std::move(names), std::move(texts)));
}

ShownValue names_as_list(const std::vector<std::string>& names) {
  ShownValue::List list;
  for (const std::string& name : names) list.emplace_back(name);
  return list;
}

ShownValue equation_texts(const std::vector<Equation>& equations) {
  ShownValue::List list;
  for (const Equation& equation : equations) list.emplace_back(equation.left + " = " + equation.right);
  return list;
}

}  // namespace noslip

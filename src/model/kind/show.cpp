// Pieces of what a system shows.
#include "model/kind/show.hpp"

#include <noslip/core/names.hpp>
#include <noslip/expr/print.hpp>
#include <noslip/model/sampled.hpp>

namespace noslip {

void add_section(Shown& shown, std::string title, const System& system,
                 std::vector<Equation> (*equations)(const System&, Notation)) {
  shown.sections.push_back({std::move(title), equations(system, Notation::text), equations(system, Notation::latex)});
}

void add_inputs(Shown& shown, const System& system) {
  std::vector<std::string> names, defaults;
  std::vector<Expr> values;
  for (const Parameter& input : system.inputs()) {
    names.push_back(input.name);
    values.push_back(input.default_value);
    defaults.push_back(input.name + " = " + to_text(input.default_value));
  }
  if (!names.empty()) {
    shown.variables.push_back({"inputs", defaults});
    shown.entries.emplace_back("inputs", texts_by_name(names, values));
  }
  const Sampled* controller = system.sampled();
  if (!controller) return;
  const std::string every = to_text(controller->every), delay = to_text(controller->delay);
  const std::string when = "every " + every + (controller->delay.is_zero() ? "" : ", acting " + delay + " later");
  Shown::Section section{"Controller, sampled " + when, {}, {}};
  std::vector<std::string> value_names, given;
  std::vector<Expr> expressions;
  for (const Sampled::Value& value : controller->values) {
    section.text.push_back({value.name, to_text(value.value)});
    section.latex.push_back({to_latex(Graph().symbol(value.name)), to_latex(value.value)});
    value_names.push_back(value.name);
    expressions.push_back(value.value);
    if (value.input >= 0) given.push_back(value.name);
  }
  shown.sections.push_back(std::move(section));
  shown.entries.emplace_back(
      "sampled", ShownValue({"every", "delay", "values"}, {every, delay, texts_by_name(value_names, expressions)}));
  shown.facts.push_back({"", "inputs from a controller", given, list_of(given) + ", sampled " + when});
}

ShownValue text_list(const std::vector<Expr>& expressions) {
  ShownValue::List list;
  for (const Expr expression : expressions) list.emplace_back(to_text(expression));
  return list;
}

ShownValue text_rows(const std::vector<std::vector<Expr>>& rows) {
  ShownValue::List list;
  for (const std::vector<Expr>& row : rows) list.push_back(text_list(row));
  return list;
}

ShownValue texts_by_name(const std::vector<std::string>& names, const std::vector<Expr>& expressions) {
  ShownValue::List texts;
  for (const Expr expression : expressions) texts.emplace_back(to_text(expression));
  return {{names.begin(), names.begin() + static_cast<std::ptrdiff_t>(texts.size())}, std::move(texts)};
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

// Units of names, and whether the texts agree with them.
#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "model/builder.hpp"
#include "model/unit_check.hpp"
#include "model/words.hpp"

namespace noslip {

std::vector<std::string> Builder::names_with_units() const {
  std::vector<std::string> names{"t"};
  const auto add = [&](const auto& more) { names.insert(names.end(), more.begin(), more.end()); };
  add(data_.coordinates);
  for (const Factor& factor : data_.factors) {
    if (factor.is_matrix()) names.push_back(factor.name);
    if (!factor.group.empty()) {
      add(std::span(data_.velocity_names).subspan(factor.first_velocity, factor.dimension));
    }
  }
  if (data_.factors.empty()) add(data_.velocity_names);
  add(data_.multiplier_names);
  for (const auto* constants : {&data_.parameters, &data_.inputs}) {
    for (const Parameter& constant : *constants) names.push_back(constant.name);
  }
  for (const NamedText& definition : text_.definitions) names.push_back(definition.name.text);
  for (const NamedText& value : text_.sampled) {
    if (is_sampled_value(value)) names.push_back(value.name.text);
  }
  return names;
}

void Builder::units() {
  if (text_.units.empty()) return;
  const std::vector<std::string> names = names_with_units();
  for (const auto& [name, value] : text_.units) {
    const auto unit = parse_unit(value.text);
    if (!unit) {
      complain("'" + value.text + "' is not a unit", value.place(),
               "write for example \"m\", \"kg*m^2\", \"m/s^2\", \"N*m\", \"rad\" or \"1\"");
    }
    if (std::find(names.begin(), names.end(), name.text) == names.end()) {
      const std::string guess = did_you_mean(name.text, names);
      complain("units: there is no '" + name.text + "'", name.place(),
               guess.empty() ? "units belong to variables, states, parameters, inputs, definitions and t" : guess);
    } else if (!data_.units.emplace(name.text, UnitOf{value.text, unit.value_or(Unit())}).second) {
      complain("units: '" + name.text + "' is given twice", name.place(), "give it once");
    }
  }
  if (data_.units.count("t") == 0) data_.units.emplace("t", UnitOf{"s", *parse_unit("s")});
}

std::optional<UnitOf> unit_of_name(const SystemData& data, std::string_view name) {
  if (const auto found = data.units.find(name); found != data.units.end()) return found->second;
  if (name.ends_with('\'') && !data.units.empty()) {
    const auto of = unit_of_name(data, name.substr(0, name.size() - 1));
    const UnitOf& time = data.units.find("t")->second;
    return of ? std::optional(UnitOf{quotient_text(of->text, time.text), of->unit / time.unit}) : std::nullopt;
  }
  const auto has_name = [&](int i) { return data.coordinates[static_cast<std::size_t>(i)] == name; };
  if (std::any_of(data.angles.begin(), data.angles.end(), has_name)) return UnitOf{"rad", Unit()};
  for (const Factor& factor : data.factors) {
    for (std::size_t i = 0; factor.is_matrix() && i < factor.size; ++i) {
      if (data.coordinates[factor.first + i] != name) continue;
      return i % factor.columns() < 3 ? UnitOf{"", Unit()} : unit_of_name(data, factor.name);
    }
  }
  return std::nullopt;
}

std::optional<Unit> Builder::unit_of_symbol(const std::string& symbol) const {
  const auto found = unit_of_name(data_, symbol);
  return found ? std::optional(found->unit) : std::nullopt;
}

void Builder::check_units() {
  if (data_.units.empty() || !problems_.empty()) return;
  UnitCheck unit_of([this](const std::string& symbol) { return unit_of_symbol(symbol); });
  const auto checked = [&](Expr expression, const Text& text) {
    unit_of.found.clear();
    const auto unit = unit_of(expression);
    for (auto& [what, remedy] : unit_of.found) {
      complain("units do not agree: " + what, text.place(), remedy);
    }
    return unit;
  };
  for (const Names::Read& read : names_.texts_read()) checked(read.expression, *read.text);

  const auto require = [&](Expr expression, const Text& text, const std::string& what, const std::optional<Unit>& needed) {
    const auto unit = checked(expression, text);
    if (!unit || !needed || *unit == *needed || UnitCheck::has_every_unit(expression)) return;
    complain(fmt::format("units do not agree: {} has to be in {}, and '{}' is in {}", what, to_text(*needed),
                         shown_text(text), to_text(*unit)),
             text.place(), "correct the expression, or the units");
  };
  const auto given = [&](const std::string& name) -> std::optional<Unit> {
    const auto found = data_.units.find(name);
    return found == data_.units.end() ? std::nullopt : std::optional(found->second.unit);
  };
  for (std::size_t i = 0; i < data_.defaults.size(); ++i) {
    const ParameterValue& value = data_.defaults[i];
    const bool is_parameter = i < data_.parameters.size();
    const std::string& name = is_parameter ? data_.parameters[i].name : data_.inputs[i - data_.parameters.size()].name;
    if (!symbols_of({&value.expression, 1}).empty()) require(value.expression, value.text, "'" + name + "'", given(name));
  }
  for (const auto& [name, meaning] : data_.definitions) {
    for (const NamedText& definition : text_.definitions) {
      if (definition.name.text == name) require(meaning, definition.value, "'" + name + "'", given(name));
    }
  }
  const Unit time = data_.units.at("t").unit;
  for (std::size_t i = 0; i < data_.states.size(); ++i) {
    const auto unit = given(data_.states[i].name);
    require(data_.states[i].rate, text_.states[i].value, "the derivative of '" + data_.states[i].name + "'",
            unit ? std::optional(*unit / time) : std::nullopt);
  }
  if (data_.lagrangian.graph == nullptr) return;
  const auto energy = unit_of(data_.lagrangian);
  for (const NamedText& force : text_.forces) {
    const auto place = std::find(data_.velocity_names.begin(), data_.velocity_names.end(), force.name.text);
    const auto i = static_cast<std::size_t>(place - data_.velocity_names.begin());
    if (i >= data_.applied_forces.size()) continue;
    const auto velocity = unit_of_symbol(data_.v[i].name());
    require(data_.applied_forces[i], force.value, "the force on '" + force.name.text + "'",
            energy && velocity ? std::optional(*energy / (*velocity * time)) : std::nullopt);
  }
}

}  // namespace noslip

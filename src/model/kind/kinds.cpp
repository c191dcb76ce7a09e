// The kinds that there are.
#include <algorithm>

#include <noslip/core/names.hpp>
#include <noslip/model/shown.hpp>

#include "model/kind/kind.hpp"
#include "model/kind/show.hpp"

namespace noslip {

std::span<const Kind* const> kinds() {
  static const Kind* const all[] = {&mechanical_kind(), &index_two_kind(), &odae_kind(), &skew_gradient_kind()};
  return all;
}

const Kind* find_kind(const std::string& name) {
  const auto found =
      std::find_if(kinds().begin(), kinds().end(), [&](const Kind* kind) { return name == kind->name(); });
  return found == kinds().end() ? nullptr : *found;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind* kind : kinds()) names.emplace_back(kind->name());
  return names;
}

KindWords words_of_variables(const std::string& letter) {
  KindWords words;
  words.variable = "variable";
  words.positions = "variables " + letter;
  words.example = letter + " = [\"" + letter + "1\", \"" + letter + "2\"]";
  words.example_name = letter + "1";
  words.a_position = "a variable";
  words.none_of_positions = "none of the variables " + letter;
  words.restricts_nothing = "it cannot restrict them: remove it";
  words.inputs_act_in = "f";
  return words;
}

std::string Kind::initial_names(const SystemText&) const {
  std::vector<std::string> names{"t"};
  for (const Key& key : initial_keys()) names.emplace_back(key.name);
  return list_of(names);
}

bool Kind::is_meant(const std::function<bool(const char*)>&) const { return false; }

void Kind::check(const SystemText&, const SystemData&, std::vector<Problem>&) const {}

namespace {

constexpr std::size_t longest_expanded = 10'000;  // characters of an expression that is written without definitions

Shown shown_by(const System& system, Writer& writer) {
  Shown result = system.data().kind->shown(system, writer);
  add_sources(result, system, writer);
  add_inputs(result, system, writer);
  add_units(result, system);
  std::vector<std::string> names, texts;
  for (const ExternalFunction& function : system.structure().external) {
    names.push_back(function.name());
    texts.push_back(function.name() + (function.has_derivatives() ? " (first derivatives given, others by differences)"
                                                                  : " (derivatives by differences)"));
  }
  if (!names.empty()) result.facts.push_back({"external_functions", "functions written in C++", names, list_of(texts)});
  return result;
}

}  // namespace

Shown shown(const System& system) {
  Writer writer(system, Writer::Task::everything);
  shown_by(system, writer);
  writer.share(longest_expanded, system.definition_names());
  Shown result = shown_by(system, writer);
  add_definitions(result, *writer.shared());
  return result;
}

Shown outline(const System& system) {
  Writer writer(system, Writer::Task::outline);
  Shown result = shown_by(system, writer);
  result.sections.clear();
  result.entries.clear();
  return result;
}

}  // namespace noslip

// From texts to expressions, with every problem on the way collected.
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "model/builder.hpp"
#include "model/words.hpp"

namespace noslip {
namespace {

// Far beyond it an input is a mistake, not a system.
constexpr std::size_t most_coordinates = 20'000;

}  // namespace

std::vector<std::string> texts_of(const std::vector<Text>& texts) {
  std::vector<std::string> result;
  for (const Text& each : texts) result.push_back(each.text);
  return result;
}

bool can_be_built(const SystemText& text, const std::vector<Text>& positions, const KindWords& words,
                  std::vector<Problem>& problems) {
  if (!text.is_readable) return false;
  if (positions.size() <= most_coordinates) return true;
  problems.push_back({std::to_string(positions.size()) + " " + words.positions + " are too many",
                      positions.front().place(), "at most " + std::to_string(most_coordinates) + " are accepted"});
  return false;
}

std::vector<std::string> absent_positions(const SystemData& data, std::span<const Expr> expressions) {
  std::unordered_set<NodeId> used;
  for (const Expr symbol : symbols_of(expressions)) used.insert(symbol.id);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < data.q.size(); ++i) {
    if (used.count(data.q[i].id) == 0) names.push_back(data.coordinates[i]);
  }
  return names;
}

bool touches(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  // Most expressions have few symbols, and ask for one of very many. Those that are found are in order.
  const std::vector<Expr> found = symbols_of(expressions);
  const auto is_older = [](Expr a, Expr b) { return a.id < b.id; };
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](Expr symbol) { return std::binary_search(found.begin(), found.end(), symbol, is_older); });
}

void Builder::run() {
  data_.name = text_.name;
  data_.description = text_.description;
  data_.source = text_.source;
  required();
  if (!common_symbols()) return;
  own_symbols();
  parameters();
  inputs();
  equations();
  invariants();
  sampled();
  data_.definitions = names_.definitions();
  angles();
  exact();
  initial_time();
  initial();
  units();
  check_units();
}

std::vector<Expr> Builder::symbols(const std::vector<std::string>& names) {
  std::vector<Expr> result;
  for (const std::string& name : names) result.push_back(data_.graph->symbol(name));
  return result;
}

bool Builder::common_symbols() {
  if (positions_.empty()) {
    complain("no " + words_.positions, text_.place, "add a line such as " + words_.example);
    return false;
  }
  data_.coordinates = texts_of(positions_);
  data_.t = data_.graph->symbol("t");
  data_.q = symbols(data_.coordinates);
  return true;
}

void Builder::parameters() {
  Rule rule;
  rule.allowed = "the default of a parameter may use the parameters above it only";
  rule.state = rule.time = rule.inputs = false;
  for (std::size_t i = 0; i < text_.parameters.size(); ++i) {
    const auto& [name, value] = text_.parameters[i];
    rule.parameters = i;
    const Expr expression = names_.parse(value, rule).value_or(zero());
    data_.parameters.push_back({name.text, data_.graph->symbol(name.text), expression});
    data_.defaults.push_back({"parameter '" + name.text + "'", value, expression});
  }
}

void Builder::invariants() {
  std::set<std::string> seen;
  for (const auto& [name, value] : text_.invariants) {
    if (name.text.empty()) complain("an invariant needs a name", name.place());
    if (!seen.insert(name.text).second) complain("invariant '" + name.text + "' is given twice", name.place());
    Rule rule;
    rule.multipliers = multipliers_in_invariants();
    if (const auto expression = names_.parse(value, rule)) data_.invariants.emplace_back(name.text, *expression);
  }
}

void Builder::exact() {
  Rule rule;
  rule.allowed = "an exact solution may use t and the parameters only";
  rule.state = rule.inputs = false;
  const std::vector<std::string> variables = exact_names();
  const VariablePlaces places(variables);
  if (!text_.exact.empty() && !text_.inputs.empty()) {
    complain("[exact] beside [inputs]: a solution depends on what the outside gives", text_.exact.front().name.place(),
             "remove one of them, or make the inputs parameters");
  }
  std::set<std::string> seen;
  for (const auto& [name, value] : text_.exact) {
    if (!seen.insert(name.text).second) complain("'" + name.text + "' is given twice", name.place());
    const auto expression = names_.parse(value, rule);
    if (variable(name, places) && expression) data_.exact.emplace_back(name.text, *expression);
  }
}

VariablePlaces::VariablePlaces(const std::vector<std::string>& variables) : names(variables) {
  for (std::size_t i = 0; i < names.size(); ++i) places_.try_emplace(names[i], i);
}

std::optional<std::size_t> VariablePlaces::find(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> Builder::variable(const Text& name, const VariablePlaces& places) {
  if (const auto place = places.find(name.text)) return place;
  const std::vector<std::string>& variables = places.names;
  const bool are_velocities = is_on_group() && variables == data_.velocity_names;
  const bool are_states = !variables.empty() && !data_.states.empty() && variables.front() == data_.states.front().name;
  const std::string one = are_velocities ? "velocity" : are_states ? "state" : words_.variable;
  const std::string many = are_velocities ? "velocities" : one + "s";
  const auto element = element_of(name.text);
  if (const auto range = names_.array(element ? element->array : name.text)) {
    const std::string array(element ? element->array : name.text);
    complain(element ? "there is no " + one + " " + name.text : "'" + array + "' is an array", name.place(),
             fmt::format("its entries are {}[{}] to {}[{}]", array, range->first, array, range->second));
    return std::nullopt;
  }
  const std::string guess = did_you_mean(name.text, variables);
  complain("unknown " + one + " '" + name.text + "'", name.place(),
           !guess.empty()                                 ? guess
           : !variables.empty() && variables.size() <= 12 ? "the " + many + " are " + list_of(variables)
                                                          : "");
  return std::nullopt;
}

std::optional<Expr> Builder::position_constraint(const Text& given, const Rule& rule, const std::string& quoted) {
  Rule own = rule;
  own.inputs = false;
  own.constraint = quoted;
  const auto g = names_.parse(given, own, true);
  if (!g) return std::nullopt;
  if (touches(std::span(&*g, 1), velocity_symbols())) {
    complain(quoted + " contains a velocity or a momentum", given.place(),
             "constraints of velocities belong under `constraints`");
  } else if (g->is_constant()) {
    complain(quoted + (g->is_zero() ? " says nothing: it always holds" : " can never hold"), given.place());
  } else if (!touches(std::span(&*g, 1), data_.q)) {
    complain(quoted + " contains " + words_.none_of_positions, given.place(), words_.restricts_nothing);
  } else {
    return g;
  }
  return std::nullopt;
}

std::vector<Expr> Builder::list(const TextList& given, const std::string& key, const Rule& rule,
                                const std::vector<std::string>& variables, const std::string& letter) {
  const std::size_t n = variables.size();
  if (!given.is_given) {
    complain("no " + key, text_.place,
             "add a line such as " + key + " = [\"...\", \"...\"], with one text per variable " + letter);
  } else if (given.texts.size() != n) {
    complain(key + " has " + counted(given.texts.size(), "text") + " for " + counted(n, "variable") + " " + letter,
             given.place, n <= 12 ? "the order is " + list_of(variables) : "");
  }
  std::vector<Expr> result;
  for (const Text& each : given.texts) result.push_back(names_.parse(each, rule).value_or(zero()));
  result.resize(n, zero());
  return result;
}

}  // namespace noslip

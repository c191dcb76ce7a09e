// Functions of the state that are asked for when a system is there: events, columns, panels of a picture.
#include "model/read_expression.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/expr/parse.hpp>

#include "model/rates.hpp"
#include "model/scope.hpp"

namespace noslip {
namespace {

/// What a definition contains beside t, positions and parameters; empty if nothing.
std::string without_rate(const SystemData& data, Expr definition) {
  for (const Expr part : symbols_of(std::span(&definition, 1))) {
    const auto is_part = [&](Expr symbol) { return symbol == part; };
    if (std::any_of(data.v.begin(), data.v.end(), is_part)) return described(part.name(), "body velocity");
    if (std::any_of(data.z.begin(), data.z.end(), is_part)) return described(part.name(), "variable");
    const bool is_state = std::any_of(data.states.begin(), data.states.end(),
                                      [&](const FirstOrderState& state) { return state.symbol == part; });
    if (is_state) return described(part.name(), "state");
    const bool is_input = std::any_of(data.inputs.begin(), data.inputs.end(),
                                      [&](const Parameter& input) { return input.symbol == part; });
    if (is_input) return described(part.name(), "input");
  }
  return {};
}

Rates rates_of_positions(const SystemData& data, Graph& graph) {
  Rates rates(graph);
  rates.set(graph.counterpart(data.t), graph.constant(1));
  for (std::size_t i = 0; i < data.q.size(); ++i) {
    rates.set(graph.counterpart(data.q[i]), graph.counterpart(data.position_rates[i]));
  }
  return rates;
}

}  // namespace

std::vector<std::string> names_of_constraints(const SystemData& data) {
  std::vector<std::string> names;
  for (const Constraint& constraint : data.constraints) names.push_back(constraint.name);
  for (const HolonomicConstraint& constraint : data.holonomic) names.push_back(constraint.name);
  return names;
}

std::vector<Expr> multiplier_symbols(const SystemData& data, Graph& graph) {
  std::vector<Expr> symbols;
  const bool are_variables = data.offers.multiplier_variables;
  for (std::size_t i = 0; i < data.multiplier_names.size(); ++i) {
    symbols.push_back(are_variables ? graph.counterpart(data.z[i]) : graph.symbol("lambda(" + std::to_string(i + 1) + ")"));
  }
  return symbols;
}

Parsed read_watched(Graph& graph, const SystemData& data, std::string_view text, const Indices& indices, Watched form) {
  std::map<std::string, Expr, std::less<>> known{{"t", graph.counterpart(data.t)}};
  const auto add = [&](const std::string& name, Expr value) { known.try_emplace(name, graph.counterpart(value)); };
  for (const auto& symbols : {data.q, data.v, data.z}) {
    for (const Expr symbol : symbols) add(symbol.name(), symbol);
  }
  for (const Parameter& constant : data.step_constants()) add(constant.name, constant.symbol);
  for (const auto& [name, value] : data.definitions) add(name, value);
  for (const auto& [name, value] : data.invariants) add(name, value);
  if (data.offers.energy) add("energy", data.energy);
  Substitution from_outputs(graph);
  for (const auto& [name, value] : data.outputs) known.try_emplace(name, from_outputs(value));
  const std::vector<Expr> multipliers = multiplier_symbols(data, graph);
  for (std::size_t i = 0; i < multipliers.size(); ++i) known.try_emplace(data.multiplier_names[i], multipliers[i]);

  Scope scope;
  scope.indices = indices;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>, std::less<>> arrays;
  for (const auto& [name, value] : known) {
    const auto element = element_of(name);
    if (!element) {
      if (!name.ends_with("]'")) scope.names.push_back(name);
      continue;
    }
    const auto [array, is_new] =
        arrays.try_emplace(std::string(element->array), std::pair(element->index, element->index));
    if (is_new) scope.names.push_back(array->first);
    array->second.first = std::min(array->second.first, element->index);
    array->second.second = std::max(array->second.second, element->index);
  }
  scope.array = [&](std::string_view name) {
    const auto found = arrays.find(name);
    return found == arrays.end() ? std::nullopt : std::optional(found->second);
  };
  scope.table = [&](std::string_view name) -> std::optional<Table> {
    for (const Table& table : data.tables) {
      if (table.name() == name) return table;
    }
    return std::nullopt;
  };
  // Other parameters may change from run to run.
  scope.size = [&](std::string_view name) {
    const bool is_size = std::find(data.sizes.begin(), data.sizes.end(), name) != data.sizes.end();
    return is_size ? data.size_values.value(name) : std::nullopt;
  };
  const auto look_up = [&](const std::string& name) -> std::optional<Expr> {
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional<Expr>(found->second);
  };
  std::vector<ParseProblem> objections;
  const std::vector<std::string> constraints = names_of_constraints(data);
  scope.symbol = [&](NameAt name) -> std::optional<Expr> {
    if (const auto value = look_up(std::string(name.text))) return value;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      if (constraints[i].empty() || name.text != "lambda" + std::to_string(i + 1)) continue;
      objections.push_back({"constraint " + std::to_string(i + 1) + " has the name " + constraints[i],
                            "write lambda(" + constraints[i] + ")", name.offset});
      return multipliers[i];
    }
    return std::nullopt;
  };
  scope.reaction = [&](std::string_view name) -> std::optional<Expr> {
    const auto found = std::find(constraints.begin(), constraints.end(), name);
    if (found == constraints.end()) return std::nullopt;
    return multipliers[static_cast<std::size_t>(found - constraints.begin())];
  };
  scope.constraints = constraints;
  std::optional<Rates> rates;
  scope.velocity = [&](NameAt name) -> std::optional<Expr> {
    if (const auto velocity = look_up(std::string(name.text) + "'")) return velocity;
    for (const FirstOrderState& state : data.states) {
      if (state.name == name.text) return graph.counterpart(state.rate);
    }
    const auto definition = std::find_if(data.definitions.begin(), data.definitions.end(),
                                         [&](const auto& each) { return each.first == name.text; });
    if (definition == data.definitions.end() || !data.group) return std::nullopt;
    const Expr value = graph.counterpart(definition->second);
    if (const std::string contained = without_rate(data, definition->second); !contained.empty()) {
      objections.push_back({no_rate(name.text, contained), no_rate_remedy, name.offset});
      return value;
    }
    if (!rates) rates.emplace(rates_of_positions(data, graph));
    return (*rates)(value);
  };
  scope.momentum = [&](std::string_view name) -> std::optional<Expr> {
    for (std::size_t i = 0; i < data.velocity_names.size() && data.offers.lagrangian; ++i) {
      if (data.velocity_names[i] == name) return graph.counterpart(data.momenta[i]);
    }
    return std::nullopt;
  };
  Parsed parsed = form == Watched::relation     ? parse_relation(graph, text, scope)
                  : form == Watched::expression ? parse_expression(graph, text, scope)
                                                : parse_condition(graph, text, scope);
  parsed.problems.insert(parsed.problems.end(), objections.begin(), objections.end());
  return parsed;
}

std::vector<Expr> System::multipliers(Graph& graph) const { return multiplier_symbols(*data_, graph); }

Expr System::expression(Graph& graph, const std::string& text, const std::string& what) const {
  const DefaultArithmetic arithmetic;
  if (&graph == data_->graph.get() || !graph.extends(*data_->graph)) {
    throw std::logic_error("System::expression needs a copy of the system's graph: Graph graph(system.graph())");
  }
  Parsed parsed = read_watched(graph, *data_, text, {}, Watched::relation);
  if (parsed.problems.empty()) return parsed.expression;
  const Text whole = Text::whole(what, text);
  std::vector<Problem> problems;
  for (const ParseProblem& problem : parsed.problems) {
    problems.push_back({problem.what, whole.place(problem.offset), problem.remedy});
  }
  throw InputError(std::move(problems));
}

}  // namespace noslip

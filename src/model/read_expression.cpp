// Functions of the state that are asked for when a system is there: events, columns, panels of a picture.
#include <algorithm>
#include <map>
#include <stdexcept>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/expr/parse.hpp>

#include "model/rates.hpp"
#include "model/system_data.hpp"

namespace noslip {
namespace {

/// What a definition contains beside t, positions and parameters; empty if nothing.
std::string without_rate(const SystemData& data, Expr definition) {
  for (const Expr part : symbols_of(std::span(&definition, 1))) {
    const auto is_part = [&](Expr symbol) { return symbol == part; };
    if (std::any_of(data.v.begin(), data.v.end(), is_part)) return described(part.name(), "body velocity");
    if (std::any_of(data.z.begin(), data.z.end(), is_part)) return described(part.name(), "variable");
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

Expr System::expression(Graph& graph, const std::string& text, const std::string& what) const {
  const DefaultArithmetic arithmetic;
  const SystemData& data = *data_;
  if (&graph == data.graph.get() || !graph.extends(*data.graph)) {
    throw std::logic_error("System::expression needs a copy of the system's graph: Graph graph(system.graph())");
  }
  std::map<std::string, Expr, std::less<>> known{{"t", graph.counterpart(data.t)}};
  const auto add = [&](const std::string& name, Expr value) { known.try_emplace(name, graph.counterpart(value)); };
  for (const auto& symbols : {data.q, data.v, data.z}) {
    for (const Expr symbol : symbols) add(symbol.name(), symbol);
  }
  for (const Parameter& constant : data.step_constants()) add(constant.name, constant.symbol);
  for (const auto& [name, value] : data.definitions) add(name, value);
  for (const auto& [name, value] : data.invariants) add(name, value);
  if (data.offers.energy) add("energy", data.energy);

  Scope scope;
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
  scope.symbol = [&](std::string_view name) { return look_up(std::string(name)); };
  std::vector<ParseProblem> objections;
  std::optional<Rates> rates;
  scope.velocity = [&](NameAt name) -> std::optional<Expr> {
    if (const auto velocity = look_up(std::string(name.text) + "'")) return velocity;
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
  Parsed parsed = parse_relation(graph, text, scope);
  parsed.problems.insert(parsed.problems.end(), objections.begin(), objections.end());
  if (parsed.problems.empty()) return parsed.expression;
  const Text whole = Text::whole(what, text);
  std::vector<Problem> problems;
  for (const ParseProblem& problem : parsed.problems) {
    problems.push_back({problem.what, whole.place(problem.offset), problem.remedy});
  }
  throw InputError(std::move(problems));
}

}  // namespace noslip

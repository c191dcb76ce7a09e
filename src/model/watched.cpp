// Outputs and guards are read last, in a copy of the graph: nothing of the motion depends on them, not even the order
// of the nodes.
#include "model/watched.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "model/read_expression.hpp"
#include "model/words.hpp"

namespace noslip {
namespace {

void add_problems(const Text& text, const Parsed& parsed, std::vector<Problem>& problems) {
  for (const ParseProblem& problem : parsed.problems) {
    problems.push_back({problem.what, text.place(problem.offset), problem.remedy});
  }
}

/// An expression that C++ has made with operators: its symbols mean what their names mean in a text.
std::optional<Expr> imported(const Text& text, const SystemData& data, std::vector<Problem>& problems) {
  bool is_good = true;
  Substitution copy(*data.watched_graph);
  copy.ask([&](Expr symbol) {
    const Parsed meaning = read_watched(*data.watched_graph, data, symbol.name(), text.indices, Watched::expression);
    is_good &= meaning.problems.empty();
    for (const ParseProblem& problem : meaning.problems) {
      problems.push_back({problem.what, text.place(find_word(text.text, symbol.name())), problem.remedy});
    }
    return meaning.problems.empty() ? meaning.expression : data.watched_graph->constant(0);
  });
  const Expr result = copy(text.expression);
  return is_good ? std::optional(result) : std::nullopt;
}

std::optional<Expr> read(const Text& text, const SystemData& data, Watched form, std::vector<Problem>& problems) {
  const Parsed parsed = read_watched(*data.watched_graph, data, text.text, text.indices, form);
  add_problems(text, parsed, problems);
  return parsed.problems.empty() ? std::optional(parsed.expression) : std::nullopt;
}

void read_outputs(const SystemText& text, SystemData& data, std::vector<Problem>& problems) {
  std::set<std::string, std::less<>> taken(data.multiplier_names.begin(), data.multiplier_names.end());
  taken.insert({"energy", "work", "constraint"});
  for (const auto& [name, value] : data.invariants) taken.insert(name);
  for (const auto& [name, value] : text.outputs) {
    if (taken.contains(name.text)) {
      problems.push_back(
          {fmt::format("output '{}' has the name of something that every file has, or of an invariant", name.text),
           name.place(), "choose another name"});
    }
    const std::optional<Expr> expression =
        value.expression.graph != nullptr ? imported(value, data, problems) : read(value, data, Watched::expression, problems);
    data.outputs.emplace_back(name.text, expression.value_or(data.watched_graph->constant(0)));
  }
}

/// By how much a condition holds: zero where it changes.
struct Margin {
  Expr value;
  bool is_strict;  ///< it does not hold at zero

  Margin opposite() const { return {-value, !is_strict}; }
};

/// Zero, and no value where the expression has none.
Expr none_of(Expr value) { return value.graph->alias(value) - value; }

/// Conditions are a < b, 1 - c (not c), min(c, d) (both) and max(c, d) (one of them); see parse_condition.
Margin margin_of(Expr condition) {
  switch (condition.op()) {
    case Op::less: return {condition.b() - condition.a(), true};
    case Op::sub: return margin_of(condition.b()).opposite();
    case Op::min:
    case Op::max: {
      const Margin a = margin_of(condition.a()), b = margin_of(condition.b());
      const bool needs_both = condition.op() == Op::min;
      // min and max take the other one where one has no value; together they have none then.
      const Expr joined = needs_both ? min(a.value, b.value) : max(a.value, b.value);
      return {joined + none_of(a.value) + none_of(b.value), a.is_strict && b.is_strict};
    }
    default: return {condition, true};
  }
}

std::optional<Guard> read_guard(const Text& text, const SystemData& data, std::vector<Problem>& problems) {
  const bool is_written = text.expression.graph == nullptr;
  const auto condition = is_written ? read(text, data, Watched::condition, problems) : imported(text, data, problems);
  if (!condition) return std::nullopt;
  // Without a comparison an expression in C++ has to be positive.
  const bool is_compared = is_condition(*condition);
  if (is_written && !is_compared && !condition->is_constant()) {
    problems.push_back({"a guard of very many comparisons", text.place(), "write several guards"});
    return std::nullopt;
  }
  const Margin margin = is_compared ? margin_of(*condition) : Margin{*condition, true};
  Guard guard{shown_text(text) + (is_compared || is_written ? "" : " > 0"), margin.value, margin.is_strict};
  if (is_written && guard.margin.is_constant()) {
    problems.push_back({fmt::format("guard '{}' is always the same: nothing in it changes", guard.text), text.place(),
                        "use coordinates, velocities, multipliers, parameters or t in it"});
  }
  return guard;
}

}  // namespace

void watch(const SystemText& text, SystemData& data, std::vector<Problem>& problems) {
  if (text.outputs.empty() && text.guards.empty()) return;
  data.watched_graph = std::make_unique<Graph>(*data.graph);
  read_outputs(text, data, problems);
  for (const Text& each : text.guards) {
    if (auto guard = read_guard(each, data, problems)) data.guards.push_back(std::move(*guard));
  }
  data.watched_graph->freeze();
}

}  // namespace noslip

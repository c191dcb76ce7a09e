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

constexpr const char* where_conditions = "write one comparison, for example \"lambda(floor) > 0\"";

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
    const Parsed meaning = read_watched(*data.watched_graph, data, symbol.name(), text.indices, false);
    is_good &= meaning.problems.empty();
    for (const ParseProblem& problem : meaning.problems) {
      problems.push_back({problem.what, text.place(find_word(text.text, symbol.name())), problem.remedy});
    }
    return meaning.problems.empty() ? meaning.expression : data.watched_graph->constant(0);
  });
  const Expr result = copy(text.expression);
  return is_good ? std::optional(result) : std::nullopt;
}

std::optional<Expr> read_side(const Text& text, std::string_view part, const SystemData& data,
                              std::vector<Problem>& problems) {
  const Parsed parsed = read_watched(*data.watched_graph, data, part, text.indices, false);
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
    const std::optional<Expr> expression = value.expression.graph != nullptr
                                               ? imported(value, data, problems)
                                               : read_side(value, value.text, data, problems);
    data.outputs.emplace_back(name.text, expression.value_or(data.watched_graph->constant(0)));
  }
}

/// Where a comparison stands outside of brackets: its first byte and its length.
std::vector<std::pair<std::size_t, std::size_t>> comparisons_in(std::string_view text) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth > 0 || (c != '<' && c != '>')) continue;
    found.emplace_back(i, i + 1 < text.size() && text[i + 1] == '=' ? 2 : 1);
    i += found.back().second - 1;
  }
  return found;
}

/// The one place that knows what a condition is: a comparison, as the margin by which it holds.
std::optional<Guard> read_guard(const Text& text, const SystemData& data, std::vector<Problem>& problems) {
  const std::string shown = shown_text(text);
  if (text.expression.graph != nullptr) {
    const auto margin = imported(text, data, problems);
    if (!margin) return std::nullopt;
    return Guard{shown + " > 0", *margin, true};
  }
  const auto comparisons = comparisons_in(text.text);
  if (comparisons.size() != 1) {
    const bool has_none = comparisons.empty();
    problems.push_back(
        {fmt::format("guard '{}' {}", shown, has_none ? "is not a comparison" : "has several comparisons"),
         text.place(has_none ? 0 : comparisons[1].first),
         has_none ? where_conditions : "give one guard for each of them"});
    return std::nullopt;
  }
  const auto [at, length] = comparisons.front();
  // Both sides keep their places in the text.
  std::string left = text.text, right = text.text;
  std::fill(left.begin() + static_cast<std::ptrdiff_t>(at), left.end(), ' ');
  std::fill(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(at + length), ' ');
  const auto lower = read_side(text, left, data, problems), upper = read_side(text, right, data, problems);
  if (!lower || !upper) return std::nullopt;
  const bool is_below = text.text[at] == '<';
  const Guard guard{shown, is_below ? *upper - *lower : *lower - *upper, length == 1};
  if (guard.margin.is_constant()) {
    problems.push_back({fmt::format("guard '{}' is always the same: nothing in it changes", shown), text.place(),
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

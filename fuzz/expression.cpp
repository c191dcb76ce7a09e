// Any text as an expression, a relation or a list of reductions: it is refused with places in the text. An expression
// prints as a text that means the same, and has derivatives.
#include <set>

#include <noslip/ensemble/reduction.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>

#include "target.hpp"

namespace {

using namespace noslip;

/// Coordinates with velocities and momenta, parameters, an array, a size, an index, a multiplier.
Scope scope_of(Graph& graph) {
  static const std::set<std::string, std::less<>> coordinates{"x", "y", "theta", "q[0]", "q[1]", "q[2]"};
  static const std::set<std::string, std::less<>> others{"m", "g", "t"};
  const auto named = [&graph](const char* before, const char* behind) {
    return [&graph, before, behind](NameAt name) {
      return coordinates.contains(name.text) ? std::optional(graph.symbol(before + std::string(name.text) + behind))
                                             : std::nullopt;
    };
  };
  Scope scope;
  scope.symbol = [&graph](NameAt name) {
    return coordinates.contains(name.text) || others.contains(name.text) ? std::optional(graph.symbol(name.text))
                                                                         : std::nullopt;
  };
  scope.velocity = named("", "'");
  scope.momentum = named("p(", ")");
  scope.multiplier = [&graph](NameAt name) {
    return name.text == "1" ? std::optional(graph.symbol("psi(1)")) : std::nullopt;
  };
  scope.reaction = [&graph](NameAt name) {
    return name.text == "roll" ? std::optional(graph.symbol("lambda(1)")) : std::nullopt;
  };
  scope.constraints = {"roll", ""};
  scope.names = {"x", "y", "theta", "q", "m", "g", "t", "n"};
  scope.array = [](std::string_view name) {
    return name == "q" ? std::optional(std::pair<std::int64_t, std::int64_t>(0, 2)) : std::nullopt;
  };
  scope.size = [](std::string_view name) { return name == "n" ? std::optional(Number(3)) : std::nullopt; };
  scope.indices = {{"i", 1}};
  return scope;
}

void check(std::string_view text, bool is_relation) {
  Graph graph;
  const Scope scope = scope_of(graph);
  const Parsed parsed = is_relation ? parse_relation(graph, text, scope) : parse_expression(graph, text, scope);
  std::size_t last = 0;
  for (const ParseProblem& problem : parsed.problems) {
    fuzz::require(!problem.what.empty(), "a problem without words");
    fuzz::require(problem.offset >= last && problem.offset <= text.size(), "a problem outside of the text");
    last = problem.offset;
  }
  if (!parsed.problems.empty()) return;
  // Parts may be shared, so that a text is endless where an expression is short.
  const std::string printed = to_text(parsed.expression, 20000);
  if (printed.ends_with("...")) return;
  const Parsed again = parse_expression(graph, printed, scope);
  fuzz::require(again.problems.empty(), "what is printed is refused: " + printed);
  fuzz::require(again.expression == parsed.expression,
                "what is printed means something else: " + printed + ", " + to_text(again.expression));
  to_latex(parsed.expression);
  to_text(derivative(parsed.expression, graph.symbol("x")), 1000);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  if (fuzz::has_long_number(text, 3) && text.find("sum") != text.npos) return 0;
  check(text, false);
  check(text, true);
  fuzz::accepts([&] { parse_number(text, [](std::string_view) { return std::optional(Number(7)); }); });
  fuzz::accepts([&] { read_reductions(std::string(text)); });
  why_not_a_name_or_element(text);
  return 0;
}

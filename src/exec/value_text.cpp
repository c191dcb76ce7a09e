#include <noslip/exec/value_text.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/characters.hpp>
#include <noslip/exec/function.hpp>
#include <noslip/expr/parse.hpp>

namespace noslip {
namespace {

/// The value of an expression in these symbols.
quad value_of_text(Expr expression, Graph& graph, const Settings& names) {
  std::vector<Expr> symbols;
  std::vector<quad> values;
  for (const auto& [name, value] : names) {
    symbols.push_back(graph.symbol(name));
    values.push_back(value);
  }
  return Function<quad>({symbols}, {{expression}})({values}).output(0)[0];
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Words that stand for what no option takes; the expression grammar would call them unknown symbols.
bool is_not_finite_word(std::string text) {
  text = trimmed(text);
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.erase(0, 1);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  return text == "nan" || text == "inf" || text == "infinity";
}

}  // namespace

Value evaluate(const std::string& text, const Settings& names) {
  const auto not_finite = [] {
    return Value{{}, "the value has to be a finite number", "write a number such as 0.1, 1/10 or pi/2"};
  };
  if (trimmed(text).empty()) return {{}, "the value is empty", "write a number such as 0.1, 1/10 or pi/2"};
  if (!names.contains(trimmed(text)) && is_not_finite_word(text)) return not_finite();

  Graph graph;
  Scope scope;
  for (const auto& [name, value] : names) scope.names.push_back(name);
  scope.symbol = [&](std::string_view name) -> std::optional<Expr> {
    return names.contains(std::string(name)) ? std::optional(graph.symbol(name)) : std::nullopt;
  };
  scope.velocity = scope.momentum = scope.multiplier = [](std::string_view) { return std::optional<Expr>(); };

  const Parsed parsed = parse_expression(graph, text, scope);
  if (!parsed.problems.empty()) {
    const ParseProblem& problem = parsed.problems.front();
    return {{},
            fmt::format("that is not a number ({})", problem.what),
            problem.remedy.empty() ? "write a number such as 0.1, 1/10 or pi/2" : problem.remedy};
  }
  const quad number = value_of_text(parsed.expression, graph, names);
  if (!std::isfinite(static_cast<double>(number))) return not_finite();
  return {number, {}, {}};
}

std::optional<std::pair<std::string, std::string>> split_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return std::nullopt;
  std::pair<std::string, std::string> sides{trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1))};
  if (sides.first.empty() || sides.second.empty()) return std::nullopt;
  return sides;
}

std::vector<std::string> split_outside_brackets(const std::string& text, char separator) {
  std::vector<std::string> pieces{""};
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == separator && depth == 0) {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  for (std::string& piece : pieces) piece = trimmed(piece);
  return pieces;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> pieces;
  for (const std::string& piece : split_outside_brackets(text, ',')) {
    if (!pieces.empty() && piece.find('=') != std::string::npos) {
      pieces.back() += "," + piece;
    } else {
      pieces.push_back(piece);
    }
  }
  return pieces;
}

}  // namespace noslip

// Scopes for the tests of the parser.
#pragma once

#include <set>
#include <string>

#include <noslip/expr/parse.hpp>

namespace noslip::testing {

/// Knows every name; a velocity is the symbol "x'".
inline Scope open_scope(Graph& graph) {
  Scope scope;
  scope.symbol = [&graph](std::string_view name) { return std::optional(graph.symbol(name)); };
  scope.velocity = [&graph](std::string_view name) { return std::optional(graph.symbol(std::string(name) + "'")); };
  return scope;
}

/// Coordinates x, y, theta; parameters m, g, a; time.
inline Scope sleigh_scope(Graph& graph) {
  static const std::set<std::string, std::less<>> coordinates{"x", "y", "theta"};
  static const std::set<std::string, std::less<>> all{"x", "y", "theta", "m", "g", "a", "t"};
  Scope scope;
  scope.symbol = [&graph](std::string_view name) {
    return all.contains(name) ? std::optional(graph.symbol(name)) : std::nullopt;
  };
  scope.velocity = [&graph](std::string_view name) {
    return coordinates.contains(name) ? std::optional(graph.symbol(std::string(name) + "'")) : std::nullopt;
  };
  scope.names.assign(all.begin(), all.end());
  return scope;
}

}  // namespace noslip::testing

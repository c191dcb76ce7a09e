// Places at which functions have corners or jumps: where conditions change, whole numbers are passed, a table has a
// point.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// Something in functions that is constant in pieces. Between two places at which `piece` is the same the functions are
/// smooth, as far as it is about this one.
struct Switch {
  enum class Kind { comparison, whole, table };
  Kind kind = Kind::comparison;
  Expr piece;  ///< 1 where `quantity` is above zero, else 0; the whole number below `quantity`; the interval of a table
  Expr quantity;
  /// How many derivatives the functions have there, minus one: -1 at a jump, 0 at a corner.
  int smoothness = -1;
  std::optional<Table> table = std::nullopt;
};

/// Those that change with the variables, each once, in the order in which they were made. Functions in C++ are not
/// looked into.
std::vector<Switch> switches_of(std::span<const Expr> functions, std::span<const Expr> variables);

}  // namespace noslip

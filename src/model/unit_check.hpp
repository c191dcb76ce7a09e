// Do the units of an expression agree? Sums need terms of one unit, functions such as sin a number.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <noslip/expr/graph.hpp>
#include <noslip/model/units.hpp>

namespace noslip {

class UnitCheck {
 public:
  /// The unit of a symbol; nothing if it is not known. What depends on such a symbol is not known, either.
  using Lookup = std::function<std::optional<Unit>(const std::string& symbol)>;
  explicit UnitCheck(Lookup lookup) : lookup_(std::move(lookup)) {}

  /// The unit of an expression, nothing if it is not known, and zero has none. Problems are added to `found`, each once.
  std::optional<Unit> operator()(Expr expression);
  /// Is it zero, which has every unit?
  static bool has_every_unit(Expr expression) { return expression.is_zero(); }

  struct Disagreement {
    std::string what, remedy;
  };
  std::vector<Disagreement> found;

 private:
  std::optional<Unit> unit_of(Expr node);
  std::optional<Unit> known(Expr node) const;
  /// One unit of several terms.
  std::optional<Unit> common(Expr whole, Expr a, Expr b);
  std::optional<Unit> number_in(Expr function, Expr argument);

  Lookup lookup_;
  std::unordered_map<NodeId, std::optional<Unit>> units_;
};

}  // namespace noslip

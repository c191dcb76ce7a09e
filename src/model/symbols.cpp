#include <noslip/model/symbols.hpp>

#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>

#include "model/scope.hpp"

namespace noslip {
namespace {

std::string name_of(Expr symbol, const std::string& what) {
  const bool is_symbol = symbol.graph != nullptr && symbol.op() == Op::symbol;
  if (is_symbol && why_not_a_name_or_element(symbol.name()).empty()) return symbol.name();
  const std::string shown = symbol.graph == nullptr ? "nothing" : "'" + to_text(symbol, 60) + "'";
  throw InputError(what + " of " + shown, "only a symbol has one, such as that of a coordinate");
}

}  // namespace

Expr Symbols::operator[](std::string_view name) const& {
  const std::string reason = why_not_a_name_or_element(name);
  if (name != "t" && !reason.empty()) throw InputError(reason, "choose another name");
  return graph_->symbol(name);
}

std::vector<Expr> Symbols::numbered(std::string_view name, std::size_t count) const& {
  std::vector<Expr> symbols;
  for (std::size_t i = 1; i <= count; ++i) symbols.push_back((*this)[std::string(name) + std::to_string(i)]);
  return symbols;
}

Expr Symbols::multiplier(int number) const& {
  if (number < 1) throw InputError("multiplier " + std::to_string(number), "multipliers are numbered from 1");
  return graph_->symbol(psi_name(static_cast<std::size_t>(number)));
}

Expr dot(Expr coordinate) {
  const std::string name = name_of(coordinate, "the velocity");
  return coordinate.graph->symbol(name + "'");
}

Expr momentum(Expr coordinate) {
  const std::string name = name_of(coordinate, "the momentum");
  return coordinate.graph->symbol(momentum_name(name));
}

}  // namespace noslip

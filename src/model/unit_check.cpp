#include "model/unit_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/scalar.hpp>
#include <noslip/expr/print.hpp>

#include "expr/reach.hpp"

namespace noslip {
namespace {

constexpr std::size_t longest_part = 60;

std::string quoted(Expr part) {
  if (part.op() != Op::less) return "'" + to_text(part, longest_part) + "'";
  return fmt::format("'{} < {}'", to_text(part.a(), longest_part), to_text(part.b(), longest_part));
}

std::string in_words(Expr part, const Unit& unit) {
  return unit.is_number() ? fmt::format("{} is a number", quoted(part)) : fmt::format("{} is in {}", quoted(part), to_text(unit));
}

}  // namespace

std::optional<Unit> UnitCheck::operator()(Expr expression) {
  std::vector<NodeId> nodes;
  visit_reachable(*expression.graph, std::span(&expression.id, 1), [&](NodeId id) {
    if (units_.contains(id)) return false;
    nodes.push_back(id);
    return true;
  });
  std::sort(nodes.begin(), nodes.end());  // operands come first
  for (const NodeId id : nodes) units_[id] = unit_of({expression.graph, id});
  return units_.at(expression.id);
}

std::optional<Unit> UnitCheck::known(Expr node) const { return units_.at(node.id); }

std::optional<Unit> UnitCheck::common(Expr whole, Expr a, Expr b) {
  const auto of_a = known(a), of_b = known(b);
  if (has_every_unit(a) || !of_a) return of_b;
  if (has_every_unit(b) || !of_b) return of_a;
  if (*of_a == *of_b) return of_a;
  const bool has_number = of_a->is_number() || of_b->is_number();
  std::string what = fmt::format("{} and {} in {}", in_words(a, *of_a), in_words(b, *of_b), quoted(whole));
  if (of_a->has_dimension_of(*of_b)) {
    what += fmt::format(": they differ by the factor {}", to_short_text(of_a->scale / of_b->scale, 6));
  }
  found.push_back({std::move(what), has_number ? "make the number a parameter, and give it a unit"
                                               : "correct the expression, or the units"});
  return std::nullopt;
}

std::optional<Unit> UnitCheck::number_in(Expr function, Expr argument) {
  const auto unit = known(argument);
  if (unit && !unit->is_number() && !has_every_unit(argument)) {
    const bool is_angle = unit->has_dimension_of(Unit());
    found.push_back({fmt::format("{}, and {} needs a number", in_words(argument, *unit), quoted(function)),
                     is_angle ? "give angles in rad" : "divide it by a length, a time or whatever it is measured in"});
  }
  return Unit();
}

std::optional<Unit> UnitCheck::unit_of(Expr node) {
  switch (node.op()) {
    case Op::constant:
    case Op::pi: return Unit();
    case Op::symbol: return lookup_(node.name());
    case Op::alias:
    case Op::neg:
    case Op::abs: return known(node.a());
    case Op::sign: return Unit();
    case Op::add:
    case Op::sub:
    case Op::min:
    case Op::max: return common(node, node.a(), node.b());
    case Op::mul: {
      const auto a = known(node.a()), b = known(node.b());
      return a && b ? std::optional(*a * *b) : std::nullopt;
    }
    case Op::div: {
      const auto a = known(node.a()), b = known(node.b());
      return a && b ? std::optional(*a / *b) : std::nullopt;
    }
    case Op::powi: {
      const auto a = known(node.a());
      return a ? std::optional(power(*a, node.exponent())) : std::nullopt;
    }
    case Op::sqrt: {
      const auto a = known(node.a());
      return a ? std::optional(power(*a, 0.5)) : std::nullopt;
    }
    case Op::pow: {
      const auto a = known(node.a());
      number_in(node, node.b());
      if (node.b().is_constant()) {
        return a ? std::optional(power(*a, static_cast<double>(node.b().number().value()))) : std::nullopt;
      }
      return number_in(node, node.a());
    }
    case Op::atan2:
    case Op::less: common(node, node.a(), node.b()); return Unit();
    case Op::select: return common(node, node.b(), node.c());
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::exp:
    case Op::floor:
    case Op::log: return number_in(node, node.a());
    default: return std::nullopt;  // tables and functions written in C++ may have any
  }
}

}  // namespace noslip

// Text that parses back to the same node. Why that holds: a node is what its own constructor gives for its operands,
// sums and products do not care about the order of their operands, and constant factors move out of products by
// themselves, so c*(a*b) may be written c*a*b.
#include <noslip/expr/print.hpp>

#include <quadmath.h>

#include "expr/term.hpp"
#include "expr/writer.hpp"

namespace noslip {
namespace {

enum Level { anything, sum_level, product_level, factor_level, power_level, atom_level };

std::string text_of(const Number& number) {
  if (finiteq(number.value())) return to_text(number);
  return number.is_negative() ? "-1e4932*1e4932" : "1e4932*1e4932";  // folds to infinity again
}

int level_of(Expr e) {
  switch (e.op()) {
    case Op::constant:
      if (text_of(e.number()).find_first_of("/*") != std::string::npos) return product_level;
      return e.number().is_negative() ? product_level : atom_level;
    case Op::add:
    case Op::sub: return sum_level;
    case Op::div:
      // a/0 stays as it is, so a factor in front of it must not become a factor of the numerator.
      return e.b().is_zero() ? sum_level : product_level;
    case Op::neg:
    case Op::mul: return product_level;
    case Op::powi:
    case Op::pow: return power_level;
    default: return atom_level;
  }
}

std::vector<Piece> pieces_of_sum(Expr a, Expr b) {
  if (b.is_constant() && b.number().is_negative()) return {{a, sum_level}, " - ", text_of(-b.number())};
  if (is_sum(meaning_of(b)) && !is_sum(meaning_of(a)) && !a.is_constant()) std::swap(a, b);
  return {{a, sum_level}, " + ", {b, product_level}};
}

std::vector<Piece> pieces_of_product(Expr a, Expr b) {
  if (a.is_constant()) {
    if (is_reciprocal(b)) return {text_of(a.number()), "/", {b.b(), factor_level}};
    return {text_of(a.number()), "*", {b, product_level}};
  }
  const bool swap = is_reciprocal(a) || (!is_reciprocal(b) && level_of(meaning_of(a)) > product_level &&
                                         level_of(meaning_of(b)) == product_level);
  if (swap) std::swap(a, b);
  return {{a, product_level}, "*", {b, factor_level}};
}

std::vector<Piece> pieces_of_call(Expr e) {
  std::vector<Piece> pieces{to_text(e.op()), "(", {e.a(), anything}};
  if (arity(e.op()) > 1) pieces.insert(pieces.end(), {", ", {e.b(), anything}});
  if (arity(e.op()) > 2) pieces.insert(pieces.end(), {", ", {e.c(), anything}});
  pieces.emplace_back(")");
  return pieces;
}

/// pull(x, x'), and its derivative by the first argument, pull[1](x, x').
std::vector<Piece> pieces_of_external(Expr e) {
  const Call& called = e.called();
  std::string name = called.function.name();
  for (std::size_t i = 0; i < called.by.size(); ++i) name += (i == 0 ? "[" : ", ") + std::to_string(called.by[i] + 1);
  std::vector<Piece> pieces{name + (called.by.empty() ? "(" : "](")};
  for (const Expr& argument : arguments_of(e)) {
    if (pieces.size() > 1) pieces.emplace_back(", ");
    pieces.emplace_back(argument, anything);
  }
  pieces.emplace_back(")");
  return pieces;
}

/// steer, and its derivatives steer', steer'', ...
std::string name_of_table(Expr e) {
  if (e.table_derivative() == Graph::interval) return e.table().name() + ".interval";
  return e.table().name() + std::string(static_cast<std::size_t>(e.table_derivative()), '\'');
}

std::vector<Piece> pieces_of_choice(Expr e) {
  static constexpr ConditionWords words = {" < ", " <= ", " and ", " or ", "not ", "(", ")", anything};
  std::vector<Piece> pieces{"if("};
  append_condition(pieces, e.a(), words, true);
  pieces.insert(pieces.end(), {", ", {e.b(), anything}, ", ", {e.c(), anything}, ")"});
  return pieces;
}

std::vector<Piece> pieces_of(Expr e) {
  switch (e.op()) {
    case Op::constant: return {text_of(e.number())};
    case Op::pi: return {"pi"};
    case Op::symbol: return {e.name()};
    case Op::neg: return {"-", {e.a(), product_level}};
    case Op::add: return pieces_of_sum(e.a(), e.b());
    case Op::sub: return {{e.a(), sum_level}, " - ", {e.b(), product_level}};
    case Op::mul: return pieces_of_product(e.a(), e.b());
    case Op::div: return {{e.a(), e.b().is_zero() ? atom_level : product_level}, "/", {e.b(), factor_level}};
    case Op::powi: return {{e.a(), atom_level}, "^", std::to_string(e.exponent())};
    case Op::pow: return {{e.a(), atom_level}, "^", {e.b(), power_level}};
    case Op::call: return pieces_of_external(e);
    case Op::select: return pieces_of_choice(e);
    case Op::table: return {name_of_table(e) + "(", {e.a(), anything}, ")"};
    default: return pieces_of_call(e);
  }
}

}  // namespace

std::string to_text(Expr expression) { return write(expression, {"(", ")"}, pieces_of, level_of); }

std::string to_text(Expr expression, std::size_t most) {
  std::string text = write(expression, {"(", ")"}, pieces_of, level_of, most);
  if (text.size() > most) text.replace(most, std::string::npos, "...");
  return text;
}

}  // namespace noslip

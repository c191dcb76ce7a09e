// Sums, products, quotients and integer powers, simplified as they are made.
//
// Every rule looks only at the operands and their operands, and a node is interned only where no rule applies. So a
// node is always what its own constructor gives for its own operands, which is why printing and parsing, or copying,
// reproduces it. Normal forms:
// - products: c*rest with a constant c other than 0, 1, -1; -rest is a neg; c/y is c*(1/y), so that reciprocals are
//   shared;
// - sums: positive coefficients only, a + b, a - b, or the neg of a sum; x + c with the constant behind; c - x;
// - powers: exponent 2 and more; x^-n is 1/x^n.
#include <cassert>
#include <cstdint>
#include <limits>
#include <optional>
#include <quadmath.h>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/expr/print.hpp>

#include "expr/term.hpp"

namespace noslip {

void refuse_two_graphs(Expr a, Expr b) {
  if (a.graph == nullptr || b.graph == nullptr) {
    throw InputError("an expression is used that has not been set", "make it from the symbols of a Symbols");
  }
  constexpr std::size_t most = 60;
  throw InputError(fmt::format("'{}' and '{}' belong to two graphs", to_text(a, most), to_text(b, most)),
                   "what is combined has to be made from the symbols of one Symbols");
}

Term split(Expr e) {
  const Node node = e.node();
  if (node.op == Op::constant) return {e.number(), e.graph->constant(1)};
  if (node.op == Op::neg) return {-1, e.a()};
  if (node.op == Op::mul && e.a().is_constant()) return {e.a().number(), e.b()};
  return {1, e};
}

Expr scaled(const Number& c, Expr e) {
  Graph& graph = *e.graph;
  if (c.is_one()) return e;
  const Term term = split(e);
  const Number coefficient = c * term.coefficient;
  const Expr rest = term.rest;
  if (coefficient.is_zero()) return graph.constant(0);
  if (rest.is_one()) return graph.constant(coefficient);
  if (coefficient.is_one()) return rest;
  if (!coefficient.is_minus_one()) return binary(Op::mul, graph.constant(coefficient), rest);
  if (rest.op() == Op::sub) return rest.b() - rest.a();
  if (rest.op() == Op::add && rest.b().is_constant()) return graph.constant(-Number(rest.b().number())) - rest.a();
  return unary(Op::neg, rest);
}

Number power(Number c, unsigned n) {
  Number result = 1;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = result * c;
    if (n > 1) c = c * c;
  }
  return result;
}

namespace {

Expr combine(Expr a, Expr b, bool minus);

Expr absolute(const Term& term) {
  return scaled(term.coefficient.is_negative() ? -term.coefficient : term.coefficient, term.rest);
}

/// e + c
Expr add_constant(Expr e, const Number& c) {
  Graph& graph = *e.graph;
  if (c.is_zero()) return e;
  if (e.op() == Op::add && e.b().is_constant()) return add_constant(e.a(), e.b().number() + c);
  if (e.op() == Op::sub && e.a().is_constant()) return graph.constant(e.a().number() + c) - e.b();
  const Term term = split(e);
  const Number size = term.coefficient.is_negative() ? -term.coefficient : term.coefficient;
  if (!size.is_one() && size == (c.is_negative() ? -c : c)) {  // a common factor, as in 2*x - 2
    return scaled(size,
                  add_constant(scaled(term.coefficient.is_negative() ? -1 : 1, term.rest), c.is_negative() ? -1 : 1));
  }
  if (term.coefficient.is_negative()) return binary(Op::sub, graph.constant(c), absolute(term));
  return binary(Op::add, e, graph.constant(c));
}

/// One of the two terms of `sum` is a multiple of the rest of `term`: they meet.
bool meets(Expr sum, Expr rest) {
  if (!is_sum(sum)) return false;
  return split(sum.a()).rest == rest || split(sum.b()).rest == rest;
}

bool is_square_of(Expr e, Op function) { return e.op() == Op::powi && e.exponent() == 2 && e.a().op() == function; }

/// sin^2 + cos^2 and cosh^2 - sinh^2 of one argument.
bool is_unit_circle(Expr a, Expr b, bool minus) {
  if (minus) return is_square_of(a, Op::cosh) && is_square_of(b, Op::sinh) && a.a().a() == b.a().a();
  return ((is_square_of(a, Op::sin) && is_square_of(b, Op::cos)) ||
          (is_square_of(a, Op::cos) && is_square_of(b, Op::sin))) &&
         a.a().a() == b.a().a();
}

/// a + b or a - b where both have positive coefficients, neither is a constant, and they are not alike.
Expr combine_positive(Expr a, Expr b, const Term& ta, const Term& tb, bool minus) {
  Graph& graph = *a.graph;
  if (ta.coefficient == tb.coefficient && !ta.coefficient.is_one()) {
    return scaled(ta.coefficient, combine(ta.rest, tb.rest, minus));
  }
  if (ta.coefficient == tb.coefficient && is_unit_circle(a, b, minus)) return graph.constant(1);
  if (meets(a, tb.rest)) {
    const Expr p = a.a(), q = a.b();
    const bool minus_q = a.op() == Op::sub;
    if (split(p).rest == tb.rest) return combine(combine(p, b, minus), q, minus_q);
    return minus_q ? combine(p, combine(q, b, !minus), true) : combine(p, combine(q, b, minus), false);
  }
  if (meets(b, ta.rest)) {
    const Expr p = b.a(), q = b.b();
    const bool minus_q = minus != (b.op() == Op::sub);
    if (split(p).rest == ta.rest) return combine(combine(a, p, minus), q, minus_q);
    return combine(combine(a, q, minus_q), p, minus);
  }
  if (!minus && a.op() == Op::sub && b.op() == Op::sub && a.a() == b.b() && a.b() == b.a()) return graph.constant(0);
  return binary(minus ? Op::sub : Op::add, a, b);
}

Expr combine(Expr a, Expr b, bool minus) {
  require_one_graph(a, b);
  if (!minus && a.id > b.id) std::swap(a, b);
  const Term ta = split(a);
  Term tb = split(b);
  if (minus) tb.coefficient = -tb.coefficient;
  if (tb.coefficient.is_zero()) return a;
  if (ta.coefficient.is_zero()) return scaled(tb.coefficient, tb.rest);
  if (ta.rest == tb.rest) return scaled(ta.coefficient + tb.coefficient, ta.rest);
  if (tb.rest.is_one()) return add_constant(a, tb.coefficient);
  if (ta.rest.is_one()) return add_constant(scaled(tb.coefficient, tb.rest), ta.coefficient);

  const bool negative_a = ta.coefficient.is_negative(), negative_b = tb.coefficient.is_negative();
  Expr pa = negative_a ? absolute(ta) : a, pb = absolute(tb);
  if (negative_a && negative_b) return scaled(-1, combine(pa, pb, false));
  if (negative_a) return combine(pb, pa, true);
  if (negative_b) tb.coefficient = -tb.coefficient;
  // The positive form may be another order, or (for differences) another node: start again from it.
  if (pb != b) return combine(pa, pb, negative_b);
  return combine_positive(pa, pb, ta, tb, negative_b);
}

struct Power {
  Expr base;
  std::int64_t exponent;
};

Power base_of(Expr e) { return e.op() == Op::powi ? Power{e.a(), e.exponent()} : Power{e, 1}; }

bool is_exponent(std::int64_t n) { return n > std::numeric_limits<int>::min() && n <= std::numeric_limits<int>::max(); }

/// x/y where something cancels, nothing otherwise. Both are rests.
std::optional<Expr> cancelled(Expr x, Expr y) {
  const Expr one = x.graph->constant(1);
  if (x == y) return one;
  const Power px = base_of(x), py = base_of(y);
  if (px.base == py.base && is_exponent(px.exponent - py.exponent)) {
    return powi(px.base, static_cast<int>(px.exponent - py.exponent));
  }
  if (x.op() == Op::mul && x.a() == y) return x.b();
  if (x.op() == Op::mul && x.b() == y) return x.a();
  if (x.op() == Op::div && x.a() == y) return one / x.b();
  if (y.op() == Op::mul && y.a() == x) return one / y.b();
  if (y.op() == Op::mul && y.b() == x) return one / y.a();
  if (y.op() == Op::sqrt && y.a() == x) return y;
  if (x.op() == Op::sqrt && x.a() == y) return one / x;
  return std::nullopt;
}

/// x*y for rests that are not constants. A reciprocal that does not cancel stays a factor: it may be shared by many.
Expr product(Expr x, Expr y) {
  if (x.id > y.id) std::swap(x, y);
  const Power px = base_of(x), py = base_of(y);
  if (px.base == py.base && is_exponent(px.exponent + py.exponent)) {
    return powi(px.base, static_cast<int>(px.exponent + py.exponent));
  }
  if (x.op() == Op::div && x.b() == y) return x.a();
  if (y.op() == Op::div && y.b() == x) return y.a();
  if (is_reciprocal(x) && !is_reciprocal(y)) {
    if (const auto result = cancelled(y, x.b())) return *result;
  }
  if (is_reciprocal(y) && !is_reciprocal(x)) {
    if (const auto result = cancelled(x, y.b())) return *result;
  }
  return binary(Op::mul, x, y);
}

/// x/y for rests; only x may be the constant one.
Expr quotient(Expr x, Expr y) {
  if (y.op() == Op::div) return x * y.b() / y.a();
  if (const auto result = cancelled(x, y)) return *result;
  return binary(Op::div, x, y);
}

}  // namespace

Expr operator+(Expr a, Expr b) { return combine(a, b, false); }
Expr operator-(Expr a, Expr b) { return combine(a, b, true); }
Expr operator-(Expr a) { return scaled(-1, a); }

Expr operator*(Expr a, Expr b) {
  require_one_graph(a, b);
  const Term ta = split(a), tb = split(b);
  if (ta.rest.is_one()) return scaled(ta.coefficient, b);
  if (tb.rest.is_one()) return scaled(tb.coefficient, a);
  return scaled(ta.coefficient * tb.coefficient, product(ta.rest, tb.rest));
}

Expr operator/(Expr a, Expr b) {
  require_one_graph(a, b);
  if (b.is_zero()) return binary(Op::div, a, b);
  if (a.is_zero() || b.is_one()) return a;
  const Term ta = split(a), tb = split(b);
  const Number coefficient = ta.coefficient / tb.coefficient;
  if (tb.rest.is_one()) return scaled(coefficient, ta.rest);
  return scaled(coefficient, quotient(ta.rest, tb.rest));
}

Expr powi(Expr a, int exponent) {
  Graph& graph = *a.graph;
  if (exponent == 0) return graph.constant(1);
  if (exponent == 1) return a;
  assert(is_exponent(exponent));
  if (exponent < 0) return graph.constant(1) / powi(a, -exponent);
  const Term term = split(a);
  if (!term.coefficient.is_one()) {
    const Number factor = power(term.coefficient, static_cast<unsigned>(exponent));
    const bool in_range = finiteq(factor.value()) && (!factor.is_zero() || term.coefficient.is_zero());
    if (in_range) return term.rest.is_one() ? graph.constant(factor) : scaled(factor, powi(term.rest, exponent));
  }
  if (a.is_one()) return a;
  const bool even = exponent % 2 == 0;
  const Expr inner = arity(a.op()) > 0 ? a.a() : a;
  switch (a.op()) {
    case Op::powi: {
      const std::int64_t merged = static_cast<std::int64_t>(a.exponent()) * exponent;
      if (is_exponent(merged)) return powi(inner, static_cast<int>(merged));
      break;
    }
    case Op::sqrt: return even ? powi(inner, exponent / 2) : powi(inner, exponent / 2) * a;
    case Op::abs:
      if (even) return powi(inner, exponent);
      break;
    case Op::exp: return exp(Number(exponent) * inner);
    case Op::sub:
      if (even && a.a().id > a.b().id) return powi(a.b() - a.a(), exponent);
      break;
    default: break;
  }
  return graph.intern({.op = Op::powi, .a = a.id, .payload = static_cast<std::uint32_t>(exponent)});
}

Expr operator+(Expr a, const Number& b) { return a + a.graph->constant(b); }
Expr operator+(const Number& a, Expr b) { return b.graph->constant(a) + b; }
Expr operator-(Expr a, const Number& b) { return a - a.graph->constant(b); }
Expr operator-(const Number& a, Expr b) { return b.graph->constant(a) - b; }
Expr operator*(Expr a, const Number& b) { return a * a.graph->constant(b); }
Expr operator*(const Number& a, Expr b) { return b.graph->constant(a) * b; }
Expr operator/(Expr a, const Number& b) { return a / a.graph->constant(b); }
Expr operator/(const Number& a, Expr b) { return b.graph->constant(a) / b; }

}  // namespace noslip

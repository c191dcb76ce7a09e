// Elementary functions, simplified as they are made: exact special values, symmetries, inverses that cancel.
// A function of any other constant stays a node; it gets its value when the scalar type is known.
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "expr/term.hpp"

namespace noslip {
namespace {

Expr number(Expr near, const Number& value) { return near.graph->constant(value); }
Expr pi_times(Expr near, long long numerator, long long denominator) {
  return Number::rational(numerator, denominator) * near.graph->pi();
}

/// f(-x) = -f(x); f(0) = 0. Nothing if neither applies.
std::optional<Expr> odd(Expr (*function)(Expr), Expr a) {
  const Term term = split(a);
  if (term.coefficient.is_zero()) return a;
  if (term.coefficient.is_negative()) return -function(-a);
  return std::nullopt;
}

/// f(-x) = f(x)
std::optional<Expr> even(Expr (*function)(Expr), Expr a) {
  if (split(a).coefficient.is_negative()) return function(-a);
  return std::nullopt;
}

/// k modulo 4 where a is k times pi/2.
std::optional<int> quarter_turns(Expr a) {
  const Term term = split(a);
  if (term.rest.op() != Op::pi) return std::nullopt;
  const Number quarters = term.coefficient * 2;
  if (!quarters.is_integer()) return std::nullopt;
  return static_cast<int>((quarters.numerator() % 4 + 4) % 4);
}

std::optional<std::int64_t> exact_root(std::int64_t n) {
  if (n < 0) return std::nullopt;
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<long double>(n)));
  while (root > 0 && root > n / root) --root;
  while (root + 1 <= n / (root + 1)) ++root;
  if (root * root != n) return std::nullopt;
  return root;
}

/// The square root of a rational that is a square.
std::optional<Number> exact_root(const Number& c) {
  if (!c.is_rational()) return std::nullopt;
  const auto numerator = exact_root(c.numerator()), denominator = exact_root(c.denominator());
  if (!numerator || !denominator) return std::nullopt;
  return Number::rational(*numerator, *denominator);
}

/// Of 1 - c with a condition c, which is 0 or 1.
std::optional<Expr> opposite_of(Expr condition) {
  if (condition.op() != Op::sub || !condition.a().is_one() || !is_condition(condition.b())) return std::nullopt;
  return condition.b();
}

bool is_constant(Expr e, long long value) { return e.is_constant() && e.number() == Number(value); }

}  // namespace

Expr sqrt(Expr a) {
  const Term term = split(a);
  if (const auto root = exact_root(term.coefficient)) {
    if (term.rest.is_one()) return number(a, *root);
    if (!root->is_one()) return scaled(*root, sqrt(term.rest));
  }
  if (a.op() == Op::powi && a.exponent() % 2 == 0) return abs(powi(a.a(), a.exponent() / 2));
  return unary(Op::sqrt, a);
}

Expr abs(Expr a) {
  const Term term = split(a);
  if (term.rest.is_one()) return number(a, term.coefficient.is_negative() ? -term.coefficient : term.coefficient);
  if (term.coefficient.is_negative()) return abs(-a);
  if (!term.coefficient.is_one()) return scaled(term.coefficient, abs(term.rest));
  switch (a.op()) {
    case Op::powi:
      if (a.exponent() % 2 == 0) return a;
      break;
    case Op::abs:
    case Op::sqrt:
    case Op::exp:
    case Op::cosh:
    case Op::acos:
    case Op::pi: return a;
    case Op::sub:
      if (a.a().id > a.b().id) return abs(a.b() - a.a());
      break;
    default: break;
  }
  return unary(Op::abs, a);
}

Expr sign(Expr a) {
  const Term term = split(a);
  if (term.coefficient.is_zero()) return a;
  if (term.rest.is_one()) return number(a, term.coefficient.is_negative() ? -1 : 1);
  if (term.coefficient.is_negative()) return -sign(-a);
  if (!term.coefficient.is_one()) return sign(term.rest);
  if (a.op() == Op::exp || a.op() == Op::cosh || a.op() == Op::pi) return number(a, 1);
  if (a.op() == Op::sign) return a;
  return unary(Op::sign, a);
}

Expr floor(Expr a) {
  if (a.is_constant()) return number(a, floor(a.number()));
  if (a.op() == Op::floor || a.op() == Op::sign || a.op() == Op::less) return a;
  return unary(Op::floor, a);
}

Expr sin(Expr a) {
  if (const auto result = odd(sin, a)) return *result;
  if (const auto turns = quarter_turns(a)) return number(a, *turns % 2 == 0 ? 0 : 2 - *turns);
  if (a.op() == Op::asin) return a.a();
  return unary(Op::sin, a);
}

Expr cos(Expr a) {
  if (const auto result = even(cos, a)) return *result;
  if (a.is_zero()) return number(a, 1);
  if (const auto turns = quarter_turns(a)) return number(a, *turns % 2 == 1 ? 0 : 1 - *turns);
  if (a.op() == Op::acos) return a.a();
  return unary(Op::cos, a);
}

Expr tan(Expr a) {
  if (const auto result = odd(tan, a)) return *result;
  if (const auto turns = quarter_turns(a); turns && *turns % 2 == 0) return number(a, 0);
  if (a.op() == Op::atan) return a.a();
  return unary(Op::tan, a);
}

Expr asin(Expr a) {
  if (const auto result = odd(asin, a)) return *result;
  if (a.is_one()) return pi_times(a, 1, 2);
  return unary(Op::asin, a);
}

Expr acos(Expr a) {
  if (a.is_one()) return number(a, 0);
  if (a.is_zero()) return pi_times(a, 1, 2);
  if (is_constant(a, -1)) return a.graph->pi();
  return unary(Op::acos, a);
}

Expr atan(Expr a) {
  if (const auto result = odd(atan, a)) return *result;
  if (a.is_one()) return pi_times(a, 1, 4);
  return unary(Op::atan, a);
}

Expr sinh(Expr a) {
  if (const auto result = odd(sinh, a)) return *result;
  return unary(Op::sinh, a);
}

Expr cosh(Expr a) {
  if (const auto result = even(cosh, a)) return *result;
  return a.is_zero() ? number(a, 1) : unary(Op::cosh, a);
}

Expr tanh(Expr a) {
  if (const auto result = odd(tanh, a)) return *result;
  return unary(Op::tanh, a);
}

Expr exp(Expr a) {
  if (a.is_zero()) return number(a, 1);
  if (a.op() == Op::log) return a.a();
  return unary(Op::exp, a);
}

Expr log(Expr a) {
  if (a.is_one()) return number(a, 0);
  if (a.op() == Op::exp) return a.a();
  return unary(Op::log, a);
}

Expr atan2(Expr y, Expr x) {
  require_one_graph(y, x);
  if (y.is_constant() && x.is_constant()) {
    const bool negative_x = x.number().is_negative(), negative_y = y.number().is_negative();
    if (y.is_zero() && !x.is_zero()) return negative_x ? y.graph->pi() : y;
    if (x.is_zero() && !y.is_zero()) return pi_times(y, negative_y ? -1 : 1, 2);
  }
  return binary(Op::atan2, y, x);
}

Expr pow(Expr base, Expr exponent) {
  require_one_graph(base, exponent);
  if (base.is_one()) return base;
  if (exponent.is_constant() && exponent.number().is_rational()) {
    const Number n = exponent.number();
    if (n.denominator() <= 2 && std::abs(n.numerator()) <= std::numeric_limits<int>::max()) {
      const int numerator = static_cast<int>(n.numerator());
      if (n.is_integer()) return powi(base, numerator);
      if (numerator < 0) return 1 / pow(base, number(base, -n));
      const Expr whole = powi(base, numerator / 2);
      return whole * sqrt(base);
    }
  }
  if (base.op() == Op::exp) return exp(base.a() * exponent);
  return binary(Op::pow, base, exponent);
}

Expr min(Expr a, Expr b) {
  require_one_graph(a, b);
  if (a == b) return a;
  if (a.is_constant() && b.is_constant()) return a.number().value() < b.number().value() ? a : b;
  return a.id < b.id ? binary(Op::min, a, b) : binary(Op::min, b, a);
}

Expr max(Expr a, Expr b) {
  require_one_graph(a, b);
  if (a == b) return a;
  if (a.is_constant() && b.is_constant()) return a.number().value() < b.number().value() ? b : a;
  return a.id < b.id ? binary(Op::max, a, b) : binary(Op::max, b, a);
}

Expr less(Expr a, Expr b) {
  require_one_graph(a, b);
  if (a == b) return number(a, 0);
  if (a.is_constant() && b.is_constant()) return number(a, a.number().value() < b.number().value() ? 1 : 0);
  return binary(Op::less, a, b);
}

Expr mod(Expr a, Expr b) {
  if (b.is_zero()) return a / b;  // which has no value; 0*floor(a/0) would be 0
  const Expr turns = floor(a / b);
  return a - b * turns;
}

Expr clamp(Expr x, Expr low, Expr high) {
  const Expr above = max(x, low);
  return min(above, high);
}

Expr step(Expr x) {
  const Expr before = number(x, 0);
  return select(less(x, before), before, number(x, 1));
}

Expr select(Expr condition, Expr positive, Expr otherwise) {
  require_one_graph(condition, positive);
  require_one_graph(condition, otherwise);
  if (positive == otherwise) return positive;
  // 0 < c says what c > 0 says, and not c chooses the other way round.
  if (condition.op() == Op::less && condition.a().is_zero()) condition = condition.b();
  if (const auto opposite = opposite_of(condition)) return select(*opposite, otherwise, positive);
  if (condition.is_constant()) return condition.number().value() > 0 ? positive : otherwise;
  return condition.graph->intern({.op = Op::select, .a = condition.id, .b = positive.id, .c = otherwise.id});
}

bool is_condition(Expr e) {
  constexpr std::size_t largest = 256;
  std::vector<Expr> open{e};
  for (std::size_t seen = 0; !open.empty(); ++seen) {
    const Expr part = open.back();
    open.pop_back();
    switch (part.op()) {
      case Op::less: break;
      case Op::min:
      case Op::max:
        open.push_back(part.a());
        open.push_back(part.b());
        break;
      case Op::sub:
        if (!part.a().is_one()) return false;
        open.push_back(part.b());
        break;
      default: return false;
    }
    if (seen == largest) return false;
  }
  return true;
}

Expr pow(Expr base, const Number& exponent) { return pow(base, number(base, exponent)); }
Expr atan2(Expr y, const Number& x) { return atan2(y, number(y, x)); }
Expr atan2(const Number& y, Expr x) { return atan2(number(x, y), x); }
Expr min(Expr a, const Number& b) { return min(a, number(a, b)); }
Expr max(Expr a, const Number& b) { return max(a, number(a, b)); }

Expr apply(Op op, Expr a, Expr b, Expr c, std::uint32_t payload) {
  switch (op) {
    case Op::constant:
    case Op::pi:
    case Op::symbol: return a.graph->intern({.op = op, .payload = payload});
    case Op::alias: return a.graph->alias(a);
    case Op::neg: return -a;
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::powi: return powi(a, static_cast<std::int32_t>(payload));
    case Op::sqrt: return sqrt(a);
    case Op::abs: return abs(a);
    case Op::sign: return sign(a);
    case Op::floor: return floor(a);
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return tan(a);
    case Op::asin: return asin(a);
    case Op::acos: return acos(a);
    case Op::atan: return atan(a);
    case Op::sinh: return sinh(a);
    case Op::cosh: return cosh(a);
    case Op::tanh: return tanh(a);
    case Op::exp: return exp(a);
    case Op::log: return log(a);
    case Op::atan2: return atan2(a, b);
    case Op::pow: return pow(a, b);
    case Op::min: return min(a, b);
    case Op::max: return max(a, b);
    case Op::less: return less(a, b);
    case Op::select: return select(a, b, c);
    case Op::arguments: return binary(op, a, b);
    case Op::table:
    case Op::call: return a.graph->intern({.op = op, .a = a.id, .payload = payload});
  }
  assert(false);
  return a;
}

Expr look_up(const Table& table, Expr argument, int derivative) {
  Graph& graph = *argument.graph;
  return graph.intern({.op = Op::table,
                       .a = argument.id,
                       .payload = graph.index_of(table) * 8 + static_cast<std::uint32_t>(derivative)});
}

Expr sum(Graph& graph, std::span<const Expr> terms) {
  if (terms.empty()) return graph.constant(0);
  if (terms.size() == 1) return terms.front();
  const std::size_t half = terms.size() / 2;
  const Expr left = sum(graph, terms.first(half));  // in order: node numbers must not depend on the compiler
  const Expr right = sum(graph, terms.subspan(half));
  return left + right;
}

Expr dot(Graph& graph, std::span<const Expr> a, std::span<const Expr> b) {
  assert(a.size() == b.size());
  std::vector<Expr> products;
  products.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Expr product = a[i] * b[i];
    if (!product.is_zero()) products.push_back(product);
  }
  return sum(graph, products);
}

}  // namespace noslip

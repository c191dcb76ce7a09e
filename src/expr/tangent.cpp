// Where an expression makes more than one node, the order is spelled out: node numbers, and with them the order in
// which operands are printed, must not depend on the compiler.
#include "expr/tangent.hpp"

#include "expr/calls.hpp"
#include "expr/maybe.hpp"

namespace noslip {
namespace {

Maybe times(Expr factor, Maybe d) { return d ? Maybe(factor * *d) : std::nullopt; }

Maybe tangent_of_quotient(Expr f, Maybe da, Maybe db) {
  const Expr a = f.a(), b = f.b();
  if (!db) return *da / b;
  if (a.is_one()) return -(powi(f, 2) * *db);
  if (!da) return -(f * (*db / b));
  return (*da - f * *db) / b;
}

Maybe tangent_of_power(Expr f, Maybe da, Maybe db) {
  const Expr a = f.a(), b = f.b();
  const Maybe by_base = da ? Maybe(b * pow(a, b - 1) * *da) : std::nullopt;
  const Maybe by_exponent = db ? Maybe(f * log(a) * *db) : std::nullopt;
  return plus(by_base, by_exponent);
}

/// `changes` are those of the arguments, in the form of arguments.
Maybe tangent_of_call(Expr f, Expr changes) {
  const std::vector<Expr> parts = parts_of(changes, f.called().function.argument_count());
  Maybe result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].is_zero()) result = plus(result, derivative_of_call(f, i) * parts[i]);
  }
  return result;
}

Maybe tangent_of_unary(Expr f, Expr da) {
  const Expr a = f.a();
  switch (f.op()) {
    case Op::alias: return da;
    case Op::neg: return -da;
    case Op::powi: return Number(f.exponent()) * powi(a, f.exponent() - 1) * da;
    case Op::sqrt: return da / (2 * f);
    case Op::abs: return sign(a) * da;
    case Op::sin: return cos(a) * da;
    case Op::cos: return -(sin(a) * da);
    case Op::tan: return (powi(f, 2) + 1) * da;
    case Op::asin: return da / sqrt(1 - powi(a, 2));
    case Op::acos: return -(da / sqrt(1 - powi(a, 2)));
    case Op::atan: return da / (powi(a, 2) + 1);
    case Op::sinh: return cosh(a) * da;
    case Op::cosh: return sinh(a) * da;
    case Op::tanh: return (1 - powi(f, 2)) * da;
    case Op::exp: return f * da;
    case Op::log: return da / a;
    case Op::table:
      if (f.table_derivative() >= f.table().degree()) return std::nullopt;  // constant in pieces
      return look_up(Table(f.table()), a, f.table_derivative() + 1) * da;
    default: return std::nullopt;  // sign and floor are constant almost everywhere
  }
}

}  // namespace

std::optional<Expr> tangent(Expr f, Maybe da, Maybe db, Maybe dc) {
  const auto or_zero = [&](const Maybe& d) { return d ? *d : f.graph->constant(0); };
  switch (f.op()) {
    case Op::add: return plus(da, db);
    case Op::sub: return minus(da, db);
    case Op::mul: {
      const Maybe left = times(f.b(), da);
      return plus(left, times(f.a(), db));
    }
    case Op::div: return da || db ? tangent_of_quotient(f, da, db) : std::nullopt;
    case Op::pow: return tangent_of_power(f, da, db);
    case Op::atan2: {
      const Maybe left = times(f.b(), da);
      const Maybe numerator = minus(left, times(f.a(), db));
      if (!numerator) return std::nullopt;
      const Expr y_squared = powi(f.a(), 2);
      return *numerator / (y_squared + powi(f.b(), 2));
    }
    case Op::min:
      if (!da && !db) return std::nullopt;
      return select(less(f.a(), f.b()), or_zero(da), or_zero(db));
    case Op::max:
      if (!da && !db) return std::nullopt;
      return select(less(f.a(), f.b()), or_zero(db), or_zero(da));
    case Op::select:
      if (!db && !dc) return std::nullopt;
      return select(f.a(), or_zero(db), or_zero(dc));
    case Op::less: return std::nullopt;
    case Op::arguments: {
      if (!da && !db) return std::nullopt;
      const Expr left = or_zero(da);
      return apply(Op::arguments, left, or_zero(db), left, 0);
    }
    case Op::call: return da ? tangent_of_call(f, *da) : std::nullopt;
    default: return da ? tangent_of_unary(f, *da) : std::nullopt;
  }
}

}  // namespace noslip

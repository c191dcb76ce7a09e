// A node seen as coefficient times rest: the common view of the simplifying constructors.
#pragma once

#include <noslip/expr/graph.hpp>

namespace noslip {

/// `coefficient * rest`. For a constant the rest is the constant one; otherwise the rest has the coefficient one.
struct Term {
  Number coefficient;
  Expr rest;
};

Term split(Expr e);

/// c * e, with the coefficient of e folded in.
Expr scaled(const Number& c, Expr e);

/// c^n for n >= 0, exact while 64 bits hold it.
Number power(Number c, unsigned n);

inline Expr unary(Op op, Expr a) { return a.graph->intern({.op = op, .a = a.id}); }
inline Expr binary(Op op, Expr a, Expr b) { return a.graph->intern({.op = op, .a = a.id, .b = b.id}); }

}  // namespace noslip

// What a node looks like: coefficient times rest (the common view of the simplifying constructors), sum, reciprocal.
#pragma once

#include <noslip/expr/graph.hpp>

namespace noslip {

/// `coefficient * rest`. For a constant the rest is the constant one; otherwise the rest has the coefficient one.
struct Term {
  Number coefficient;
  Expr rest;
};

Term split(Expr e);

inline bool is_sum(Expr e) { return e.op() == Op::add || e.op() == Op::sub; }
inline bool is_reciprocal(Expr e) { return e.op() == Op::div && e.a().is_one() && !e.b().is_zero(); }

/// c * e, with the coefficient of e folded in.
Expr scaled(const Number& c, Expr e);

/// c^n for n >= 0, exact while 64 bits hold it.
Number power(Number c, unsigned n);

/// Throws an InputError.
[[noreturn]] void refuse_two_graphs(Expr a, Expr b);
/// Numbers of nodes mean nothing in another graph.
inline void require_one_graph(Expr a, Expr b) {
  if (a.graph != b.graph || a.graph == nullptr) refuse_two_graphs(a, b);
}

inline Expr unary(Op op, Expr a) { return a.graph->intern({.op = op, .a = a.id}); }
inline Expr binary(Op op, Expr a, Expr b) { return a.graph->intern({.op = op, .a = a.id, .b = b.id}); }

}  // namespace noslip

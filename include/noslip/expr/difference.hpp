// Differences of functions without cancellation, as expressions.
//
// f(x1) - f(x0) evaluated as it stands loses all digits when x1 is near x0, and so does its quotient by the distance.
// Here the quotient is made rule by rule, as a derivative is ("computational divided differencing", T. W. Reps and
// L. B. Rall, Higher-Order and Symbolic Computation 16, 2003): a product has the slope mean(a)*slope(b) +
// mean(b)*slope(a), a square root slope(a)/(sqrt(a0) + sqrt(a1)), a sine cos(mean(a))*sin(width/2*slope(a))*2/width.
// Methods that keep an energy exactly are built from it.
#pragma once

#include <span>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// The symbol moves from `start` to `start + width*slope`.
struct Move {
  Expr symbol;  ///< of the graph of the function
  Expr start;   ///< `start` and `slope` belong to the graph of the width
  Expr slope;
};

/// (f(end) - f(start)) / width, an expression of the graph of `width`. Accurate to rounding of its own terms for every
/// width, however small; for width zero it is the derivative along the slopes. With the constant one for the width it
/// is the plain difference. Its own derivatives (jacobian) are finite and accurate too, at width and slope zero as
/// well.
///
/// Symbols that are not moved keep their name, as in Substitution; a symbol is moved once at most (assert). Aliases of
/// f are kept for the values at both ends. The value is finite where f is smooth on the way. Where the ends lie on
/// different sides of a jump (sign, less, select, the cut of atan2) it is the plain quotient; abs, min and max have no
/// jump and stay accurate. A function written in C++ has the plain quotient, or its derivative in the middle where that
/// is better: ten digits at worst, and width times slope right to rounding. On the edge itself, with width or slope zero, it is the branch that derivative() takes.
Expr divided_difference(Expr f, std::span<const Move> moves, Expr width);

}  // namespace noslip

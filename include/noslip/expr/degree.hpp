// Which expressions are polynomials, which are smooth.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// The total degree of f as a polynomial in the variables (symbols or aliases); its coefficients may be any expressions
/// without them. Nothing if f is not a polynomial. Read off the nodes, one visit each: an upper bound, since terms that
/// would cancel after multiplying out are counted ((x + 1)^2 - x^2 has degree 2 here), and "nothing" also for a
/// quotient that a division of polynomials would make one.
std::optional<int> polynomial_degree(Expr f, std::span<const Expr> variables);
/// The same of several functions in one sweep.
std::vector<std::optional<int>> polynomial_degrees(std::span<const Expr> functions, std::span<const Expr> variables);

/// What is left of a sum without its terms of this degree or less: terms of higher degree, and what is no polynomial.
Expr terms_beyond_degree(int degree, Expr f, std::span<const Expr> variables);

/// Per function: is it free of corners and jumps in the variables? A piecewise function (abs, sign, min, max, less,
/// select, a function written in C++ that says so) of something with a variable has them. The derivative of such a
/// function may vanish, or be free of the variables, though the function is not affine: whoever concludes something from
/// a derivative has to ask here first.
std::vector<bool> are_smooth(std::span<const Expr> functions, std::span<const Expr> variables);
inline bool is_smooth(Expr function, std::span<const Expr> variables) {
  return are_smooth({&function, 1}, variables).front();
}

}  // namespace noslip

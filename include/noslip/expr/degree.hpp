// Which expressions are polynomials.
#pragma once

#include <optional>
#include <span>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// The total degree of f as a polynomial in the variables (symbols or aliases); its coefficients may be any expressions
/// without them. Nothing where f is no polynomial. Read off the nodes, one visit each: an upper bound, since terms that
/// would cancel after multiplying out are counted ((x + 1)^2 - x^2 has degree 2 here), and "nothing" also for a
/// quotient that a division of polynomials would make one.
std::optional<int> polynomial_degree(Expr f, std::span<const Expr> variables);

}  // namespace noslip

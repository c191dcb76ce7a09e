// Exact derivatives, as expressions of the same graph.
#pragma once

#include <span>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// df/dx for a symbol or alias x. Forward, memoised over the graph of f.
Expr derivative(Expr f, Expr x);

/// All first derivatives of one function; one backward sweep, cost independent of the number of variables. (A function
/// with min, max or select is differentiated forwards, so that the branch that is not taken cannot spoil the result; so
/// is one that calls C++.)
std::vector<Expr> gradient(Expr f, std::span<const Expr> variables);

struct Entry {
  int row;
  int column;
  Expr value;
};

/// The nonzero first derivatives df_row/dx_column, by row, then column. Forward and sparse: a pair (node, variable)
/// that does not depend costs nothing. Aliases between f and x are differentiated once and multiplied in (chain rule).
std::vector<Entry> jacobian(std::span<const Expr> functions, std::span<const Expr> variables);

/// All of them, with zeros, row after row. The graph is that of the functions.
std::vector<Expr> dense_jacobian(Graph& graph, std::span<const Expr> functions, std::span<const Expr> variables);

/// The nonzero second derivatives of one function, both triangles, by row, then column.
std::vector<Entry> hessian(Expr f, std::span<const Expr> variables);

}  // namespace noslip

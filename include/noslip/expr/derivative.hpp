// Exact derivatives, as expressions of the same graph.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <noslip/expr/graph.hpp>
#include <noslip/expr/matrix.hpp>

namespace noslip {

/// df/dx for a symbol or alias x. Forward, memoised over the graph of f.
Expr derivative(Expr f, Expr x);

/// All first derivatives of one function; one backward sweep, cost independent of the number of variables. (A function
/// with min, max or select is differentiated forwards, so that the branch that is not taken cannot spoil the result; so
/// is one that calls C++.)
std::vector<Expr> gradient(Expr f, std::span<const Expr> variables);

/// Gradients of many functions, one after the other, as rows without their zeros. A gradient takes the time that the
/// expression of its function takes, whatever the number of variables.
class Gradients {
 public:
  /// The variables are symbols or aliases of the graph; constants are allowed, nothing depends on them.
  Gradients(Graph& graph, std::span<const Expr> variables);
  SparseRow operator()(Expr f);

 private:
  Graph& graph_;
  std::size_t size_;
  std::unordered_map<NodeId, std::vector<std::size_t>> places_;  // of the variables that can vary
  NodeId oldest_ = ~NodeId{0};                                   // of them
  std::vector<std::uint32_t> positions_;                         // by node; free between two gradients
};

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

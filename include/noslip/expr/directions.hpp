// Derivatives in one direction, forwards or backwards, that can be differentiated again at the same cost.
#pragma once

#include <span>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// The derivatives of functions along a direction, sum_j df_i/dx_j direction_j: one forward sweep for all of them.
/// Aliases have aliased derivatives, so that the result is no harder to differentiate again than the functions are. The
/// functions may be constants; the graph is that of the direction, which is not empty.
std::vector<Expr> derivatives_along(std::span<const Expr> direction, std::span<const Expr> functions,
                                    std::span<const Expr> variables);
/// The gradient of sum_i weights_i f_i, the weights being constants, whatever they contain: one backward sweep. Aliases
/// have aliased adjoints.
std::vector<Expr> weighted_gradient(Graph& graph, std::span<const Expr> weights, std::span<const Expr> functions,
                                    std::span<const Expr> variables);

}  // namespace noslip

// Matrices of expressions, by rows.
#pragma once

#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

using ExprMatrix = std::vector<std::vector<Expr>>;

}  // namespace noslip

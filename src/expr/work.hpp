// How much work derivatives are, before any is made.
#pragma once

#include <span>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// About so many pairs of a node and a variable that it depends on: what a Jacobian has to differentiate. Of more than
/// 64 variables a sample of them is looked at.
std::size_t jacobian_work(std::span<const Expr> functions, std::span<const Expr> variables);

}  // namespace noslip

// What an iteration need not compute again and again.
#pragma once

#include <span>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// The largest subexpressions of the roots that contain none of the symbols in `changing` and take work to evaluate.
std::vector<Expr> unchanging_parts(std::span<const Expr> roots, std::span<const Expr> changing);

}  // namespace noslip

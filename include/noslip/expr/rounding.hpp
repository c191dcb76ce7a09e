// How large the rounding errors of an expression may be.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// Per function an expression R >= |f|: evaluating f at numbers that are right to one unit epsilon (relative) gives
/// errors of at most a few epsilon R. For a sum R is the sum of the sizes of its terms, for cos(x) with a large x about
/// |x sin(x)|. Not finite at a pole of a derivative (sqrt(0)). For judging whether a residual is zero to rounding
/// error. `inputs`: symbols and their sizes, where these are more than |x|: a number that is what is left of larger
/// ones.
std::vector<Expr> rounding_sizes(std::span<const Expr> functions, std::span<const std::pair<Expr, Expr>> inputs = {});

}  // namespace noslip

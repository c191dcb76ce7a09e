// The functions of z = |w|^2 that the retractions of rotations are made of.
//
//   cay   one: b = 2/(4 + z)
//   exp   eight: c_0, ..., c_7 with c_k = sum_j (-z)^j / (2j + k)!, entire functions: c_0 = cos |w|,
//         c_1 = sin |w| / |w|. Two of them are series, the others follow by c_k = 1/k! - z c_(k+2): multiplications and
//         additions only, without branches. For |w| up to 2 pi what is left out is below quadruple precision; there
//         rounding has taken two digits, because the terms are larger than the sum.
#pragma once

#include <span>
#include <vector>

#include <noslip/lie/group.hpp>

namespace noslip::lie {

std::vector<Expr> coefficients(Retraction map, Expr z);

/// The derivative by z of the coefficient `k` of `c` (of exp: k up to 5), made of the others.
Expr slope(Retraction map, std::span<const Expr> c, std::size_t k);

}  // namespace noslip::lie

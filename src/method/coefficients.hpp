// Weights of guesses and of conditions, from the coefficients of a method.
#pragma once

#include <vector>

#include <noslip/tableau/tableau.hpp>

namespace noslip {

/// Sums of the rows of a: the times that stages with these coefficients belong to, in steps.
std::vector<quad> row_sums(const Tableau& tableau);

/// Weights that continue a function, known at the nodes of this step, to the time `x` (in steps) in the next one. Only
/// the last few nodes are used: extrapolation with many of them amplifies rounding errors more than it gains. Of nodes
/// that coincide the first counts.
std::vector<quad> continuation(const std::vector<quad>& nodes, quad x);

/// Increments D_i along a step, zero at its start, `times` at the stages, w at its end, are continued into the next
/// step: weights of D_1 ... D_s and w in the increment of the next step at the time x.
std::vector<quad> next_increment(const std::vector<quad>& times, quad x);

/// The same for impulses U with D = A U and w = b U: the matrix that takes the impulses of a step to those of the next.
/// Where A is singular, the impulses themselves are continued.
std::vector<std::vector<quad>> next_impulses(const Tableau& tableau);

/// omega_ij = b_j P_(i-1)(2 c_j - 1), i = 1 ... rows, with Legendre's P: the same conditions as with b_j c_j^(i-1)
/// (Jay 2009, sec. 6), but orthogonal for any number of stages.
std::vector<std::vector<quad>> moments(const Tableau& tableau, int rows);

}  // namespace noslip

// How large the numbers are that the numbers of a state are what is left of. A velocity of 1e-17 is a rounding error
// where the motion is fast, or where forces hold each other in balance; and it is a velocity where nothing else moves.
#pragma once

#include <utility>
#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

/// The symbols of the state and their sizes R: a step of size h leaves errors of a few units epsilon R in each. In the
/// graph of `copy`. Units of coordinates have no influence: masses compare velocities.
///
///   R(v_j) = |v_j| + s_j,   M_jj s_j^2 = sum_i M_ii v_i^2 + (h F_i)^2/M_ii    (s_j has the energy of the whole motion
///                                                                              and of the impulses in a step)
///   R(q_j) = |q_j| + h s_j + |q| in the same measure; where there are no masses with the largest |q| and |q'|
///
/// Position constraints hold to rounding error, epsilon |q|; a step that corrects it has velocities of epsilon |q|/h,
/// also where the system stands still. With such constraints they are part of R(v_j).
std::vector<std::pair<Expr, Expr>> sizes_of_state(const System& system, Substitution& copy, Expr h, quad epsilon);

}  // namespace noslip

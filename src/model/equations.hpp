// The derived equations of a system, written out as text or LaTeX.
#pragma once

#include <string>
#include <vector>

#include <noslip/model/shown.hpp>

namespace noslip {

enum class Notation { text, latex };

std::vector<std::string> angles_of(const System& system);  ///< names
/// The coordinates of a mechanical system, where a matrix is one: "R (R11 ... R33)"
std::vector<std::string> position_names(const System& system);

/// L = ..., p = L_v, F = L_q + f, E = v . L_v - L
Equation lagrangian_equation(const System& system, Notation notation);
Equation hamiltonian_equation(const System& system, Notation notation);
std::vector<Equation> momentum_equations(const System& system, Notation notation);
std::vector<Equation> force_equations(const System& system, Notation notation);
Equation energy_equation(const System& system, Notation notation);
/// q' of the elements of groups, as functions of q and v
std::vector<Equation> position_equations(const System& system, Notation notation);
/// ad*_v p, by which momenta change in the frame of the body; none in a vector space, and only those that are not zero
std::vector<Equation> turning_equations(const System& system, Notation notation);
/// d/dt p = f + r and g_t + g_y v = 0 of an odae system
std::vector<Equation> reaction_equations(const System& system, Notation notation);
std::vector<Equation> rate_constraint_equations(const System& system, Notation notation);
/// q' = H_p (on groups v = H_p; y' = v of an odae system) and p' = ad*_v p + F + K^T lambda + N where momenta are
/// implicit; empty otherwise
std::vector<Equation> velocity_equations(const System& system, Notation notation);
std::vector<Equation> momentum_rate_equations(const System& system, Notation notation);
/// k_i = 0, as derived (not as typed)
std::vector<Equation> constraint_equations(const System& system, Notation notation);
std::vector<Equation> holonomic_equations(const System& system, Notation notation);
/// X_a, the basis of the allowed velocities that the file gives, row by row; empty where it gives none
std::vector<Equation> basis_equations(const System& system, Notation notation);
/// M a = g + K^T lambda + N, row by row (on groups ad*_v p is part of g); nonideal reactions N are written with lambda
/// = -psi
std::vector<Equation> motion_equations(const System& system, Notation notation);
/// y' = f of a dae2 system, one per y; x' = Pi grad H of a skew-gradient system
std::vector<Equation> rate_equations(const System& system, Notation notation);
/// Pi = ... of a skew-gradient system: one row each as text, all in one as LaTeX, with \dot{x} = Pi grad H behind it
std::vector<Equation> matrix_equations(const System& system, Notation notation);
/// The contributions of one part of f to them; empty where the part is missing
std::vector<Equation> part_equations(const System& system, std::size_t part, Notation notation);
/// g_t + g_y f = 0 of a dae2 system, one per g
std::vector<Equation> hidden_equations(const System& system, Notation notation);
/// K a = gamma, row by row: the constraints differentiated once
std::vector<Equation> acceleration_constraints(const System& system, Notation notation);

}  // namespace noslip

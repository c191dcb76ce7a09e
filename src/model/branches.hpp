// Which of several solutions a state is on. Constraints that are not linear in velocities or multipliers have several
// branches of solutions; where two of them meet, a gradient vanishes, and beyond it points the other way.
#pragma once

#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

/// Gradients as functions of the state (t, q, v, z). A motion does not reverse one of them from a state to a near one.
/// They are those of constraints that are not linear in the velocities, by the velocities; and those of hidden
/// constraints and reactions that are not linear in the multipliers, by the multipliers. They are made in `graph`, a
/// copy of the system's. There are none if solutions are unique.
std::vector<std::vector<Expr>> branch_gradients(const System& system, Graph& graph);

}  // namespace noslip

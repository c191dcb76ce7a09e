// The functions that a user has written, as opposed to what was derived from them.
#pragma once

#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

/// Lagrangian, Hamiltonian, forces, reactions, constraints, parts of f, Pi: whatever the system has.
std::vector<Expr> written_functions(const System& system);

/// Does one of them have corners or jumps (abs, sign, min, max, ...) in the state or the time?
bool has_corners(const System& system);

}  // namespace noslip

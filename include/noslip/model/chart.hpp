// A system on a Lie group in local coordinates.
#pragma once

#include <noslip/model/system.hpp>

namespace noslip {

/// The system in the coordinates xi of g0 tau(xi), for a given g0: a system in a vector space, with the numbers that
/// hold g0 as parameters behind the others. Its multipliers are the same; at xi = 0 its velocities and accelerations
/// are those of the body. Invariants, exact solutions and initial values are left out. Momenta must have a closed form.
System in_chart(const System& system, Retraction map);

}  // namespace noslip

// Why momenta have no closed form.
#pragma once

#include <string>

#include <noslip/model/system.hpp>

namespace noslip {

/// A clause that says why the momenta of a Hamiltonian are no functions of the velocities in closed form. Only for
/// systems that has_implicit_momenta().
std::string why_no_closed_momenta(const System& system);

}  // namespace noslip

// A state at which the order of elimination of a program is chosen.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <noslip/model/continuous.hpp>

namespace noslip {

/// Step size for which the order is chosen: of the size that steps have in the units in which a system moves.
inline constexpr double reference_step = 1.0 / 64;

struct ReferenceStart {
  double t = 0;
  std::vector<double> parameters, state;  ///< state: q, v, z
};

/// Default values of the parameters; ones where the system has no values without those of a caller.
std::vector<double> usual_parameters(const System& system);

/// The initial state of the system where the equations of motion are regular there; otherwise one of a few other states
/// of a general kind. It depends on the system only, so that programs do not depend on who asks for them first. None if
/// the equations have no solution at any of these states. `is_certain` may know quickly that they are regular at a
/// state (q, v, z); otherwise they are analysed in full.
std::optional<ReferenceStart> reference_start(const System& system, const Continuous& at_usual_parameters,
                                              const std::function<bool(const ReferenceStart&)>& is_certain);

}  // namespace noslip

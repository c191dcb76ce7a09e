// Whether steps may start at a state, as numbers that kernels compute for several lanes at once.
#pragma once

#include <vector>

#include "run/start_conditions.hpp"

namespace noslip {

/// In the graph of the conditions: where they are all at least 0 (NaN is not), StartCheck::is_certain is true, or at most
/// rounding errors away from it. Empty where the inverse of the equations of motion is no short expression: for large
/// systems, and for those that are not mechanical with equations that are linear in accelerations and multipliers.
std::vector<Expr> start_margins(const System& system, StartConditions& conditions);

}  // namespace noslip

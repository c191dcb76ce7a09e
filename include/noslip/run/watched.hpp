// Outputs and guards of a system at one state.
#pragma once

#include <span>
#include <vector>

#include <noslip/model/continuous.hpp>

namespace noslip {

/// Values of System::outputs(), and of Guard::margin of System::guards(). `parameters` as System::step_constants() has
/// them; `multipliers` as ContinuousState has them (what is missing is NaN). Not for inner loops.
void watched_values(const System& system, std::span<const double> parameters, const InitialState& state,
                    std::span<const double> multipliers, std::vector<double>& outputs, std::vector<double>& margins);

}  // namespace noslip

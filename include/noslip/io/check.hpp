// What `noslip check` finds out about a system at its initial state.
#pragma once

#include <noslip/core/given.hpp>
#include <noslip/io/json.hpp>

namespace noslip {

struct CheckOptions {
  Settings set = {};     ///< parameters that differ from the defaults
  Settings init = {};    ///< initial values that differ
  Settings inputs = {};  ///< values of inputs that differ
  bool project = false;  ///< inconsistent initial data onto the constraints
};

/// Evaluates the equations of motion. What is wrong with the initial state is in the report. InputError for names that the
/// system does not have.
CheckReport check_system(const System& system, const CheckOptions& options);

/// The same at a state; `parameters` are the values in use, in the order of System::step_constants().
CheckReport check_system(const System& system, const Settings& set, std::vector<double> parameters, const InitialState& initial,
                         bool project);

}  // namespace noslip

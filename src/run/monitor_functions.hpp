// The functions of a state that runs look at, compiled once per program.
#pragma once

#include <string>
#include <vector>

#include <noslip/exec/function.hpp>
#include <noslip/model/system.hpp>
#include <noslip/run/step_program.hpp>

namespace noslip {

/// What functions of a system read, in a workspace with this layout: t; parameters; q, v and z.
std::vector<PlacedBlock> inputs_of(const System& system, const StepLayout& layout);

template <class T>
struct MonitorFunctions {
  MonitorFunctions() = default;
  /// Functions in the workspace of a stepper write their results behind everything else, from layout.size on.
  MonitorFunctions(const System& system, const StepLayout& layout, Backend backend, int lanes);

  bool has_energy = false;
  bool energy_has_inputs = false;           ///< a change of an input changes the energy at once
  std::vector<std::string> names;           ///< energy if there is one, then invariants
  std::vector<std::string> residual_names;  ///< of what has to stay zero
  std::size_t constraint_count = 0;         ///< of these; the others belong to elements of groups
  std::vector<int> exact_coordinates;       ///< that the system has a closed form for

  Function<T> in_workspace;  ///< of a stepper: energy; invariants; residuals
  Function<T> exact;         ///< of t; parameters; state: the coordinates in closed form
  Function<T> sizes;         ///< of t; parameters; state; h: rounding errors of the terms of residuals
  Function<T> energy;        ///< of t; state; parameters; as StateFunctions has them
  Function<T> momenta;       ///< the same

  /// Numbers that in_workspace writes.
  std::size_t slots() const { return names.size() + residual_names.size(); }
};

extern template struct MonitorFunctions<double>;
extern template struct MonitorFunctions<long double>;
extern template struct MonitorFunctions<quad>;

}  // namespace noslip

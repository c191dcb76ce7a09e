// What a method keeps on a system, measured: one step, undone; the symplectic form on the manifold of the constraints;
// the discrete variational principle along a run.
#pragma once

#include <optional>
#include <string>

#include <noslip/run/run.hpp>

namespace noslip {

/// Defects, relative to the size of what is compared; unset where the method does not claim the property on the system.
struct StructureReport {
  std::string method;
  double step = 0;
  int steps = 0;  ///< of the run for the variational principle
  /// |state after a step and a step back - state|, in quadruple precision. Claimed by symmetric methods.
  std::optional<double> symmetry;
  /// Largest change of the form sum_i dq_i ^ dp_i over all pairs of tangents of the constraint manifold, in quadruple
  /// precision. Claimed by symplectic methods on systems without velocity constraints and forces.
  std::optional<double> symplecticity;
  /// Largest |D_2 L_d(q_k-1, q_k) + D_1 L_d(q_k, q_k+1) + f_d^+ + f_d^-| (discrete_lagrangian.hpp), in double precision.
  std::optional<double> variational;

  bool holds(double tolerance_quad = 1e-15, double tolerance_double = 1e-10) const;
};

/// `options` give method, step and parameters. InputError as integrate; a step that fails is one, too.
StructureReport measure_structure(const System& system, const InitialState& initial, const RunOptions& options);

}  // namespace noslip

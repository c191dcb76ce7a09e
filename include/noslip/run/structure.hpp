// What a method keeps on a system, measured: one step, undone; the symplectic form on the manifold of the constraints;
// the discrete variational principle along a run.
#pragma once

#include <optional>
#include <string>

#include <noslip/run/run.hpp>

namespace noslip {

/// A defect, relative to the size of what is compared, and whether the method claims that it vanishes on the system.
struct Defect {
  double value = 0;
  bool is_claimed = false;
};

/// What was measured; unset where it makes no sense.
struct StructureReport {
  std::string method;
  double step = 0;
  Outcome outcome;  ///< failed where a step does not converge; then nothing else is set
  /// |state after a step and a step back - state|, in quadruple precision: of all that a step carries on, but y and z
  /// of an overdetermined system, y of one of index 2. Claimed by symmetric methods, where they choose no basis on the
  /// way and, on groups, have their coordinates around the middle.
  Defect symmetry;
  /// Largest change of the form sum_i dq_i ^ dp_i (on groups -d(p_a theta^a), theta = g^-1 dg) over all pairs of
  /// tangents of the constraint manifold, in quadruple precision; for mechanical systems without velocity constraints,
  /// forces and nonideal reactions. Claimed by symplectic methods.
  std::optional<Defect> symplecticity;
  /// Largest |D_2 L_d(q_k-1, q_k) + D_1 L_d(q_k, q_k+1) + f_d^+ + f_d^-| over ten steps in double precision, for
  /// methods with a discrete Lagrangian (discrete_lagrangian.hpp), which claim that it vanishes. Not on groups.
  std::optional<Defect> variational;

  /// Do all claims hold?
  bool holds(double tolerance_quad = 1e-15, double tolerance_double = 1e-10) const;
};

/// `options` give method, step and parameters. InputError as integrate.
StructureReport measure_structure(const System& system, const InitialState& initial, const RunOptions& options);

}  // namespace noslip

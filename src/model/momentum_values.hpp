// Momenta of a system with a Hamiltonian at states of the continuous problem.
#pragma once

#include <span>
#include <vector>

#include <noslip/expr/derivative.hpp>

#include "model/legendre_map.hpp"

namespace noslip {

class MomentumValues {
 public:
  MomentumValues(const System& system, const std::vector<double>& parameters);
  MomentumValues with_parameters(const std::vector<double>& parameters) const;

  /// A singular H_pp, or momenta that do not belong to the velocities.
  std::vector<Problem> problems(const InitialState& state) const;
  /// Implicit momenta follow the velocities of the state; NaN where there are none.
  void follow(InitialState& state) const;

 private:
  System system_;
  std::vector<quad> parameters_;
  LegendreMap map_;
};

/// Second derivatives of a function that has no other variables than those at these places.
std::vector<Entry> hessian_at(Expr function, const std::vector<Expr>& variables, std::span<const std::size_t> places);

/// Second derivatives of a constraint by the velocities, where momenta that are part of the state follow them. `copy`
/// copies from the system into the graph.
std::vector<Entry> velocity_hessian(Graph& graph, Substitution& copy, const System& system,
                                    const Constraint& constraint);

}  // namespace noslip

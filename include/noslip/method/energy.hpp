// Methods that keep the energy to rounding, for systems in skew-gradient form (skew_form.hpp).
#pragma once

#include <noslip/method/skew_form.hpp>

namespace noslip {

inline constexpr int most_energy_nodes = 64;

/// Energy-preserving collocation, of which the discrete gradients of Gonzalez and of the mean value are the cases with
/// one stage.
struct EnergyCollocation {
  int stages = 1;
  /// Nodes of the quadrature of the gradient along a step; 0: as many as make it exact for polynomials, and exact to
  /// rounding of double precision otherwise, where H is smooth and steps are not large. What it leaves is corrected, so
  /// that the energy is kept whatever the quadrature is. As many nodes as stages give Gauss collocation with a
  /// correction of the energy.
  int nodes = 0;
  Coordinates coordinates = Coordinates::adapted;
  BasisDerivatives derivatives = BasisDerivatives::exact;
};

StepRecipe record_energy_collocation(const System& system, const EnergyCollocation& method);

/// The discrete gradient of Itoh and Abe, by coordinate increments (Celledoni et al. 2019, eq. (13)), with Pi at the
/// midpoint.
StepRecipe record_itoh_abe(const System& system);

}  // namespace noslip

// Methods that discretise the Lagrange-d'Alembert principle directly, in two points, and compositions of them.
#pragma once

#include <string>
#include <vector>

#include <noslip/method/recipe.hpp>
#include <noslip/method/spark.hpp>

namespace noslip {

/// Fractions of a step that are made one after the other.
struct Composition {
  int order = 2;
  std::string provenance;
  std::vector<quad> fractions;
};

/// Symmetric compositions of a symmetric method of order 2: orders 2 (nothing to compose), 4, 6 and 8 with 1, 5, 9 and
/// 17 parts. InputError for other orders.
Composition symmetric_composition(int order);

/// McLachlan-Perlmutter: one step for each fraction.
StepRecipe record_mclachlan_perlmutter(const System& system, const Composition& composition);
/// Cortes-Martinez: the implicit midpoint rule of the discrete principle.
StepRecipe record_cortes_martinez(const System& system);
/// McLachlan-Perlmutter as Hilden 2009 generalises it to any mass matrix; not on groups.
StepRecipe record_hilden(const System& system);

/// How they move positions and momenta, as pairs of tableaux, for the conditions of theorem 6.1 in Jay 2009.
SparkCoefficients mclachlan_perlmutter_pair();
SparkCoefficients cortes_martinez_pair();

}  // namespace noslip

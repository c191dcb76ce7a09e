// Nonholonomic partitioned Runge-Kutta methods: D. Martin de Diego and R. T. Sato Martin de Almagro, High-order
// geometric methods for nonholonomic mechanical systems (2022).
#pragma once

#include <noslip/method/recipe.hpp>
#include <noslip/method/spark.hpp>

namespace noslip {

/// Martin de Diego and Sato 2022, eq. (14), with Lobatto IIIA-B coefficients, in the Lagrangian form. The multiplier is
/// part of the state.
StepRecipe record_nh_lobatto(const System& system, int stages);

/// How it moves positions and momenta, for the conditions of theorem 6.1 in Jay 2009 and for steps on groups.
SparkCoefficients nh_lobatto_pair(int stages);

}  // namespace noslip

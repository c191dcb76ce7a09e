// Nonholonomic partitioned Runge-Kutta methods of D. Martin de Diego and R. Sato Martin de Almagro, called 002.
#pragma once

#include <noslip/method/recipe.hpp>
#include <noslip/method/spark.hpp>

namespace noslip {

/// Equations (14) of 002 with Lobatto IIIA-B coefficients, in the Lagrangian form. The multiplier is part of the state.
StepRecipe record_nh_lobatto(const System& system, int stages);

/// How it moves positions and momenta, for the conditions of theorem 6.1 in 000 and for steps on groups.
SparkCoefficients nh_lobatto_pair(int stages);

}  // namespace noslip

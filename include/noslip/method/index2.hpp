// Methods for general index-2 systems y' = sum_m f_m(t, y, z), 0 = g(t, y) (Hilden 2009, sec. 2.4 to 2.6).
#pragma once

#include <array>

#include <noslip/method/spark.hpp>

namespace noslip {

/// `parts` are the coefficients of f_A, f_B, f_C, f_C*, f_D; all have the nodes and weights of the first. `conditions`
/// gives omega, and what is known of z at the start and at the end of a step.
struct IndexTwoCoefficients {
  std::array<Tableau, 5> parts;
  SparkCoefficients conditions;
};

IndexTwoCoefficients lobatto_index_two(int stages);                  ///< Lobatto IIIA-B-C-C*-D SPARK (2.20)
IndexTwoCoefficients standard_index_two(const Tableau& tableau);     ///< standard Runge-Kutta (2.15)
IndexTwoCoefficients specialised_index_two(const Tableau& tableau);  ///< SRK-DAE2 (2.26)

/// The step for a dae2 system. The state is y, z, and once more as many numbers that tell which branch z is on.
StepRecipe record_index_two(const System& system, const IndexTwoCoefficients& coefficients);

}  // namespace noslip

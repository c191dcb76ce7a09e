// Specialised partitioned additive Runge-Kutta methods (SPARK) for velocity constraints, 000, section 6.
#pragma once

#include <memory>
#include <vector>

#include <noslip/method/method.hpp>
#include <noslip/tableau/tableau.hpp>

namespace noslip {

/// A SPARK method is a set of coefficients: `q` moves the positions (a, b, c), `forces` and `reactions` move the momenta
/// (a-hat, b-hat and a-tilde, b-tilde); `omega` are the s - 1 combinations of stage constraints that vanish.
struct SparkCoefficients {
  Tableau q, forces, reactions;
  std::vector<std::vector<quad>> omega;
};

/// Gauss coefficients throughout: order 2s, symmetric (000, 7.3 and 7.4; Jay, Math. Comput. 75 (2006)).
SparkCoefficients gauss_spark(int stages);

/// Conditions (6.2) and (6.3) of theorem 6.1 in 000, evaluated: the discrete Lagrange-d'Alembert principle, symmetry.
bool satisfies_lagrange_dalembert(const SparkCoefficients& coefficients);
bool is_symmetric(const SparkCoefficients& coefficients);

/// The step (6.1) of 000 with these coefficients.
StepRecipe record_spark(const System& system, const SparkCoefficients& coefficients);

/// `gauss:s`.
std::shared_ptr<const Method> make_gauss(int stages);

}  // namespace noslip

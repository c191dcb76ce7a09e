// Specialised partitioned additive Runge-Kutta methods (SPARK) for velocity constraints, 000, section 6, and the index-2
// methods of 001 applied to mechanical systems: all of them are coefficients for one recipe.
#pragma once

#include <vector>

#include <noslip/method/recipe.hpp>
#include <noslip/tableau/tableau.hpp>

namespace noslip {

/// `q` moves the positions (a, b, c), `forces` and `reactions` move the momenta (a-hat, b-hat and a-tilde, b-tilde).
struct SparkCoefficients {
  Tableau q, forces, reactions;
  /// Combinations of constraints that vanish, s + 1 numbers each: for k at the stages and k at the end of the step. There
  /// are as many combinations (with the one at the mean point, if that is taken) as multipliers to be found.
  std::vector<std::vector<quad>> omega;
  /// One more condition: k = 0 at the mean of the stages, weighted with b (000, 8.4, in the symmetric form).
  bool constraint_at_mean = false;
  /// The multiplier of the first stage is the one at the start of the step (Lobatto IIIA, where that stage is the start).
  bool first_multiplier_given = false;
  /// Weights of the stages' multipliers in the one at the end; what is missing to one falls on the one at the start.
  /// Empty where the method has no value there.
  std::vector<quad> end_multipliers = {};

  /// What is missing to one in end_multipliers; zero where that is rounding.
  quad weight_of_start() const;
  /// Does a step need the multipliers of the one before?
  bool carries_multipliers() const { return first_multiplier_given || weight_of_start() != 0; }
};

// 000, section 7.
SparkCoefficients gauss_spark(int stages);        ///< order 2s, symmetric
SparkCoefficients lobatto_ab_spark(int stages);   ///< order 2s - 2, symmetric, as the following ones
SparkCoefficients lobatto_abd_spark(int stages);
SparkCoefficients lobatto_ad_spark(int stages);
SparkCoefficients lobatto_d_spark(int stages);
SparkCoefficients lobatto_ab_mid_spark();         ///< 8.4
SparkCoefficients euler_a_spark();                ///< 7.1, order 1
SparkCoefficients euler_b_spark();                ///< 7.2, order 1

// 001: conditions at the stages (2.15c), or on moments of them and at the end (2.26b).
SparkCoefficients standard_spark(const Tableau& tableau);     ///< 2.4
SparkCoefficients specialised_spark(const Tableau& tableau);  ///< 2.6

/// Conditions (6.2) and (6.3) of theorem 6.1 in 000, evaluated: the discrete Lagrange-d'Alembert principle, symmetry.
bool satisfies_lagrange_dalembert(const SparkCoefficients& coefficients);
bool is_symmetric(const SparkCoefficients& coefficients);

/// The step (6.1) of 000 with these coefficients.
StepRecipe record_spark(const System& system, const SparkCoefficients& coefficients);

}  // namespace noslip

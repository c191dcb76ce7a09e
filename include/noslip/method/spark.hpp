// Specialised partitioned additive Runge-Kutta methods (SPARK): for velocity constraints, Jay 2009, sec. 6; for
// position constraints, Jay 2007, sec. 3; for both together; and the index-2 methods of Hilden 2009 applied to
// mechanical systems. All of them are coefficients for one recipe.
#pragma once

#include <optional>
#include <vector>

#include <noslip/method/recipe.hpp>
#include <noslip/tableau/tableau.hpp>

namespace noslip {

/// The part of a SPARK method that position constraints need (Jay 2007, eq. (3.2)). Nodes j = 0 ... s~ lie between the
/// ends of the step, both included; reactions of position constraints act there, and there the constraints hold.
struct NodeCoefficients {
  std::vector<quad> c, b;                ///< c-tilde and b-tilde
  std::vector<std::vector<quad>> reach;  ///< a-bar: positions at the nodes (s~ + 1 rows) from velocities of the stages
  std::vector<std::vector<quad>> a;      ///< a-tilde: reactions at the nodes in the momenta of the stages (s rows)
  /// Weights of r(t1, q1, Lambda_j) in the momenta at the end, beside b; empty for none (Jay 2007, sec. 3.5).
  std::vector<quad> correction = {};
  /// Is mu of the last node the multiplier there? (Not where the sum of all reactions is right and no single one is.)
  bool has_end_multiplier = true;

  int last() const { return static_cast<int>(c.size()) - 1; }
};

/// `q` moves the positions (a, b, c), `forces` and `reactions` move the momenta (a-hat, b-hat and a-tilde, b-tilde).
struct SparkCoefficients {
  Tableau q, forces, reactions;
  /// Combinations of constraints that vanish, s + 1 numbers each: for k at the stages and k at the end of the step.
  /// There are as many combinations (with the one at the mean point, if that is taken) as multipliers to be found.
  std::vector<std::vector<quad>> omega;
  /// One more condition: k = 0 at the mean of the stages, weighted with b (Jay 2009, sec. 8.4, in the symmetric form).
  bool constraint_at_mean = false;
  /// The multiplier of the first stage is the one at the start of the step (Lobatto IIIA, where that stage is the
  /// start).
  bool first_multiplier_given = false;
  /// Weights of the stages' multipliers in the one at the end; what is missing to one falls on the one at the start.
  /// Empty where the method has no value there.
  std::vector<quad> end_multipliers = {};
  /// Position constraints; unset where the method does not take them.
  std::optional<NodeCoefficients> nodes = {};
  /// The method is made for position constraints alone: it takes no velocity constraints, and its reactions inside a
  /// step are no values of multipliers that nonideal reactions could depend on.
  bool for_positions_only = false;

  /// What is missing to one in end_multipliers; zero where that is rounding.
  quad weight_of_start() const;
  /// Does a step need the multipliers of the one before?
  bool carries_multipliers() const { return first_multiplier_given || weight_of_start() != 0; }
};

/// How a step takes velocity constraints: by conditions on the stages and the end, or at projected velocities of the
/// stages, with the multiplier of the first stage from the step before.
enum class Constraints { weighted, projected };

/// A SPARK method of three tableaux with the same nodes c: moments of the constraints over the stages vanish, and the
/// constraint at the end (Jay 2009, eq. (6.1e) and (6.1f)). Where the last stage is the end, its multiplier is the one
/// there. It takes velocity constraints; for those of positions add `nodes`.
SparkCoefficients spark(const Tableau& q, const Tableau& forces, const Tableau& reactions);

// Jay 2009, sec. 7.
SparkCoefficients gauss_spark(int stages);       ///< order 2s, symmetric
SparkCoefficients lobatto_ab_spark(int stages);  ///< order 2s - 2, symmetric, as the following ones
SparkCoefficients lobatto_abd_spark(int stages);
SparkCoefficients lobatto_ad_spark(int stages);
SparkCoefficients lobatto_d_spark(int stages);
SparkCoefficients lobatto_ab_mid_spark();  ///< 8.4
SparkCoefficients euler_a_spark();         ///< 7.1, order 1
SparkCoefficients euler_b_spark();         ///< 7.2, order 1

// Jay 2007, sec. 3.5, for position constraints alone; alpha is the weight of the reaction at the start.
SparkCoefficients euler_natural_spark(quad alpha);
SparkCoefficients euler_true_spark(quad alpha);  ///< converges also where reactions are not linear in the multipliers

// Hilden 2009: conditions at the stages (2.15c), or on moments of them and at the end (2.26b).
SparkCoefficients standard_spark(const Tableau& tableau);     ///< 2.4
SparkCoefficients specialised_spark(const Tableau& tableau);  ///< 2.6

/// A condition on coefficients that are known to quadruple precision holds if its defect is below this.
inline constexpr double negligible_defect = 1e-28;
/// Conditions (6.2) and (6.3) of theorem 6.1 in Jay 2009, evaluated: the discrete Lagrange-d'Alembert principle,
/// symmetry.
bool satisfies_lagrange_dalembert(const SparkCoefficients& coefficients, double tolerance = negligible_defect);
bool is_symmetric(const SparkCoefficients& coefficients, double tolerance = negligible_defect);
/// Conditions (4.1) of Jay 2007, evaluated: steps preserve the symplectic form on the manifold of position constraints.
bool is_symplectic_with_positions(const SparkCoefficients& coefficients, double tolerance = negligible_defect);

/// The step (6.1) of Jay 2009 and (3.2) of Jay 2007 with these coefficients.
StepRecipe record_spark(const System& system, const SparkCoefficients& coefficients);

}  // namespace noslip

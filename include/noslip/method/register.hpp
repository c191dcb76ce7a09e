// Methods of the user's own, by their coefficients: registered under a name, they are known to everything that takes
// the name of a method, with the options of all methods behind it, for the rest of the program.
//
//   register_runge_kutta("my-rk4", rk4, {.source = "W. Kutta, Z. Math. Phys. 46 (1901) 435"});
//   integrate(system, initial, {.method = "my-rk4", .step = 0.1, .until = 100});
#pragma once

#include <string>

#include <noslip/method/spark.hpp>

namespace noslip {

/// What is said of a method beside its coefficients.
struct MethodNotes {
  std::string summary = "a method of the user";  ///< one sentence
  std::string source = {};                       ///< where it is published
  /// Of q and v. 0: the one that follows from the coefficients, where one does (see below).
  int order = 0;
  /// Of the multipliers that a SPARK method itself has at the end of a step, for velocity and for position constraints;
  /// 0 claims nothing. Where it has none, those of the continuous problem are reported, and have the order of q and v.
  int multiplier_order = 0, position_multiplier_order = 0;

  bool operator==(const MethodNotes&) const = default;
};

/// Coefficients that are all doubles are taken for rounded ones: conditions then hold to 1e-12, otherwise to 1e-26,
/// both relative to the largest coefficient where that is above one. Steps in extended precision are only as exact as
/// the coefficients.
///
/// InputError, with all problems at once: a name that exists, is empty, or contains blanks or one of : , = ; shapes
/// that do not fit; what is not finite; weights b that do not add up to one; sums of rows of q.a that are not c; nodes
/// c of the three tableaux that differ; nodes of position constraints that do not start at 0 and increase to 1;
/// conditions that do not determine the multipliers; an order that the coefficients contradict, or none where none
/// follows from them. The same name again with the same coefficients and notes is harmless. Thread-safe.

/// The SPARK method (6.1) of Jay 2009 and (3.2) of Jay 2007; `spark` and the functions beside it make coefficients.
///
/// No method has a higher order than without constraints, which trees tell for the pair of q and forces (order_of). An
/// order that is not given is the least of that and of min(p, q + r + 1, 2q + 2) of the three tableaux, with the
/// largest p, q, r of B(p), C(q), D(r): so high are those of the methods by Gauss, Radau and Lobatto, and `converge`
/// measures whether it is the one of this method. Symmetry, the discrete principle and symplecticity are evaluated.
void register_spark(const std::string& name, const SparkCoefficients& coefficients, const MethodNotes& notes = {});

/// A Runge-Kutta method, explicit ones included, for the reduced equations (reduced_runge_kutta.hpp): it takes the
/// systems that energy-preserving methods take, and keeps velocity constraints to rounding. Its order is that of all
/// rooted trees, to order 12, and beyond that what simplifying assumptions prove.
void register_runge_kutta(const std::string& name, const Tableau& tableau, const MethodNotes& notes = {});

}  // namespace noslip

// The motion between the steps of a run.
//
// A SPARK or Runge-Kutta method has polynomials inside a step: the collocation polynomial of the positions, and the
// polynomial of the momenta through the forces of its stages (for Lobatto IIIA-B the improved one of Martin de Diego
// and Sato 2022, prop. B.2). They are continuous, meet the steps, and have lower order than the steps (docs/methods.md
// has what was measured); constraints hold between the steps to that order only. Otherwise, and wherever that is asked
// for, a state inside a step is where a step of the method itself leads to that ends there: it has the order of the
// method and keeps what the method keeps, at the price of a step.
#pragma once

namespace noslip {

struct Sample;

enum class Between {
  polynomial,  ///< of the method; steps where it has none (compositions, discrete gradients, all methods on groups)
  step
};

/// All steps of a run, kept.
class DenseOutput {
 public:
  virtual ~DenseOutput() = default;
  virtual double begin() const = 0;
  virtual double end() const = 0;
  /// The state at a time between begin() and end(). InputError for other times, and where the equations of a step that
  /// ends there have no solution. Multipliers, energy and constraints are those of the continuous problem at that
  /// state, also at steps; the work inside of polynomials follows from the energy, up to the order of the
  /// polynomials. Where inputs change, the ones that act afterwards; at an event that moves the system, the state before it. May be called from several threads, which
  /// wait for each other.
  virtual Sample at(double t) const = 0;
};

}  // namespace noslip

// What integrate and bench have in common: from system, state and options to a stepper.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <noslip/run/run.hpp>
#include <noslip/run/stepper.hpp>

#include "model/equations_of_motion.hpp"

namespace noslip {

/// Initial data in the scalar type of the run.
template <class T>
struct Start {
  T t = 0;
  std::vector<T> parameters;
  std::vector<T> state;  // q, v, and multipliers where they are part of the state
};

/// Where a run starts, with all digits: the initial data of the system, or `initial`, with the values of `init` in them
/// (RunOptions::set and ::init). InputError for a state of another shape and for names that do not exist.
InitialStateQuad given_start(const System& system, const InitialState* initial, const Settings& set,
                             const Settings& init);

/// What a run observes of its steps to know the motion inside them, from StepRecipe::positions_inside and
/// momenta_inside; no parts where the method has no polynomials.
struct InsideRecipe {
  struct Part {
    bool is_of_positions = false;
    int first = 0, variables = 0;             ///< among what is observed: by nodes, then by variables
    std::vector<std::vector<quad>> legendre;  ///< per node its Lagrange polynomial, in P_0, P_1, ... of 2 theta - 1
  };
  std::vector<Part> parts;
  bool moves_velocities = false;  ///< otherwise the other parts are of momenta
};

/// Checks options, method and initial data (InputError), projects if asked to, and builds a stepper with every lane at
/// the start. With `looks_inside` the stepper observes what options.between needs.
template <class T>
struct RunSetup {
  RunSetup(const System& system, const InitialState* initial, const RunOptions& options, int lanes, int extra_slots,
           bool looks_inside = false);

  std::shared_ptr<const Method> method;
  StepRecipe recipe;
  Start<T> start;
  std::shared_ptr<const Continuous> continuous;
  std::shared_ptr<MotionSolver<T>> solver;
  ContinuousProblem<T> problem;
  InsideRecipe inside;
  std::shared_ptr<const StepProgram<T>> program;
  std::unique_ptr<Stepper<T>> stepper;
  std::vector<Warning> warnings;         ///< what a run from this start has to announce
  std::vector<bool> has_end_multiplier;  ///< does the method have a value of its own? empty where it has none at all

  /// The state that a run from other initial data would start with: checked, projected and completed as Start::state
  /// is. What such a run has to announce is added to `announced`.
  std::vector<T> state_at(const InitialState& initial, std::vector<Warning>* announced = nullptr) const;

 private:
  /// Checks a start, and moves it onto the constraints if that was asked for. Adds what a run from there announces.
  void make_consistent(Start<T>& where, std::vector<Warning>* announced) const;
  /// Adds what the method carries from step to step; finds what first guesses need.
  void complete(Start<T>& where, std::vector<T>& accelerations, std::vector<T>& multipliers) const;

  System system_;
  Settings set_, init_;
  bool project_;
  std::size_t state_count_ = 0, acceleration_count_ = 0, multiplier_count_ = 0;
  bool has_work_ = false;
};

extern template struct RunSetup<double>;
extern template struct RunSetup<long double>;
extern template struct RunSetup<quad>;

}  // namespace noslip

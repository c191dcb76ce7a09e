// What integrate, bench and ensembles have in common: from system, state and options to a stepper.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <noslip/run/run.hpp>

#include "run/run_tools.hpp"

namespace noslip {

/// Where the order of elimination of a program is chosen.
enum class Order {
  as_usual,  ///< at the state of reference, where there is one
  suits      ///< at the start, if the usual order turns out to be bad there
};

/// Checks a start with the tools of its program, projects it if asked to, and completes it as runs need it; finds what
/// first guesses need there. What a run from there has to announce is added to `announced`. InputError.
template <class T>
void settle_start(RunTools<T>& tools, bool projects, Start<T>& where, std::vector<T>& accelerations,
                  std::vector<T>& multipliers, std::vector<Warning>* announced);

/// Checks options, method and initial data (InputError), projects if asked to, finds the program, and makes a stepper
/// with every lane at the start. With `looks_inside` the stepper observes what options.between needs. `extra_slots`:
/// room in the workspace behind everything else, besides that for ProgramData::monitored.
template <class T>
struct RunSetup {
  RunSetup(const System& system, const InitialState* initial, const RunOptions& options, int lanes,
           std::size_t extra_slots = 0, bool looks_inside = false, Order order = Order::suits);

  std::shared_ptr<const ProgramData<T>> program;
  Start<T> start;
  BorrowedTools<T> tools;
  LaneStepper<T>* stepper = nullptr;   ///< of the tools, at the start
  MotionSolver<T>* solver = nullptr;  ///< of the tools, with the parameters of the start
  std::vector<Warning> warnings;  ///< what a run from this start has to announce

  const StepLayout& layout() const { return program->layout(); }
  const StepRecipe& recipe() const { return program->recipe; }
  Continuous continuous() const;  ///< with the parameters of the start
  /// Another stepper of the same program with the same parameters, for steps beside the run; without a state.
  std::unique_ptr<LaneStepper<T>> new_stepper() const;
  /// The same, among the tools.
  LaneStepper<T>& stepper_beside() const;

 private:
  void borrow();
  /// A stepper of this program need not solve the equations of motion at the start again.
  void tell(LaneStepper<T>& other) const;
  void use(const std::shared_ptr<const ProgramData<T>>& other);
  void begin();
  /// Of elimination, for a first step of this size (suited_program).
  void choose_order(double h);

  std::size_t extra_slots_;
  std::vector<T> accelerations_, multipliers_;  ///< at the start
};

extern template struct RunSetup<double>;
extern template struct RunSetup<long double>;
extern template struct RunSetup<quad>;

}  // namespace noslip

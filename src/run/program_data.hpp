// What a program holds: a system and a method, compiled. Immutable; steppers and runs share it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <noslip/method/method.hpp>
#include <noslip/model/continuous.hpp>
#include <noslip/run/columns.hpp>
#include <noslip/run/lane_stepper.hpp>
#include <noslip/run/program.hpp>

#include "model/equations_of_motion.hpp"
#include "run/initial_states.hpp"
#include "run/monitor_functions.hpp"
#include "run/start_check.hpp"
#include "run/watched_functions.hpp"

namespace noslip {

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

/// What identifies a program.
struct ProgramKey {
  System system;
  ProgramOptions options;
  bool looks_inside = false;  ///< steps leave what StepRecipe::positions_inside and momenta_inside need
  /// Where the order of elimination is chosen; none: at a state of reference, which only the system decides.
  std::optional<StepStart> order_at = {};

  friend bool operator==(const ProgramKey& a, const ProgramKey& b);
};

template <class T>
struct ProgramData {
  /// Compiles. InputError for a method that does not fit.
  explicit ProgramData(const ProgramKey& key);

  const StepLayout& layout() const { return steps->layout; }
  /// Everything is eliminated in an order that was chosen beforehand: pivoting is an exception.
  bool is_fused() const;
  bool may_need_pivots() const;  ///< such an exception is possible
  /// What first guesses need at a state. It may outlive this program.
  ContinuousProblem<T> problem() const;
  /// Adds to a start what the method carries from step to step; finds what first guesses need.
  void complete(Start<T>& where, MotionSolver<T>& solver, std::vector<T>& accelerations,
                std::vector<T>& multipliers) const;
  /// The same with accelerations and multipliers that are known (StartCheck has found them).
  void complete(Start<T>& where, std::vector<T>& accelerations, std::vector<T>& multipliers) const;

  /// Multipliers that are part of the state, by the kind of the system or because the method carries them on:
  /// `put(index, value)` for each.
  template <class Put>
  void carry(std::span<const T> multipliers, const Put& put) const {
    const std::size_t first =
        system.q().size() + system.v().size() + (system.offers().multiplier_variables ? 0 : system.z().size());
    const std::size_t end = recipe.state.size() - (recipe.has_work ? 1 : 0);
    for (std::size_t i = first; i < end; ++i) put(i, multipliers[(i - first) % multipliers.size()]);
  }
  /// The state has multipliers that follow at once where inputs or parameters change.
  bool carries_multipliers() const;
  /// Multipliers that are part of the state follow at once where inputs or parameters have changed between two steps.
  /// `solver` has the new ones; the spans are as long as the state, and as accelerations and multipliers of it.
  /// False if nothing has changed.
  bool renew_multipliers(LaneStepper<T>& stepper, int lane, T t, MotionSolver<T>& solver, std::span<T> state,
                         std::span<T> accelerations, std::span<T> multipliers) const;

  ProgramKey key;
  const System& system = key.system;
  std::shared_ptr<const Method> method;
  StepRecipe recipe;
  InsideRecipe inside;
  std::vector<bool> has_end_multiplier;  ///< does the method have a value of its own? empty where it has none at all
  Continuous continuous;                 ///< with the default values of the parameters
  /// None where there is no state of reference: the key then has to say where the order is chosen.
  std::shared_ptr<const StepProgram<T>> steps;
  MonitorFunctions<T> monitored;
  WatchedFunctions<T> watched;
  StartFunctions<T> start_functions;
  std::vector<Column> columns;  ///< row_columns()

 private:
  std::optional<StepStart> reference() const;
};

/// The program of this key: compiled by the first who asks for it, and kept for a while. The others wait for it.
template <class T>
std::shared_ptr<const ProgramData<T>> find_program(const ProgramKey& key);

extern template struct ProgramData<double>;
extern template struct ProgramData<long double>;
extern template struct ProgramData<quad>;

}  // namespace noslip

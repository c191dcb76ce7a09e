// The equations of motion at one state: accelerations (or rates) and multipliers, consistency, rank, projection.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <noslip/core/status.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

class ContinuousEvaluator;  // one for each kind of system
template <class T>
class EquationsOfMotion;

/// What does not exist is empty (accelerations and multipliers where the problem is singular) or NaN (energy of a dae2
/// system).
struct ContinuousState {
  std::vector<double> accelerations;     ///< mechanical; odae: z'
  std::vector<double> state_rates;    ///< u' of System::states
  std::vector<double> rates;             ///< dae2: y' = f(t, y, z) with z = multipliers; odae: y' = v(t, y, z); x'
  std::vector<double> multipliers;       ///< d/dt L_v = L_q + f + K^T lambda; dae2: z of the hidden constraint
  std::vector<double> multiplier_rates;  ///< dae2: z', from the hidden constraint differentiated once more
  double energy = 0;
  std::vector<double> constraints;  ///< k of velocity_level(), or g of a dae2 system
  std::vector<double> positions;    ///< g(t, q), one per position constraint
  double max_constraint = 0;        ///< over both
  int constraint_rank = 0;          ///< of K in the metric of the mass, or of g_y f_z; 0 where a value is not finite
  /// Condition of the matrix that gives accelerations and multipliers, [L_vv -K^T; K 0] or g_y f_z, whatever the units:
  /// an upper estimate. Infinity where it is singular, NaN where a value is not finite or there is nothing to solve.
  double condition = std::numeric_limits<double>::quiet_NaN();
  std::string cause;  ///< of a large condition: which constraints or which motion; may be empty
};

/// How many of the decimal digits of numbers with this unit in the last place are sure to be right.
int digits_left(double condition, double epsilon = std::numeric_limits<double>::epsilon());

/// The warning ("condition") of a state where fewer than eight digits are left.
std::optional<Warning> condition_warning(const ContinuousState& state, double t,
                                         double epsilon = std::numeric_limits<double>::epsilon());

/// Evaluates the equations of motion of a system with fixed parameter values. Not for inner loops, but for equations().
/// May be used by several threads.
class Continuous {
 public:
  Continuous(const System& system, std::vector<double> parameter_values);
  /// The same with other values: nothing is compiled again.
  Continuous with_parameters(std::vector<double> parameter_values) const;

  /// Everything at (t, q, v), or at (t, y) with z by Newton's method from state.z: of several solutions of the hidden
  /// constraint the one near state.z is meant. Problems (not thrown, returned through `problems`): singular L_vv,
  /// dependent constraints (rank, and which ones by their texts), constraints that leave a motion without inertia
  /// where L_vv is indefinite, a singular g_y f_z (the system is not of index 2; which g causes it), a z that was not
  /// found, values that are not finite (which expression), nonideal reactions that Newton's method does not find from
  /// the ideal ones or that are not determined. odae: at (t, y, z) with z' and lambda by Newton's method from state.z;
  /// a singular p_z or [p_z -r_lambda; g_y v_z 0].
  ContinuousState evaluate(const InitialState& state, std::vector<Problem>& problems) const;

  /// Mechanical: the positions nearest in the metric of the mass at the given state that satisfy the position
  /// constraints, then the nearest velocities that satisfy all constraints there; Newton for nonlinear ones. dae2: the
  /// nearest y (least change) with g = 0, then z of the hidden constraint by Newton from state.z. odae: the nearest y
  /// with g = 0, then the nearest z with g_t + g_y v = 0. InputError if none is found.
  InitialState project(const InitialState& state) const;

  /// Refuses (InputError, all problems at once) a state from which no run can start: not finite, constraints (of
  /// positions, of velocities, hidden ones of a dae2 system) violated by more than rounding of their own terms (size,
  /// hint `--project`), dependent constraints, singular L_vv or g_y f_z. Refuses also a basis() with rows that violate
  /// a constraint or depend on each other, here or at one of a few positions around. Returns the equations of motion
  /// there.
  ContinuousState require_consistent(const InitialState& state) const;

  /// What is solved for accelerations and multipliers, in the scalar type of a run (src/model/equations_of_motion.hpp):
  /// for states along a run, without the checks. Lives as long as this object and its copies.
  template <class T>
  const EquationsOfMotion<T>& equations() const;

 private:
  explicit Continuous(std::shared_ptr<const ContinuousEvaluator> evaluator) : evaluator_(std::move(evaluator)) {}

  std::shared_ptr<const ContinuousEvaluator> evaluator_;
};

}  // namespace noslip

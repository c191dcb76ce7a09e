// From a system, a state and options to a trajectory.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <noslip/core/given.hpp>
#include <noslip/core/status.hpp>
#include <noslip/exec/kernel.hpp>
#include <noslip/method/method.hpp>
#include <noslip/model/continuous.hpp>
#include <noslip/run/columns.hpp>
#include <noslip/run/control.hpp>
#include <noslip/run/dense_output.hpp>
#include <noslip/run/event.hpp>

namespace noslip {

enum class Precision { double_precision, long_double, quadruple };

/// Options of a run. check() refuses what makes no sense, all problems at once. Numbers that are given in quadruple
/// precision reach a run in that precision with all their digits (core/given.hpp).
struct RunOptions {
  std::string method = "gauss:2";
  quad step = 0;                                          ///< h > 0, finite
  quad until = std::numeric_limits<double>::quiet_NaN();  ///< end time; used when steps == 0
  long long steps = 0;                                    ///< number of steps; 0: from `until`
  long long every = 0;   ///< store each K-th step; 0: store nothing (the summary is complete all the same)
  Settings set = {};     ///< parameter values that differ from the defaults
  Settings init = {};    ///< initial values that differ from the given ones (System::with_initial)
  Control control = {};  ///< values of inputs, and controllers
  bool project = false;  ///< project inconsistent positions and velocities instead of refusing
  Backend backend = Backend::automatic;
  Precision precision = Precision::double_precision;
  double tolerance = 0;  ///< of a step that is iterated as stated, relative to the velocities; 0: exact to rounding
  // inside of steps
  NumberList at = {};  ///< times of the run at which the state is wanted (Trajectory::values), any order
  std::vector<Event> events = {};
  /// Each step is looked at so often for events: two changes of sign between two looks are not seen.
  int looks_per_step = 4;
  bool dense = false;  ///< keep every step, for Trajectory::at
  Between between = Between::polynomial;
  /// Called before the first step and then at most about ten times a second, with the steps done and all steps; return
  /// false to stop.
  std::function<bool(long long done, long long all)> progress = {};
  /// Called after every step with the time, positions and velocities, which are valid until it returns.
  std::function<void(double t, std::span<const double> q, std::span<const double> v)> observe = {};
  /// Ends the run after the step under way, from any thread: std::stop_source.
  std::stop_token stop = {};
  /// Called with each stored row (t, q, v, multipliers, energy) instead of keeping it in the trajectory.
  std::function<void(const struct Sample&)> sink = {};
  /// Called with each event instead of keeping it in the trajectory.
  std::function<void(const struct EventHit&)> event_sink = {};

  void check() const;
};

/// One stored state.
struct Sample {
  double t = 0;
  std::vector<double> q, v;
  std::vector<double> multipliers;  ///< NaN where the constraints depend on each other
  double energy = 0;
  double max_constraint = 0;  ///< over velocity constraints, position constraints and the derivatives of the latter
  double work = 0;            ///< W, done on the system since the start; 0 where nothing does work
  std::vector<double> inputs = {};  ///< that act from this moment on; at the end of a run those that have acted last
};

/// Where an event has happened.
struct EventHit {
  int event = 0;         ///< of RunOptions::events
  long long number = 0;  ///< of this event, from 1 on
  Crossing direction = Crossing::up;
  Sample state;  ///< as Trajectory::at has it
};

/// An invariant or the energy over a run, looked at after every step.
struct Monitored {
  std::string name;
  double initial = 0, final = 0, max_abs_error = 0, drift_per_time = 0;  ///< drift: least-squares slope of the error
};

struct ConstraintResidual {
  std::string text;
  double max_abs = 0;  ///< over all steps, stored or not
};

/// A position constraint g(t, q) = 0 and its derivative along the motion.
struct HolonomicResidual {
  std::string text;
  double max_abs = 0, max_abs_rate = 0;  ///< |g| and |g_t + g_q v|, over all steps
};

/// A state with all digits of the precision that it was computed in (multipliers may have fewer).
struct QuadState {
  quad t = 0;
  std::vector<quad> q, v, multipliers;
};

/// What a run gives.
struct Trajectory {
  // what was run
  std::string system, method;
  std::vector<Column> columns;  ///< what a sample holds: row_columns() of the system
  std::vector<Factor> factors;  ///< System::factors()
  int order = 0;
  double step = 0;
  std::string backend;    ///< "jit" or "interpreter"
  std::string precision;  ///< "double", "long" or "quad"

  // how it ended
  Outcome outcome;
  std::vector<Warning> warnings;       ///< one per code, in the order of time
  long long steps = 0;                 ///< completed
  Sample last;                         ///< last good state
  std::vector<std::string> last_text;  ///< t, q, v to the full precision of the run (quad: 36 digits)
  QuadState last_quad;                 ///< last good state, not rounded to double

  std::vector<double> momenta;  ///< p = L_v at the last state, one per velocity; on groups those of the body

  Monitored energy;
  /// E - W: the energy without the work of forces, time and reactions, which a method keeps up to its order. The energy
  /// itself where nothing does work.
  Monitored balance;
  bool has_work = false;  ///< something does work; Sample::work says how much
  std::vector<ConstraintResidual> constraints;
  double max_constraint = 0;  ///< of the velocity constraints
  std::vector<HolonomicResidual> holonomic;
  double max_holonomic = 0, max_holonomic_rate = 0;
  bool has_rotations = false;   ///< rotation matrices are among the positions
  double max_group_defect = 0;  ///< largest entry of R^T R - 1, over all steps
  std::vector<Monitored> invariants;
  /// Largest |q - exact| at the end over the coordinates of the [exact] table; NaN without one, and where the run does
  /// not start on that solution.
  double error_at_end = 0;
  bool has_exact = false;

  double iterations_mean = 0;
  int iterations_max = 0;
  double wall_seconds = 0;  ///< of the stepping loop

  std::vector<Sample> samples;  ///< the initial state, each `every`-th step and the last
  std::vector<Sample> values;   ///< at the times of RunOptions::at that the run has reached, in their order
  std::vector<Event> events;    ///< that were asked for
  std::vector<EventHit> hits;   ///< in the order of time
  std::shared_ptr<const DenseOutput> dense;  ///< with RunOptions::dense

  /// The state at any time of the run (DenseOutput::at). InputError without RunOptions::dense.
  Sample at(double t) const;

  /// One screen for a person.
  std::string summary() const;
};

/// Integrates. InputError for bad options, a method that does not fit, inconsistent initial data; a numerical failure
/// is in Trajectory::outcome.
Trajectory integrate(const System& system, const InitialState& initial, const RunOptions& options);
/// From the initial data of the system file.
Trajectory integrate(const System& system, const RunOptions& options);

/// ns per step and trajectory without storing or monitoring: minimum of several runs of many steps. Inputs keep their
/// values (Control::inputs): neither controllers nor series act.
struct BenchResult {
  std::string method;
  int lanes = 1;
  std::string backend;
  double nanoseconds_per_step = 0;  ///< per step and trajectory; NaN if a step failed
  double iterations_mean = 0;
  Outcome outcome;
};
BenchResult bench(const System& system, const InitialState& initial, const RunOptions& options, int lanes);

}  // namespace noslip

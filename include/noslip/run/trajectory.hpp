// What a run gives: states, and what was monitored on the way. The groups and their names are those of `run --json`.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <noslip/core/scalar.hpp>
#include <noslip/core/status.hpp>
#include <noslip/exec/kernel.hpp>
#include <noslip/run/columns.hpp>
#include <noslip/run/dense_output.hpp>
#include <noslip/run/event.hpp>

namespace noslip {

/// One stored state.
struct Sample {
  double t = 0;
  std::vector<double> q, v;
  std::vector<double> multipliers;  ///< NaN where the constraints depend on each other
  double energy = 0;
  double max_constraint = 0;  ///< over velocity constraints, position constraints and the derivatives of the latter
  double work = 0;            ///< W, done on the system since the start; 0 where nothing does work
  std::vector<double> inputs = {};  ///< that act from this moment on; at the end of a run those that have acted last
  std::vector<double> outputs = {};  ///< System::outputs(), with these multipliers

  /// For core/archive.hpp.
  template <class To>
  void carry(To& archive) {
    archive(t, q, v, multipliers, energy, max_constraint, work, inputs, outputs);
  }
};

/// A state with all digits of the precision that it was computed in (multipliers may have fewer).
struct QuadState {
  quad t = 0;
  std::vector<quad> q, v, multipliers;

  template <class To>
  void carry(To& archive) {
    archive(t, q, v, multipliers);
  }
};

/// Where an event has happened.
struct EventHit {
  int event = 0;         ///< of RunOptions::events
  long long number = 0;  ///< of this event, from 1 on
  Crossing direction = Crossing::up;
  Sample state;  ///< as Trajectory::at has it

  template <class To>
  void carry(To& archive) {
    archive(event, number, direction, state);
  }
};

/// What was run.
struct AboutRun {
  std::string system, method;
  int order = 0;                         ///< of the method on this system
  double step = 0;                       ///< h
  Backend backend = Backend::automatic;  ///< the one that was used: jit or interpreter
  Precision precision = Precision::double_precision;
  std::vector<Column> columns;  ///< what a sample holds: row_columns() of the system
  std::vector<Factor> factors;  ///< System::factors()
  bool has_exact = false;       ///< the system has an [exact] table

  /// All but columns and factors, which the system has.
  template <class To>
  void carry(To& archive) {
    archive(system, method, order, step, backend, precision, has_exact);
  }
};

/// An invariant or the energy, evaluated after every step.
struct Monitored {
  std::string name;
  double initial = 0, final = 0, max_abs_error = 0, drift_per_time = 0;  ///< drift: least-squares slope of the error

  template <class To>
  void carry(To& archive) {
    archive(name, initial, final, max_abs_error, drift_per_time);
  }
};

/// E - W: the energy without the work of forces, time and reactions, which a method keeps up to its order.
struct EnergyBalance : Monitored {
  bool has_work = false;  ///< something does work (Sample::work); otherwise the balance is the energy itself

  template <class To>
  void carry(To& archive) {
    Monitored::carry(archive);
    archive(has_work);
  }
};

/// |k(t, q, v)| of velocity constraints k = 0, the largest over all steps, stored or not.
struct ConstraintResiduals {
  struct One {
    std::string text;
    double max_abs = 0;
    std::string name = {};  ///< of the constraint; mostly none
    template <class To>
    void carry(To& archive) {
      archive(text, max_abs, name);
    }
  };
  double max_abs = 0;
  std::vector<One> by_name;  ///< in the order of System::constraints()

  template <class To>
  void carry(To& archive) {
    archive(max_abs, by_name);
  }
};

/// |g(t, q)| of position constraints g = 0, and |g_t + g_q v|, their rates along the motion.
struct HolonomicResiduals {
  struct One {
    std::string text;
    double max_abs = 0, max_abs_rate = 0;
    std::string name = {};  ///< of the constraint; mostly none
    template <class To>
    void carry(To& archive) {
      archive(text, max_abs, max_abs_rate, name);
    }
  };
  double max_abs = 0, max_abs_rate = 0;
  std::vector<One> by_name;  ///< in the order of System::holonomic()

  template <class To>
  void carry(To& archive) {
    archive(max_abs, max_abs_rate, by_name);
  }
};

/// Rotation matrices R among the positions.
struct RotationDefect {
  double max_abs = 0;  ///< largest entry of R^T R - 1, over all steps

  template <class To>
  void carry(To& archive) {
    archive(max_abs);
  }
};

/// A guard of the system (System::guards).
struct GuardResult {
  std::string text;
  double failed_at = std::numeric_limits<double>::quiet_NaN();    ///< where it failed first; NaN: it holds
  double unknown_from = std::numeric_limits<double>::quiet_NaN();  ///< where it had no value first; NaN: it always had

  bool holds() const { return failed_at != failed_at; }
};

/// Newton iterations per step; zero if steps are explicit.
struct SolverEffort {
  double iterations_mean = 0;
  int iterations_max = 0;

  template <class To>
  void carry(To& archive) {
    archive(iterations_mean, iterations_max);
  }
};

struct Trajectory {
  AboutRun about;

  // how it ended
  Outcome outcome;
  std::vector<Warning> warnings;  ///< one per code, in the order of time
  long long steps = 0;            ///< completed
  Sample last;                    ///< last good state
  QuadState last_quad;            ///< the same, not rounded to double
  std::vector<double> momenta;    ///< p = L_v there, one per velocity; on groups those of the body

  // monitored after every step
  Monitored energy;
  EnergyBalance balance;
  std::vector<Monitored> invariants;
  ConstraintResiduals constraints;
  HolonomicResiduals holonomic;
  std::vector<GuardResult> guards;          ///< in the order of System::guards()
  bool stops_at_guard = false;              ///< the run has ended where one failed (RunOptions::strict)
  std::optional<RotationDefect> rotations;  ///< if there are rotation matrices
  /// Largest |q - exact| at the end over the coordinates of the [exact] table. NaN without one (AboutRun::has_exact),
  /// and if the run does not start on that solution.
  double error_at_end = std::numeric_limits<double>::quiet_NaN();

  // what it cost
  SolverEffort solver;
  double wall_seconds = 0;  ///< of the stepping loop

  // what was asked for
  std::vector<Sample> samples;  ///< the initial state, each `every`-th step and the last
  std::vector<Sample> values;   ///< at the times of RunOptions::at that the run has reached, in their order
  std::vector<Event> events;    ///< RunOptions::events
  std::vector<EventHit> hits;   ///< in the order of time
  /// One per event, if not all of them are in `hits`; otherwise empty. (integrate leaves it empty; whoever takes events
  /// with RunOptions::event_sink may fill it in.)
  std::vector<long long> event_counts;
  std::shared_ptr<const DenseOutput> dense;  ///< with RunOptions::dense

  /// The state at any time of the run (DenseOutput::at). InputError without RunOptions::dense.
  Sample at(double t) const;
  /// t, q, v of last_quad, with the digits of the precision of the run (quad: 36).
  std::vector<std::string> last_text() const;
  /// One screen for a person.
  std::string summary() const;

  /// For core/archive.hpp: a run that is over. Not carried are columns and factors, which the system has, functions of
  /// events, and `dense`.
  template <class To>
  void carry(To& archive) {
    archive(about, outcome, warnings, steps, last, last_quad, momenta);
    archive(energy, balance, invariants, constraints, holonomic, rotations, error_at_end, solver, wall_seconds);
    archive(samples, values, events, hits, event_counts);
  }
};

}  // namespace noslip

// From a system, a state and options to a trajectory.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <noslip/core/given.hpp>
#include <noslip/exec/kernel.hpp>
#include <noslip/method/method.hpp>
#include <noslip/model/continuous.hpp>
#include <noslip/run/checkpoint.hpp>
#include <noslip/run/control.hpp>
#include <noslip/run/trajectory.hpp>

namespace noslip {

/// Options of a run. Numbers that are given in quadruple precision reach a run in that precision with all their digits
/// (core/given.hpp).
struct RunOptions {
  std::string method = "gauss:2";
  quad step = 0;                                          ///< h > 0, finite
  quad until = std::numeric_limits<double>::quiet_NaN();  ///< end time; used when steps == 0
  long long steps = 0;                                    ///< number of steps; 0: from `until`
  long long every = 0;   ///< store each K-th step; 0: store nothing (the summary is complete all the same)
  Settings set = {};     ///< parameter values that differ from the defaults
  Settings init = {};    ///< initial values that differ from the given ones (System::with_initial)
  Control control = {};  ///< values of inputs, and controllers
  bool strict = false;   ///< stop where a guard of the system fails (System::guards), instead of a warning alone
  bool project = false;  ///< project inconsistent positions and velocities instead of refusing

  // how steps are computed
  Backend backend = Backend::automatic;
  Precision precision = Precision::double_precision;
  double tolerance = 0;  ///< of a step that is iterated as stated, relative to the velocities; 0: exact to rounding

  // between the steps
  NumberList at = {};              ///< times at which the state is wanted (Trajectory::values), in any order
  std::vector<Event> events = {};  ///< sign changes to find (Trajectory::hits)
  int looks_per_step = 4;          ///< event checks in each step; two sign changes between two of them are not found
  bool land = false;               ///< a step ends at every event, and the next one begins there (Event::act says how)
  bool dense = false;              ///< keep every step, for Trajectory::at
  Between between = Between::polynomial;

  // while it runs
  /// Called before the first step and then at most about twenty times a second; return false to stop.
  std::function<bool(long long done, long long all)> progress = {};
  /// Called after every step. The positions and velocities are valid until it returns.
  std::function<void(double t, std::span<const double> q, std::span<const double> v)> observe = {};
  std::stop_token stop = {};                             ///< ends the run after the step under way, or its preparation, from any thread
  std::function<void(const Sample&)> sink = {};          ///< receives the stored rows; Trajectory::samples stays empty
  std::function<void(const EventHit&)> event_sink = {};  ///< receives the events; Trajectory::hits stays empty

  // to go on later (run/checkpoint.hpp)
  /// Called before the first step, about every `checkpoint_every` seconds, and where the run ends.
  std::function<void(const Checkpoint&)> checkpoint = {};
  double checkpoint_every = 60;
  /// Checkpoint::state of an earlier run: this one goes on from there. Everything else has to be as it was then, but
  /// for the end and the functions in C++. Empty: from the start.
  std::string from = {};

  /// InputError for values that make no sense, all problems at once.
  void check() const;
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
  Backend backend = Backend::automatic;  ///< the one that was used: jit or interpreter
  double nanoseconds_per_step = 0;       ///< per step and trajectory; NaN if a step failed
  double iterations_mean = 0;
  Outcome outcome;
};
BenchResult bench(const System& system, const InitialState& initial, const RunOptions& options, int lanes);

}  // namespace noslip

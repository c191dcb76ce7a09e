// Many trajectories of one system with one method: members that differ in their initial states, side by side in SIMD
// lanes and spread over threads.
//
//   std::vector<InitialState> members = ...;
//   const Ensemble run = integrate_ensemble(system, members,
//       {.method = "mp", .step = 0.05, .until = 1000, .every = 100, .quantities = {system.energy()}});
//   run.value(0, row, member)        // the energy of a member at time run.times[row]
//
// What a member does depends neither on the other members nor on the number of lanes and threads: to the last bit it is
// the run that integrate() makes. Members from which the first step needs other pivots than usual run by themselves.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <noslip/core/status.hpp>
#include <noslip/run/run.hpp>

namespace noslip {

/// One member at one of the rows; what the spans point to lives as long as the call.
struct MemberSample {
  std::size_t member = 0, row = 0;
  double t = 0;
  std::span<const double> q, v;        ///< angles are continuous
  std::span<const double> quantities;  ///< in the order of EnsembleOptions::quantities
};

struct EnsembleOptions {
  std::string method = "gauss:2";
  double step = 0;                                          ///< h > 0, finite
  double until = std::numeric_limits<double>::quiet_NaN();  ///< end time; used when steps == 0
  long long steps = 0;                                      ///< number of steps; 0: from `until`
  long long every = 0;   ///< a row at the start, after each K-th step and at the end; 0: no rows
  Settings set = {};     ///< parameter values that differ from the defaults; of all members
  Settings inputs = {};  ///< values of inputs that differ from the defaults; of all members, all the time
  bool project = false;  ///< project inconsistent initial states instead of refusing
  Backend backend = Backend::automatic;
  double tolerance = 0;  ///< of the nonlinear solve, relative to the velocities; 0: to rounding
  int threads = 0;       ///< 0: as many as the machine has
  int lanes = 0;         ///< 1, 4 or 8; 0: what suits the number of members
  /// Functions of time, positions, velocities and parameters (in the graph of the system, or in one copy of it that
  /// lives until the ensemble is done) that are evaluated at every row. Angles in them are near zero, where functions
  /// of them have all digits.
  std::vector<Expr> quantities = {};
  /// Keep their values: rows x members numbers for each. Otherwise they are for the observer alone.
  bool keep = true;
  /// Called at every row of every member, from several threads at once, but row after row for each member. Members that
  /// have failed are left out.
  std::function<void(const MemberSample&)> observer = {};
  /// Called from time to time with the steps done and all steps, of all members; return false to stop.
  std::function<bool(long long done, long long all)> progress = {};

  /// InputError, all problems at once.
  void check() const;
};

/// How a member ended.
struct Member {
  Outcome outcome;
  double t = 0;              ///< of the last state that is known to be good
  std::vector<double> q, v;  ///< that state; after a failure it may lie a few hundred steps before it
};

struct Ensemble {
  std::string system, method;
  Backend backend = Backend::automatic;  ///< the one that was used: jit or interpreter
  double step = 0;
  long long steps = 0;  ///< of a member that has not failed
  int lanes = 1, threads = 1;
  std::vector<Member> members;
  std::vector<double> times;                ///< of the rows
  std::vector<std::vector<double>> values;  ///< per quantity, see value()
  std::vector<Warning> warnings;            ///< one per code, of the first member that has it
  Outcome outcome;                          ///< stopped: by the progress function. Failures are those of members.
  double wall_seconds = 0;

  /// A quantity of a member at a row; NaN from its failure on.
  double value(std::size_t quantity, std::size_t row, std::size_t member) const {
    return values[quantity][row * members.size() + member];
  }
};

/// InputError for options that make no sense, a system with a controller ([sampled]: its members would need one each),
/// no members, and members whose initial state is not consistent (all of
/// them, by number) or does not start at the time of the first one.
Ensemble integrate_ensemble(const System& system, std::span<const InitialState> members,
                            const EnsembleOptions& options);

}  // namespace noslip

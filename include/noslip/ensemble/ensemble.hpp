// Many trajectories of one system with one method: side by side in SIMD lanes, spread over threads and processes.
//
//   const auto members = grid_members({{"theta'", 0, 1, 1000}});
//   const Ensemble run = integrate_ensemble(system, *members,
//       {.run = {.method = "mp", .step = 0.05, .until = 1000, .every = 100}, .columns = {"energy"}});
//   run.value(0, row, member)        // the energy of a member at time run.times[row]
//
// What a member does depends neither on the other members nor on the number of lanes, threads and ranks: to the last bit
// it is the run that integrate() makes. A member that fails is marked, and the others go on.
//
// Members are dealt in blocks to whoever is free, and handed on in order. With a sink, memory does not grow with their
// number. Lanes are watched (constraints, energy, finite numbers) from time to time; a member that looks doubtful is run
// again by integrate(), which has the last word and may warn. So are a few members in any case. Events, guards,
// controllers, series of inputs and columns that only a run knows (multipliers, expressions in them, `constraint`) need
// integrate() for every member: slower, in threads and ranks all the same.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <noslip/core/status.hpp>
#include <noslip/ensemble/members.hpp>
#include <noslip/ensemble/reduction.hpp>
#include <noslip/run/run.hpp>

namespace noslip {

class Ranks;

struct MemberFailure {
  std::size_t member = 0;
  double t = 0;  ///< the failure is at this time or later
  std::string message;

  /// For core/archive.hpp.
  template <class To>
  void carry(To& archive) {
    archive(member, t, message);
  }
};

/// Members that follow each other, with everything that is kept of them.
struct MemberBlock {
  std::size_t first = 0, count = 0;
  /// Member after member, in the order of Ensemble::member_columns: what varies; count and time of events; failed.
  std::vector<double> of_member;
  /// Member after member, column after column, row after row (Ensemble::columns, ::times); NaN where a member has not
  /// come.
  std::vector<double> values;
  std::vector<MemberFailure> failures;
  std::vector<Warning> warnings;  ///< one per code
  long long steps = 0;            ///< made by its members

  template <class To>
  void carry(To& archive) {
    archive(first, count, of_member, values, failures, warnings, steps);
  }
};

/// An ensemble between two blocks.
struct EnsembleCheckpoint {
  std::size_t members = 0;  ///< so many were handed to the sink
  std::string state;        ///< everything else that the rest depends on, as bytes
};

struct EnsembleOptions {
  /// Of every member: method, step, end, values, events (number and first time are told for each member; no functions in
  /// C++), in double precision. `every`: a row at the start, after each K-th step and at the end; 0: a row at the end.
  /// `progress` is called from time to time, by any thread, with the steps done and all steps of all members. Not here:
  /// `at`, `dense`, `observe`, sinks, checkpoints and controllers in C++.
  RunOptions run = {};
  /// What is kept at each row: names of the columns of a run (run/columns.hpp) and expressions. Empty: positions and
  /// velocities, or only what reductions need.
  std::vector<std::string> columns = {};
  std::vector<MemberReduction> reductions = {};  ///< over the members, at each row

  int threads = 0;         ///< 0: as many as this process may use
  int lanes = 0;           ///< 1, 4 or 8; 0: what suits the number of members
  Ranks* ranks = nullptr;  ///< other processes that were called in the same way (ensemble/ranks.hpp)
  /// Members from `first_member` on, `member_count` of them (0: all that follow), as if the others were not there. They
  /// keep their numbers.
  std::size_t first_member = 0, member_count = 0;

  /// Receives the blocks in order, one at a time, from any thread; Ensemble::values stays empty. Rank 0 alone has one.
  std::function<void(const MemberBlock&)> sink = {};

  // to go on later, with the same bytes
  /// Called about every `checkpoint_every` seconds between two blocks, and where the ensemble ends or is stopped.
  std::function<void(const EnsembleCheckpoint&)> checkpoint = {};
  double checkpoint_every = 60;
  std::string from = {};  ///< EnsembleCheckpoint::state of an earlier call with the same options

  /// InputError, all problems at once.
  void check() const;
};

/// What came out. Rank 0 has it; for the others it is empty.
struct Ensemble {
  std::string system, method;
  Backend backend = Backend::automatic;  ///< the one that was used: jit or interpreter
  double step = 0;
  int lanes = 1, threads = 1, ranks = 1;
  std::vector<Column> member_columns;  ///< one number per member
  std::vector<Column> columns;         ///< one number per member and row
  std::vector<double> times;           ///< of the rows

  std::size_t members = 0;  ///< all that were asked for
  std::size_t done = 0, failed = 0;
  std::size_t earlier = 0;  ///< of these, by the call that this one goes on from
  long long steps = 0;  ///< of all members
  Outcome outcome;      ///< interrupted, or done; failures are those of members
  static constexpr std::size_t most_failures = 100;
  std::vector<MemberFailure> failures;  ///< the first ones
  std::vector<Warning> warnings;        ///< one per code, of the first member that has it
  double wall_seconds = 0;

  std::vector<double> member_values;  ///< without a sink: MemberBlock::of_member of all members
  std::vector<double> values;         ///< the same of MemberBlock::values
  Reducer reduced = Reducer({}, 0);   ///< EnsembleOptions::reductions

  /// A column of a member at a row; NaN from its failure on.
  double value(std::size_t column, std::size_t row, std::size_t member) const {
    return values[(member * columns.size() + column) * times.size() + row];
  }
  /// All columns of a member at the last row.
  std::vector<double> last(std::size_t member) const;
};

/// InputError for options that make no sense, for names that the system does not have, and for members of a table whose
/// initial state is not consistent (the first ones, by their names), before anything runs. A member of a grid or a sample
/// that cannot start is one that fails.
Ensemble integrate_ensemble(const System& system, const Members& members, const EnsembleOptions& options);
/// Members that differ in their initial states, which begin at the same time.
Ensemble integrate_ensemble(const System& system, std::span<const InitialState> members,
                            const EnsembleOptions& options);

/// The columns of an ensemble, for whoever opens a file before it runs: Ensemble::member_columns, ::columns, ::times.
struct EnsembleTable {
  std::vector<Column> member_columns, columns;
  std::vector<double> times;
  /// Everything that the results depend on, in words for messages; the same for all parts of the members.
  std::vector<std::pair<std::string, std::string>> identity;
};
EnsembleTable ensemble_table(const System& system, const Members& members, const EnsembleOptions& options);

}  // namespace noslip

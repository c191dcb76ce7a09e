// Runs that are broken off and go on, for tests. Who includes it has core/archive.hpp and run/run.hpp.
#pragma once

#include <algorithm>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

namespace noslip::testing {

/// All numbers and texts of a trajectory, but for the time that it took.
inline std::string everything(Trajectory run) {
  ByteWriter to;
  Archive archive(to);
  archive(run.about.system, run.about.method, run.about.order, run.about.step, run.about.backend, run.outcome,
          run.warnings, run.steps, run.last, run.last_quad.t, run.last_quad.q, run.last_quad.v,
          run.last_quad.multipliers, run.momenta);
  const auto monitored = [&](Monitored& one) {
    archive(one.name, one.initial, one.final, one.max_abs_error, one.drift_per_time);
  };
  monitored(run.energy);
  monitored(run.balance);
  archive(run.balance.has_work);
  for (Monitored& one : run.invariants) monitored(one);
  for (auto& one : run.constraints.by_name) archive(one.text, one.max_abs);
  for (auto& one : run.holonomic.by_name) archive(one.text, one.max_abs, one.max_abs_rate);
  if (run.rotations) archive(run.rotations->max_abs);
  archive(run.error_at_end, run.solver.iterations_mean, run.solver.iterations_max, run.samples, run.values, run.hits);
  for (double t = run.dense ? run.dense->begin() : 1; run.dense && t <= run.dense->end(); t += 0.0371) {
    Sample sample = run.at(t);
    archive(sample);
  }
  return to.take();
}

/// Another run with the same program: what it leaves in memory that runs share must not matter.
inline void run_another(const System& system, RunOptions options) {
  options.step *= 2;
  options.steps = 9;
  options.at.clear();
  options.sink = {};
  options.observe = {};
  try {
    integrate(system, options);
  } catch (const InputError&) {  // of an event that cannot act at such a step
  }
}

/// A run in pieces, each of which is stopped after so many steps of the whole (0: before the first one); what it tells in
/// the end.
struct Pieces {
  RunOptions options;
  std::vector<Sample> rows;  ///< that a sink has got, without those that came again
  std::string state = {};    ///< of the last checkpoint
  bool is_bound = false;
  int checkpoints = 0;

  explicit Pieces(RunOptions all, std::string from = {}) : options(std::move(all)), state(std::move(from)) {}

  Trajectory go_on(const System& system, long long stop_at = std::numeric_limits<long long>::max()) {
    RunOptions piece = options;
    piece.from = state;
    run_another(system, options);
    std::size_t rows_then = rows.size();
    std::stop_source stop;
    piece.stop = stop.get_token();
    long long done = -1;
    piece.progress = [&](long long steps, long long) {
      if (done < 0) done = steps;
      return stop_at > 0;
    };
    piece.observe = [&](double t, std::span<const double> q, std::span<const double> v) {
      if (options.observe) options.observe(t, q, v);
      if (++done == stop_at) stop.request_stop();
    };
    piece.checkpoint = [&](const Checkpoint& here) {
      state = here.state;
      is_bound = here.is_bound_to_end;
      rows_then = rows.size();
      ++checkpoints;
    };
    if (options.sink) piece.sink = [&](const Sample& sample) { rows.push_back(sample); };
    Trajectory run = integrate(system, piece);
    if (run.outcome.status == Status::interrupted) rows.resize(rows_then);
    return run;
  }
};

inline Trajectory in_pieces(const System& system, const RunOptions& options, std::vector<long long> breaks) {
  Pieces pieces(options);
  for (const long long stop_at : breaks) pieces.go_on(system, stop_at);
  return pieces.go_on(system);
}

}  // namespace noslip::testing

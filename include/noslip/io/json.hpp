// Results as JSON documents: the keys that scripts rely on. Numbers round-trip; NaN and infinity are written as null.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <noslip/model/continuous.hpp>
#include <noslip/model/sampled.hpp>
#include <noslip/run/compare.hpp>
#include <noslip/run/converge.hpp>
#include <noslip/run/run.hpp>
#include <noslip/run/structure.hpp>

namespace noslip {

/// What `noslip check` finds out about a system at its initial state.
struct CheckReport {
  System system;
  std::vector<double> parameters;  ///< values in use, in the order of System::step_constants()
  InitialState initial;
  ContinuousState continuous;            ///< at `initial`; values that do not exist are NaN or missing
  int rank = 0;                          ///< of K = k_v at the initial state
  std::vector<Problem> problems;         ///< empty: a run can start here
  std::vector<StructureReport> methods;  ///< what methods were seen to keep, where that was asked for
  std::vector<Warning> warnings;         ///< what a run in double precision announces at its start
  SampledTimes sampled = {};             ///< of the controller, if the system has one
  std::vector<double> outputs = {};      ///< System::outputs() there
  std::vector<double> margins = {};      ///< of System::guards() there
};

/// The document of `noslip run --json`. With quadruple or extended precision also `t_text`, `q_text` and `v_text` with
/// all digits.
std::string to_json_text(const Trajectory& trajectory);
/// The same in pieces, as they come: long lists (`at`, `events`) take no memory.
void write_json(const Trajectory& trajectory, const std::function<void(std::string_view)>& take);

/// The document of `noslip check --json`.
std::string to_json_text(const CheckReport& report);

/// The document of `noslip bench --json`.
std::string to_json_text(const std::string& system, double step, std::span<const BenchResult> results);

/// The document of `noslip converge --json`.
std::string to_json_text(const Convergence& convergence);

/// The document of `noslip compare --json`: a list of what `run --json` prints, with the cost of a step as `bench`
/// measures it, and errors where the exact solution is known.
std::string to_json_text(const Comparison& comparison);

/// What `noslip ensemble --json` tells.
struct EnsembleReport {
  struct Failure {
    std::size_t member = 0;
    double t = 0;
    std::string message;
  };
  std::string system, method;
  Backend backend = Backend::automatic;
  double step = 0;
  std::size_t members = 0, done = 0, failed = 0, earlier = 0;  ///< earlier: computed before a break
  long long steps = 0;
  double wall_seconds = 0;
  int threads = 1, lanes = 1, ranks = 1;
  std::vector<double> times;                                         ///< of the rows
  std::vector<std::pair<std::string, std::vector<double>>> outputs;  ///< reductions, each over the rows
  std::vector<Failure> failures;                                     ///< the first ones
  std::vector<Warning> warnings;
  Outcome outcome;
};
std::string to_json_text(const EnsembleReport& report);

/// What `noslip merge --json` tells: of the ensemble what its parts know together.
struct MergeReport {
  struct Input {
    std::string file;
    std::size_t part = 0, first = 0, members = 0, failed = 0;
  };
  std::vector<Input> inputs;  ///< by their first members
  std::vector<std::string> files;
  EnsembleReport ensemble;
};
std::string to_json_text(const MergeReport& report);

}  // namespace noslip

// What studies (converge, compare) have in common: many runs of one problem, and numbers for q, v and multipliers.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <noslip/run/compare.hpp>
#include <noslip/run/converge.hpp>

namespace noslip {

/// q, v and multipliers, to do the same for each of them.
constexpr std::array<double StateNumbers::*, 3> state_parts{&StateNumbers::q, &StateNumbers::v,
                                                            &StateNumbers::multipliers};

/// Largest difference over the components; NaN where there are none, or one is not a number.
StateNumbers distance(const QuadState& a, const QuadState& b);
/// Largest component.
StateNumbers size_of(const QuadState& state);
/// The larger of both, a NaN only where both are.
StateNumbers larger(const StateNumbers& a, const StateNumbers& b);

/// The distance of 1 to the next number.
double unit_of(Precision precision);
/// Long for double, quad for the others.
Precision next_precision(Precision precision);

/// The methods with these names. Adds a problem for each that does not exist, stands twice or does not accept the
/// system.
std::vector<std::shared_ptr<const Method>> find_methods(const System& system, const std::vector<std::string>& names,
                                                        std::vector<Problem>& problems);

/// The runs of one problem to one end time.
class StudyRuns {
 public:
  /// `initial` may be null: then the initial data of the system, exact in every precision. Both live longer than this.
  StudyRuns(const System& system, const InitialState* initial, RunOptions common, StudyProgress progress);

  /// A run to the end, or with the outcome `stopped` once the progress function has asked for it. Multipliers that come
  /// from the continuous problem have all digits in last_quad.
  Trajectory run(const std::string& method, quad step, Precision precision);
  /// What a step costs with these options, from the same start.
  BenchResult bench(const RunOptions& options);
  bool stopped() const { return stopped_; }

  const System& system() const { return system_; }
  const RunOptions& common() const { return common_; }
  /// Where the runs start, after the projection if there is one.
  const InitialState& start() const { return start_; }
  quad begin() const { return begin_; }  ///< start().t, not rounded
  quad until() const { return common_.until; }
  /// Adds a problem unless the end lies after the start.
  void check_end(std::vector<Problem>& problems) const;
  /// Adds a problem for a step that is not positive, or so small that steps cannot be counted.
  void check_step(quad step, std::vector<Problem>& problems) const;
  /// False where the last step has to be shortened.
  bool divides(quad step) const;

 private:
  const System& system_;
  const InitialState* initial_;
  RunOptions common_;
  StudyProgress progress_;
  quad begin_ = 0;
  InitialState start_;
  bool stopped_ = false;
};

/// What all runs of a comparison share.
RunOptions options_of_runs(const CompareOptions& options);

}  // namespace noslip

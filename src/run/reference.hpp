// A solution to measure errors against, where there is no exact one.
#pragma once

#include <functional>

#include "run/rounding.hpp"
#include "run/study.hpp"

namespace noslip {

/// Two runs that differ in the step by a factor of two, made finer and with more digits until they are good enough. The
/// finer one is the reference, and the difference bounds its error.
class Reference {
 public:
  /// Steps are fractions of `smallest_step`. InputError where no method of that order accepts the system.
  Reference(StudyRuns& runs, int order, quad largest_step, quad smallest_step);

  /// Improves the reference until its error is below `needed`, which is asked again for every state that is tried.
  /// Gives up, without complaint, at a thirty-second of the smallest step: error() tells how far it came.
  void refine(const std::function<StateNumbers(const QuadState&)>& needed);

  const QuadState& state() const { return fine_.last_quad; }
  StateNumbers error() const;                                             ///< may be larger than `needed`
  bool multipliers_gain() const { return rounding_.multipliers_gain(); }  ///< see Rounding
  ConvergeReference describe() const;
  const Outcome& outcome() const { return outcome_; }

 private:
  /// Repeats both runs with these digits, with smaller steps if they fail. Changes nothing when it is stopped.
  void compute(Precision precision);
  Trajectory run(int parts, Precision precision) const;
  StateNumbers rounding(Precision precision) const;
  /// The lowest precision whose rounding errors are below `needed`.
  Precision enough(const StateNumbers& needed) const;

  StudyRuns& runs_;
  std::string method_;
  quad largest_step_, smallest_step_;
  Precision precision_ = Precision::double_precision;
  bool is_computed_ = false;
  int parts_ = 1;  // steps of the coarser run in the smallest step
  Trajectory coarse_, fine_;
  Rounding rounding_;
  Outcome outcome_;
};

}  // namespace noslip

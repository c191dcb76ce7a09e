// How much of an error is rounding: measured, by running the same steps with more digits.
#pragma once

#include "run/study.hpp"

namespace noslip {

class Rounding {
 public:
  Rounding() = default;
  /// Compares a run in double with the same in long double; the largest step of a study makes it cheap. `in_double` may
  /// have failed: then only the sizes of the numbers decide.
  static Rounding measure(StudyRuns& runs, const std::string& method, quad step, const Trajectory& in_double);

  /// What rounding may contribute to the error of a run with that many steps: errors of single steps are assumed to add
  /// up, so that this is an upper bound rather than an expected value. (A multiplier is an impulse divided by the step:
  /// its rounding errors grow in the same way.)
  StateNumbers after(long long steps, Precision precision) const;

  /// Whether multipliers of runs with more digits have more digits.
  bool multipliers_gain() const { return multipliers_gain_; }

 private:
  StateNumbers size_, measured_;  // of the run in double
  long long steps_ = 1;
  bool multipliers_gain_ = false;
};

}  // namespace noslip

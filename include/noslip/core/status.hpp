// How a computation ended. A numerical failure is a value, never an exception and never a NaN in the output.
#pragma once

#include <string>

namespace noslip {

enum class Status {
  done,         ///< reached the end
  stopped,      ///< ended early at an event
  interrupted,  ///< ended early from outside (RunOptions::progress, Ctrl-C)
  failed        ///< the step could not be solved; the state is the last good one
};

inline const char* to_text(Status status) {
  switch (status) {
    case Status::done: return "done";
    case Status::stopped: return "stopped";
    case Status::interrupted: return "interrupted";
    case Status::failed: return "failed";
  }
  return "unknown";
}

struct Outcome {
  Status status = Status::done;
  std::string message;  ///< unless `done`: what happened, when, and what to try
};

/// What a run may announce.
struct WarningKind {
  const char *code, *meaning;
};
inline constexpr WarningKind warning_kinds[] = {
    {"branch", "a step ends on another solution of the constraints than smaller steps do"},
    {"condition", "the equations of motion are ill-conditioned at the initial state; says how many digits are left"},
    {"constraints", "a constraint is not satisfied to rounding error"},
    {"energy", "the energy balance is off by 10 %, or by more than the order of the method explains"},
    {"events", "an event that acts is zero to rounding error where its side matters; says what was decided"},
    {"guards", "a guard of the system fails, or has no value; says when"},
    {"iterations", "Newton's method needed more than 15 iterations in a solve of a step"},
    {"inputs", "steps are smaller than asked for, so that one begins whenever an input changes"},
    {"listing", "not all events are listed; says how many there are"},
    {"pivoting", "the equations of a step are nearly singular, or many steps were solved with pivoting"},
    {"quantiles", "a quantile over many members is not exact, and its error counts beside the range of the values"},
    {"step",
     "the step size does not follow the motion: smaller steps change a step by more than 10 %, or have no solution"},
    {"switches", "a condition or a corner of the equations was passed inside a step, where the method loses its order"},
    {"turns", "a body turns by more than pi in a step, which cannot be told from turning less"},
};

/// A result that holds with a reservation: the run was not refused, but its numbers are not what they usually are.
struct Warning {
  std::string code;     ///< for scripts: one of warning_kinds
  std::string message;  ///< what is wrong, with the value; then what to do
  double t = 0;         ///< when it was seen first
};

}  // namespace noslip

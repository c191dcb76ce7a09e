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

/// A result that holds with a reservation: the run was not refused, but its numbers are not what they usually are.
struct Warning {
  std::string code;     ///< for scripts: one word, for example "condition"
  std::string message;  ///< what is wrong, with the value; then what to do
  double t = 0;         ///< when it was seen first
};

}  // namespace noslip

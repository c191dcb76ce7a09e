// How a computation ended. A numerical failure is a value, never an exception and never a NaN in the output.
#pragma once

#include <string>

namespace noslip {

enum class Status {
  done,     ///< reached the end
  stopped,  ///< ended early on purpose (an event, an interruption)
  failed    ///< the step could not be solved; the state is the last good one
};

inline const char* to_text(Status status) {
  switch (status) {
    case Status::done: return "done";
    case Status::stopped: return "stopped";
    case Status::failed: return "failed";
  }
  return "unknown";
}

struct Outcome {
  Status status = Status::done;
  std::string message;  ///< for `failed` and `stopped`: what happened, when, and what to try
};

}  // namespace noslip

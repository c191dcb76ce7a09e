// Runs that are broken off and go on later, with the same bits as a run without a break.
//
//   std::string saved;
//   options.checkpoint = [&](const Checkpoint& here) { saved = here.state; };   // and to disk, perhaps
//   integrate(system, options);                                                 // ends early, or is killed
//
//   options.from = saved;
//   integrate(system, options);   // the rest; the trajectory is that of the whole run
//
// Rows, events and everything else that the run has told before the checkpoint is in it, or was given to
// RunOptions::sink and RunOptions::event_sink before: rows that these have got later than the checkpoint come again.
// What functions of the caller remember (controllers, actions of events, sinks) is the caller's to save and restore.
#pragma once

#include <string>

#include <noslip/core/error.hpp>

namespace noslip {

/// A run between two steps.
struct Checkpoint {
  double t = 0;
  long long steps = 0;  ///< so far
  /// Steps since the last checkpoint without this mark were chosen so that they end at the end of the run. From here
  /// on, a run to another end may be refused (OtherEnd); from that checkpoint it is not.
  bool is_bound_to_end = false;
  std::string state;  ///< everything that the rest of the run depends on, as bytes
};

/// RunOptions::from belongs to a run whose steps were chosen for another end.
class OtherEnd : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace noslip

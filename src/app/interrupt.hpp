// Ctrl-C, termination and a lost connection: the first one ends the run cleanly after the current step, the second one ends the program.
#pragma once

namespace noslip::app {

/// Ignores broken pipes and limits of file sizes (writes report them instead) and keeps closed standard streams from being reused by files.
void prepare_process();

/// From now on SIGINT, SIGTERM and SIGHUP are remembered instead of ending the program, unless they were ignored.
void remember_signals();
/// The signal that came since, or 0.
int remembered_signal();
inline bool has_signal() { return remembered_signal() != 0; }

/// From now on there is something to save: a signal ends the run, and nothing else. Before, whoever asks often ends the
/// preparation (core/stopping.hpp); if nobody does so within a second, the program is ended all the same.
void note_first_step();
/// A signal has come before that.
bool ends_preparation();
/// The preparation was ended and is about to be told: the program is no longer ended behind its back.
void note_end();

inline constexpr const char* interruption_message = "interrupted before there was a result";

/// What has to be done before the program is ended in a preparation.
class Farewell {
 public:
  virtual ~Farewell() = default;
  /// In the handler of a signal: only with functions that are safe there. It is done once.
  virtual void operator()() const noexcept = 0;
};
/// This one from now on, or none. It has to live until another one takes its place.
void set_farewell(const Farewell* farewell);

}  // namespace noslip::app

// Ctrl-C, termination and a lost connection: the first one ends the run cleanly after the current step, the second one ends the program.
#pragma once

namespace noslip::app {

/// Ignores broken pipes and limits of file sizes (writes report them instead) and keeps closed standard streams from being reused by files.
void prepare_process();

/// From now on SIGINT, SIGTERM and SIGHUP are remembered instead of ending the program, unless they were ignored.
void remember_signals();
/// The signal that came since, or 0.
int remembered_signal();

/// From now on there is something to save: signals no longer end preparations (core/stopping.hpp), but runs.
void note_first_step();
/// A signal has come before that.
bool ends_preparation();

}  // namespace noslip::app

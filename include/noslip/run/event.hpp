// Moments of a run at which a function of the state changes its sign, and what happens there.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace noslip {

enum class Crossing { up, down, both };

inline const char* to_text(Crossing crossing) {
  return crossing == Crossing::up ? "up" : crossing == Crossing::down ? "down" : "both";
}

/// A system at an event, to be changed: the run goes on with what is left in it.
struct EventChange {
  double t = 0;
  long long number = 0;  ///< of this event, from 1 on
  std::vector<double> q, v;
  std::vector<double> parameters, inputs;  ///< in the order of System::parameters() and System::inputs()
  bool projects = true;                    ///< changed positions and velocities onto the constraints
  bool stops = false;                      ///< the run ends here
};

struct Event {
  /// g, a function of t, q, v, parameters (System::expression): g = 0. With `function`: what the event is called.
  std::string when;
  Crossing direction = Crossing::both;  ///< of g
  long long stop_after = 0;             ///< the run ends at this crossing; 0: it goes on
  /// g in C++, instead of the text.
  std::function<double(double t, std::span<const double> q, std::span<const double> v)> function = {};
  /// Called at every crossing in this direction, that of stop_after too: an impact, a switch. A step ends there
  /// (RunOptions::between is `step`), and the next one begins with the changed state; a sample that is stored there has
  /// it, EventHit::state is the one before. What the change adds to the energy is work. InputError from integrate if
  /// the state violates the constraints and is not projected.
  ///
  /// Times that differ by rounding error only are one moment. A crossing at the end of the run acts: the motion is
  /// followed beyond it, to know the other side. A crossing at the start does not act. So a run in two parts acts as
  /// often as a run in one. Other events at the same moment act too, in the order of time. If rounding errors decide
  /// whether the event happens, the run says so (warning `events`).
  /// Without an action, RunOptions::land ends steps there in the same way, and nothing changes: for conditions of the
  /// system that change, so that no step goes across.
  std::function<void(EventChange&)> act = {};

  /// For core/archive.hpp: without functions.
  template <class To>
  void carry(To& archive) {
    archive(when, direction, stop_after);
  }
};

}  // namespace noslip

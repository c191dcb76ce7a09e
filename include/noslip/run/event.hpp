// Moments of a run at which a function of the state changes its sign.
#pragma once

#include <string>

namespace noslip {

enum class Crossing { up, down, both };

inline const char* to_text(Crossing crossing) {
  return crossing == Crossing::up ? "up" : crossing == Crossing::down ? "down" : "both";
}

struct Event {
  std::string when;                     ///< g, a function of t, q, v, parameters (System::expression): g = 0
  Crossing direction = Crossing::both;  ///< of g
  long long stop_after = 0;             ///< the run ends at this crossing; 0: it goes on
};

}  // namespace noslip

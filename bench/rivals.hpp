// Boost.odeint on the equations with the multipliers eliminated.
#pragma once

#include <string>

struct RivalResult {
  std::string name;     ///< stepper and tolerance
  double seconds = 0;   ///< fastest run over the whole time span
  double energy_error = 0;
};

/// The fastest controlled stepper (dopri5, Fehlberg 7(8), Bulirsch-Stoer) on P1 ... P4 whose energy error stays below the
/// limit, over a row of tolerances.
RivalResult best_rival(int problem, double limit);
/// The time span of a problem.
double time_span(int problem);

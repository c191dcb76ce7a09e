// Boost.odeint on the equations with the multipliers eliminated.
#pragma once

#include <string>

#include "test_systems.hpp"

struct RivalResult {
  std::string name;    ///< stepper and tolerance
  double seconds = 0;  ///< fastest run over the whole time span
  double energy_error = 0;
};

/// The fastest controlled stepper (dopri5, Fehlberg 7(8), Bulirsch-Stoer) whose energy error stays below the limit over
/// a run of length `span`, over a row of tolerances.
RivalResult best_rival(TestCase which, double span, double limit);

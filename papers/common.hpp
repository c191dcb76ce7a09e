// Words that the data of several papers use.
#pragma once

#include "experiment.hpp"

namespace noslip::papers {

inline const Quantity energy_error{.name = "energy error", .of = "energy", .as = Quantity::As::change};
inline const Quantity relative_energy_error{
    .name = "relative energy error", .of = "energy", .as = Quantity::As::relative_change};
inline const Quantity constraint{.name = "constraint", .of = "constraint"};

/// A measured order: `claimed` by the paper, which has about a tenth of room; `truth` where it is not that.
inline Check order_check(const std::string& run, const std::string& column, double claimed, Bounds bounds = {}) {
  const char* const what = column == "q" ? "positions" : column == "v" ? "velocities" : "multipliers";
  if (!bounds.paper) bounds.paper = Range{claimed - 0.15, claimed + 0.25};
  return {.what = std::string("order of ") + what + " of " + run,
          .run = run,
          .column = column,
          .reduce = Reducer::log_slope,
          .full = bounds};
}

/// The constraints hold to rounding.
inline Check constraint_check(const std::string& run, double most = 1e-14) {
  return {.what = "largest residual of a constraint of " + run,
          .run = run,
          .column = "constraint",
          .full = {.paper = at_most(most)}};
}

}  // namespace noslip::papers

// Words that the data of several papers use.
#pragma once

#include <fmt/format.h>

#include "experiment.hpp"

namespace noslip::papers {

inline const Quantity energy_error{.name = "energy error", .of = "energy", .as = Quantity::As::change};
inline const Quantity relative_energy_error{
    .name = "relative energy error", .of = "energy", .as = Quantity::As::relative_change};
inline const Quantity constraint{.name = "constraint", .of = "constraint"};

/// A measured order, where the paper claims `order`: a slope from 0.15 below to 0.25 above.
inline Check order_check(const std::string& run, const std::string& column, double order,
                         const std::string& name = {}) {
  const char* const what = column == "q" ? "positions" : column == "v" ? "velocities" : "multipliers";
  return {.what = fmt::format("order of {} of {}", what, name.empty() ? run : name),
          .run = run,
          .column = column,
          .reduce = Reducer::log_slope,
          .full = {.paper = Range{order - 0.15, order + 0.25}}};
}

/// The constraints hold to rounding.
inline Check constraint_check(const std::string& run, double most = 1e-14, const std::string& name = {}) {
  return {.what = fmt::format("largest residual of a constraint of {}", name.empty() ? run : name),
          .run = run,
          .column = "constraint",
          .full = {.paper = at_most(most)}};
}

}  // namespace noslip::papers

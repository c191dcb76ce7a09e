// Ranges of values, and the ticks of an axis that shows them.
#pragma once

#include <limits>
#include <optional>

#include <noslip/io/plot.hpp>

namespace noslip {

/// Ranges and margins of such values stay finite.
constexpr double largest_drawn_value = 1e300, smallest_drawn_value = 1e-300;

bool can_be_drawn(double value, const PlotAxis& axis);

/// Between the fixed ends of the axis.
bool is_within(double value, const PlotAxis& axis);

/// Where a value lies: 0 at the low end, 1 at the high end.
double share_of(double value, const PlotTicks& ticks, const PlotAxis& axis);

/// Cuts the range, and leaves out ticks beyond its ends.
void cut_ticks(PlotTicks& ticks, const PlotAxis& axis, std::optional<double> low, std::optional<double> high);
/// The same at the fixed ends of the axis.
void cut_ticks(PlotTicks& ticks, const PlotAxis& axis);

/// At least two numbers between the ends of an axis that is so many pixels high.
PlotTicks vertical_ticks(double least, double most, const PlotAxis& axis, double height);

/// Least and most of the values that can be drawn.
struct PlotRange {
  double least = std::numeric_limits<double>::infinity(), most = -least;

  bool is_empty() const { return least > most; }
  bool is_one_value() const;  ///< apart from rounding errors
  void add(double value);
  /// To both sides alike, until most/least is the quotient.
  void widen(double quotient);
  /// Reaches from one fixed end to the other, where there are any.
  void fix(const PlotAxis& axis);
};

}  // namespace noslip

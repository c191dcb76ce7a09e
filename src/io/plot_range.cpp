#include "io/plot_range.hpp"

#include <algorithm>
#include <cmath>

namespace noslip {

namespace {

/// An end that was given and makes sense.
std::optional<double> fixed_end(const std::optional<double>& end, const PlotAxis& axis) {
  const bool is_ordered = !axis.low || !axis.high || *axis.low < *axis.high;
  return end && is_ordered && can_be_drawn(*end, axis) ? end : std::nullopt;
}

}  // namespace

bool can_be_drawn(double value, const PlotAxis& axis) {
  return axis.is_logarithmic ? value >= smallest_drawn_value && value <= largest_drawn_value
                             : std::fabs(value) <= largest_drawn_value;
}

bool is_within(double value, const PlotAxis& axis) {
  const auto low = fixed_end(axis.low, axis), high = fixed_end(axis.high, axis);
  return (!low || value >= *low) && (!high || value <= *high);
}

double share_of(double value, const PlotTicks& ticks, const PlotAxis& axis) {
  // Differences of logarithms: quotients may overflow. Halves of linear values: so may differences.
  return axis.is_logarithmic ? (std::log(value) - std::log(ticks.low)) / (std::log(ticks.high) - std::log(ticks.low))
                             : (value / 2 - ticks.low / 2) / (ticks.high / 2 - ticks.low / 2);
}

void cut_ticks(PlotTicks& ticks, const PlotAxis& axis, std::optional<double> low, std::optional<double> high) {
  if (low) ticks.low = *low;
  if (high) ticks.high = *high;
  constexpr double slack = 1e-9;  // of the axis, for the rounding errors of ticks
  std::erase_if(ticks.ticks, [&](const PlotTicks::Tick& tick) {
    const double share = share_of(tick.value, ticks, axis);
    return share < -slack || share > 1 + slack;
  });
}

void cut_ticks(PlotTicks& ticks, const PlotAxis& axis) {
  cut_ticks(ticks, axis, fixed_end(axis.low, axis), fixed_end(axis.high, axis));
}

PlotTicks vertical_ticks(double least, double most, const PlotAxis& axis, double height) {
  const int room = std::clamp(static_cast<int>(height / 42), 3, 12);
  PlotTicks ticks;
  for (int more = 0; more <= 4; more += 2) {
    ticks = plot_ticks(least, most, axis.is_logarithmic, room + more);
    const auto is_inside = [&](const PlotTicks::Tick& tick) {
      return !tick.text.empty() && tick.value >= least && tick.value <= most;
    };
    if (std::count_if(ticks.ticks.begin(), ticks.ticks.end(), is_inside) >= 2) break;
  }
  return ticks;
}

bool PlotRange::is_one_value() const {
  const double size = std::max(std::fabs(least), std::fabs(most));
  return !(most - least > std::max(1e-12 * size, smallest_drawn_value));
}

void PlotRange::add(double value) {
  least = std::min(least, value);
  most = std::max(most, value);
}

void PlotRange::widen(double quotient) {
  const double missing = quotient / (most / least);
  if (!(missing > 1)) return;
  least /= std::sqrt(missing);
  most *= std::sqrt(missing);
}

void PlotRange::fix(const PlotAxis& axis) {
  const auto low = fixed_end(axis.low, axis), high = fixed_end(axis.high, axis);
  const auto step = [&](double from, int sign) {
    return axis.is_logarithmic ? from * std::pow(10, sign)
                               : from + sign * std::max(std::fabs(from) / 10, smallest_drawn_value);
  };
  if (low) least = *low;
  if (high) most = *high;
  if (low && !(most > least)) most = step(*low, 1);
  if (high && !(most > least)) least = step(*high, -1);
}

}  // namespace noslip

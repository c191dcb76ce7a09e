#include "io/plot_scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "io/plot_style.hpp"

namespace noslip {

namespace {

constexpr double largest_value = 1e300, smallest_value = 1e-300;  // so that ranges and margins stay finite

bool can_be_drawn(double value, const PlotAxis& axis) {
  return axis.is_logarithmic ? value >= smallest_value && value <= largest_value : std::fabs(value) <= largest_value;
}

/// An end that was given and makes sense.
std::optional<double> fixed_end(const std::optional<double>& end, const PlotAxis& axis) {
  const bool is_ordered = !axis.low || !axis.high || *axis.low < *axis.high;
  return end && is_ordered && can_be_drawn(*end, axis) ? end : std::nullopt;
}

bool is_within(double value, const PlotAxis& axis) {
  const auto low = fixed_end(axis.low, axis), high = fixed_end(axis.high, axis);
  return (!low || value >= *low) && (!high || value <= *high);
}

double share(double value, const PlotTicks& ticks, const PlotAxis& axis) {
  // Differences of logarithms: quotients may overflow. Halves of linear values: so may differences.
  return axis.is_logarithmic ? (std::log(value) - std::log(ticks.low)) / (std::log(ticks.high) - std::log(ticks.low))
                             : (value / 2 - ticks.low / 2) / (ticks.high / 2 - ticks.low / 2);
}

/// Cuts the range, and leaves out ticks beyond its ends.
void cut(PlotTicks& ticks, std::optional<double> low, std::optional<double> high) {
  if (low) ticks.low = *low;
  if (high) ticks.high = *high;
  const double slack = 1e-9 * (ticks.high / 2 - ticks.low / 2);
  std::erase_if(ticks.ticks, [&](const PlotTicks::Tick& tick) {
    return tick.value < ticks.low - slack || tick.value > ticks.high + slack;
  });
}

/// Least and most of the values that can be drawn.
struct Range {
  double least = std::numeric_limits<double>::infinity(), most = -least;

  bool is_empty() const { return least > most; }
  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }

  /// To both sides alike, until most/least is the quotient.
  void widen(double quotient) {
    const double missing = quotient / (most / least);
    if (!(missing > 1)) return;
    least /= std::sqrt(missing);
    most *= std::sqrt(missing);
  }

  /// Reaches from one fixed end to the other, where there are any.
  void fix(const PlotAxis& axis) {
    const auto low = fixed_end(axis.low, axis), high = fixed_end(axis.high, axis);
    const auto step = [&](double from, int sign) {
      return axis.is_logarithmic ? from * std::pow(10, sign)
                                 : from + sign * std::max(std::fabs(from) / 10, smallest_value);
    };
    if (low) least = *low;
    if (high) most = *high;
    if (low && !(most > least)) most = step(*low, 1);
    if (high && !(most > least)) least = step(*high, -1);
  }
};

}  // namespace

PlotScales::PlotScales(const PlotPanel& panel, double width, double height)
    : panel_(panel), width_(width), height_(height) {
  choose_ranges();
  const bool is_linear = !panel.x.is_logarithmic && !panel.y.is_logarithmic;
  if (!is_empty_ && panel.has_equal_scales && is_linear) make_equal();
}

bool PlotScales::is_drawable(const PlotPoint& point) const {
  return can_be_drawn(point.x, panel_.x) && can_be_drawn(point.y, panel_.y);
}

SvgPoint PlotScales::place(const PlotPoint& point, const PlotBox& box) const {
  return {box.left + box.width * share(point.x, x_, panel_.x),
          box.top + box.height * (1 - share(point.y, y_, panel_.y))};
}

void PlotScales::choose_ranges() {
  Range x, y;
  for (const bool guides : {false, true}) {
    for (const PlotSeries& series : panel_.series) {
      if (series.is_guide != guides) continue;
      for (const PlotPoint& point : series.points) {
        if (!is_drawable(point)) continue;
        is_empty_ = false;
        // What is cut off at one axis does not count at the other.
        if (is_within(point.y, panel_.y)) x.add(point.x);
        if (is_within(point.x, panel_.x)) y.add(point.y);
      }
    }
    if (!is_empty_) break;  // guides decide only where there is nothing else
  }
  if (is_empty_) return;
  if (x.is_empty()) x.add(1);
  if (y.is_empty()) y.add(1);
  x.fix(panel_.x);
  y.fix(panel_.y);
  if (panel_.y.is_logarithmic && !panel_.y.low && !panel_.y.high) y.widen(panel_.y.least_quotient);
  x_ = x_ticks(x.least, x.most);
  y_ = y_ticks(y.least, y.most);
  cut(x_, fixed_end(panel_.x.low, panel_.x), fixed_end(panel_.x.high, panel_.x));
  cut(y_, fixed_end(panel_.y.low, panel_.y), fixed_end(panel_.y.high, panel_.y));
}

/// As many numbers as stand beside each other.
PlotTicks PlotScales::x_ticks(double least, double most) const {
  PlotTicks ticks;
  for (int room = 9; room >= 2; --room) {
    ticks = plot_ticks(least, most, panel_.x.is_logarithmic, room);
    double last = -std::numeric_limits<double>::infinity();
    bool fits = true;
    for (const PlotTicks::Tick& tick : ticks.ticks) {
      if (tick.text.empty()) continue;
      const double middle = width_ * share(tick.value, ticks, panel_.x);
      const double half = text_width(tick.text, small_size) / 2;
      fits = fits && middle - half > last + 10;
      last = middle + half;
    }
    if (fits) break;
  }
  return ticks;
}

/// At least two numbers between the ends.
PlotTicks PlotScales::y_ticks(double least, double most) const {
  const int room = std::clamp(static_cast<int>(height_ / 42), 3, 12);
  PlotTicks ticks;
  for (int more = 0; more <= 4; more += 2) {
    ticks = plot_ticks(least, most, panel_.y.is_logarithmic, room + more);
    const auto is_inside = [&](const PlotTicks::Tick& tick) {
      return !tick.text.empty() && tick.value >= least && tick.value <= most;
    };
    if (std::count_if(ticks.ticks.begin(), ticks.ticks.end(), is_inside) >= 2) break;
  }
  return ticks;
}

void PlotScales::make_equal() {
  const double across = x_.high - x_.low, up = y_.high - y_.low;
  if (!(across > 0 && up > 0 && across < largest_value && up < largest_value)) return;
  // First the box takes the shape of the ranges, then, where it would become too narrow, a range grows.
  constexpr double narrowest = 0.5;
  const double pixel = std::max(across / width_, up / height_);
  width_ = std::max(across / pixel, narrowest * width_);
  height_ = std::max(up / pixel, narrowest * height_);
  const double wider = (width_ * pixel - across) / 2, higher = (height_ * pixel - up) / 2;
  const double left = x_.low - wider, right = x_.high + wider, bottom = y_.low - higher, top = y_.high + higher;
  x_ = x_ticks(left, right);
  y_ = y_ticks(bottom, top);
  cut(x_, left, right);
  cut(y_, bottom, top);
}

}  // namespace noslip

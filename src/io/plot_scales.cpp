#include "io/plot_scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/plot_range.hpp"
#include "io/plot_style.hpp"

namespace noslip {

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
  return {box.left + box.width * share_of(point.x, x_, panel_.x),
          box.top + box.height * (1 - share_of(point.y, y_, panel_.y))};
}

/// What is cut off at one axis does not count at the other.
void PlotScales::count(double x, double y, PlotRange& across, PlotRange& up) {
  if (!is_drawable({x, y})) return;
  is_empty_ = false;
  if (is_within(y, panel_.y)) across.add(x);
  if (is_within(x, panel_.x)) up.add(y);
}

void PlotScales::count_areas(PlotRange& across, PlotRange& up) {
  for (const PlotBand& band : panel_.bands) {
    for (const PlotBand::Span& span : band.spans) {
      if (std::isnan(span.low) || std::isnan(span.high)) continue;
      count(span.x, span.low, across, up);
      count(span.x, span.high, across, up);
    }
  }
  for (const PlotBars& bars : panel_.bars) {
    for (const PlotBars::Bar& bar : bars.bars) {
      if (std::isnan(bar.height) || !can_be_drawn(bar.low, panel_.x) || !can_be_drawn(bar.high, panel_.x)) continue;
      across.add(bar.low);
      across.add(bar.high);
      count(bar.low, bar.height, across, up);
      count(bar.low, 0, across, up);
    }
  }
  if (!panel_.map) return;
  PlotRange of_columns, of_rows;
  for (const double x : panel_.map->x_edges) {
    if (can_be_drawn(x, panel_.x)) of_columns.add(x);
  }
  for (const double y : panel_.map->y_edges) {
    if (can_be_drawn(y, panel_.y)) of_rows.add(y);
  }
  if (!(of_columns.least < of_columns.most && of_rows.least < of_rows.most)) return;
  is_empty_ = false;
  for (const double x : {of_columns.least, of_columns.most}) across.add(x);
  for (const double y : {of_rows.least, of_rows.most}) up.add(y);
}

void PlotScales::choose_ranges() {
  PlotRange x, y;
  count_areas(x, y);
  for (const bool guides : {false, true}) {
    if (guides && !is_empty_) break;  // guides decide only where there is nothing else
    for (const PlotSeries& series : panel_.series) {
      if (series.is_guide != guides) continue;
      for (const PlotPoint& point : series.points) count(point.x, point.y, x, y);
    }
  }
  if (is_empty_) return;
  if (x.is_empty()) x.add(1);
  if (y.is_empty()) y.add(1);
  x.fix(panel_.x);
  y.fix(panel_.y);
  if (panel_.y.is_logarithmic && !panel_.y.low && !panel_.y.high) y.widen(panel_.y.least_quotient);
  x_ = x_ticks(x.least, x.most);
  y_ = vertical_ticks(y.least, y.most, panel_.y, height_);
  // There is no rim around a map, nor under bars that stand on zero.
  if (panel_.map && !x.is_one_value()) cut_ticks(x_, panel_.x, x.least, x.most);
  if (panel_.map && !y.is_one_value()) cut_ticks(y_, panel_.y, y.least, y.most);
  if (!panel_.bars.empty() && y.least == 0 && y.most > 0) cut_ticks(y_, panel_.y, 0, std::nullopt);
  cut_ticks(x_, panel_.x);
  cut_ticks(y_, panel_.y);
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
      const double middle = width_ * share_of(tick.value, ticks, panel_.x);
      const double half = text_width(tick.text, small_size) / 2;
      fits = fits && middle - half > last + 10;
      last = middle + half;
    }
    if (fits) break;
  }
  return ticks;
}

void PlotScales::make_equal() {
  const double across = x_.high - x_.low, up = y_.high - y_.low;
  if (!(across > 0 && up > 0 && across < largest_drawn_value && up < largest_drawn_value)) return;
  // First the box takes the shape of the ranges, then, where it would become too narrow, a range grows.
  constexpr double narrowest = 0.5;
  const double pixel = std::max(across / width_, up / height_);
  width_ = std::max(across / pixel, narrowest * width_);
  height_ = std::max(up / pixel, narrowest * height_);
  const double wider = (width_ * pixel - across) / 2, higher = (height_ * pixel - up) / 2;
  const double left = x_.low - wider, right = x_.high + wider, bottom = y_.low - higher, top = y_.high + higher;
  x_ = x_ticks(left, right);
  y_ = vertical_ticks(bottom, top, panel_.y, height_);
  cut_ticks(x_, panel_.x, left, right);
  cut_ticks(y_, panel_.y, bottom, top);
}

}  // namespace noslip

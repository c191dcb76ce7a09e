// Bands, bars, and markers in the colours of their values.
#include "io/plot_areas.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace noslip {

namespace {

constexpr std::size_t many_spans = 1000;  ///< of a band, which is then thinned
constexpr double farthest_place = 1e5;    ///< pixels from the page: further corners would not fit into its numbers
constexpr double over_the_ends = 10;      ///< pixels by which areas reach over the ends of the axes
constexpr double narrow_bar = 4;          ///< pixels: below this there is no gap between bars

double half_pixel(double x) { return std::floor(2 * x); }

/// The two ends of a band at one x, on the page.
struct Rung {
  double x, top, bottom;
};

/// One for each half pixel, with the outermost ends.
std::vector<Rung> thinned_rungs(const std::vector<Rung>& rungs) {
  if (rungs.size() <= many_spans) return rungs;
  std::vector<Rung> kept;
  for (const Rung& rung : rungs) {
    if (kept.empty() || half_pixel(kept.back().x) != half_pixel(rung.x)) {
      kept.push_back(rung);
    } else {
      kept.back().top = std::min(kept.back().top, rung.top);
      kept.back().bottom = std::max(kept.back().bottom, rung.bottom);
    }
  }
  return kept;
}

std::vector<SvgPoint> outline(const std::vector<Rung>& rungs) {
  std::vector<SvgPoint> points;
  for (const Rung& rung : rungs) points.push_back({rung.x, rung.top});
  for (auto rung = rungs.rbegin(); rung != rungs.rend(); ++rung) points.push_back({rung->x, rung->bottom});
  return points;
}

SvgPoint near_page(SvgPoint point) {
  return {std::clamp(point.x, -farthest_place, farthest_place), std::clamp(point.y, -farthest_place, farthest_place)};
}

/// Bars of one half pixel as one.
std::vector<SvgRectangle> merged(const std::vector<SvgRectangle>& bars) {
  std::vector<SvgRectangle> kept;
  for (const SvgRectangle& bar : bars) {
    const bool is_narrow = bar.right - bar.left < 0.5;
    if (!kept.empty() && is_narrow && half_pixel(kept.back().left) == half_pixel(bar.left)) {
      SvgRectangle& last = kept.back();
      last = {std::min(last.left, bar.left), std::min(last.top, bar.top), std::max(last.right, bar.right),
              std::max(last.bottom, bar.bottom)};
    } else {
      kept.push_back(bar);
    }
  }
  return kept;
}

}  // namespace

void draw_band(const AreaCanvas& canvas, const PlotBand& band, const PlotAxis& y_axis) {
  std::vector<std::vector<SvgPoint>> pieces;
  std::vector<Rung> rungs;
  const auto finish = [&] {
    if (rungs.size() > 1) pieces.push_back(outline(thinned_rungs(rungs)));
    rungs.clear();
  };
  for (const PlotBand::Span& span : band.spans) {
    const bool reaches_down = y_axis.is_logarithmic && span.low <= 0 && std::isfinite(span.low);
    const PlotPoint high{span.x, span.high}, low{span.x, reaches_down ? span.high : span.low};
    if (canvas.scales.is_drawable(high) && canvas.scales.is_drawable(low)) {
      const SvgPoint top = near_page(canvas.scales.place(high, canvas.box));
      const double bottom =
          reaches_down ? canvas.box.bottom() + over_the_ends : near_page(canvas.scales.place(low, canvas.box)).y;
      rungs.push_back({top.x, top.y, bottom});
    } else {
      finish();
    }
  }
  finish();
  if (pieces.empty()) return;
  canvas.svg.area(pieces, colour_of(band.colour, canvas.style), std::clamp(band.strength, 0.0, 1.0));
}

void draw_bars(const AreaCanvas& canvas, const PlotBars& bars, const PlotPanel& panel) {
  const PlotBox& box = canvas.box;
  const auto across = [&](double x) { return std::clamp(x, box.left - over_the_ends, box.right() + over_the_ends); };
  const auto up = [&](double y) { return std::clamp(y, box.top - over_the_ends, box.bottom() + over_the_ends); };
  const bool has_zero = !panel.y.is_logarithmic;
  std::vector<SvgRectangle> wide, narrow;
  for (const PlotBars::Bar& bar : bars.bars) {
    const PlotPoint from{bar.low, bar.height}, to{bar.high, bar.height};
    if (bar.height == 0 || !canvas.scales.is_drawable(from) || !canvas.scales.is_drawable(to)) continue;
    const SvgPoint a = canvas.scales.place(from, box), b = canvas.scales.place(to, box);
    const double foot = has_zero ? canvas.scales.place({bar.low, 0}, box).y : box.bottom() + over_the_ends;
    SvgRectangle place{across(std::min(a.x, b.x)), up(std::min(a.y, foot)), across(std::max(a.x, b.x)),
                       up(std::max(a.y, foot))};
    if (place.right - place.left < narrow_bar) {
      narrow.push_back(place);
      continue;
    }
    place.left += 0.5;
    place.right -= 0.5;
    wide.push_back(place);
  }
  const char* colour = colour_of(bars.colour, canvas.style);
  canvas.svg.filled_rectangles(merged(narrow), colour, true);
  canvas.svg.filled_rectangles(wide, colour, false);
}

void draw_coloured_markers(const AreaCanvas& canvas, const PlotSeries& series, std::span<const SvgPoint> points,
                           std::span<const double> values, const ColourScale& colours) {
  const double size = marker_size_of(series);
  std::vector<int> levels;
  for (const double value : values) levels.push_back(colours.level_of(value));
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0U);
  std::erase_if(order, [&](std::size_t i) { return !canvas.box.holds(points[i], size); });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return levels[a] < levels[b]; });
  const auto colour = [&](int level) {
    return level == ColourScale::missing ? std::string(canvas.style.missing)
                                         : to_text(value_palette(canvas.style.theme)[static_cast<std::size_t>(level)]);
  };
  if (series.marker != PlotMarker::dot) {
    for (const std::size_t i : order) {
      canvas.svg.marker(points[i], series.marker, size, colour(levels[i]).c_str());
    }
    return;
  }
  // Of many dots at nearly one place only the uppermost is seen.
  const double cell = std::max(0.5, size / 3);
  std::set<std::pair<long, long>> covered;
  std::vector<std::size_t> kept;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    const SvgPoint& point = points[*i];
    if (covered.insert({std::lround(point.x / cell), std::lround(point.y / cell)}).second) kept.push_back(*i);
  }
  std::reverse(kept.begin(), kept.end());
  for (auto from = kept.begin(); from != kept.end();) {
    const int level = levels[*from];
    std::vector<SvgPoint> same;
    for (; from != kept.end() && levels[*from] == level; ++from) same.push_back(points[*from]);
    canvas.svg.dots(std::move(same), size, colour(level).c_str());
  }
}

}  // namespace noslip

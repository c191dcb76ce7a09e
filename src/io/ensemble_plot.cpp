#include <noslip/io/ensemble_plot.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/core/scalar.hpp>

namespace noslip {

namespace {

constexpr std::size_t few_members = 60, some_members = 1000;  ///< for large, and for small markers
constexpr int grey = 9;                                       ///< of the palette
constexpr double band_strength = 0.22;

PlotAxis axis_of(const PlotValues& values) { return {values.label, values.is_logarithmic}; }

void check_counts(const PlotValues& values, std::size_t expected, const std::string& what_for) {
  if (values.values.size() == expected) return;
  throw InputError(fmt::format("{}: {} values for {}", values.label, values.values.size(), what_for),
                   fmt::format("give {} values", expected));
}

/// All members are drawn, small if there are many.
void set_marker(PlotSeries& series, double dot_size) {
  series.marker = series.points.size() <= few_members ? PlotMarker::circle : PlotMarker::dot;
  if (series.marker == PlotMarker::dot) {
    series.marker_size = series.points.size() <= some_members ? dot_size : 0.6 * dot_size;
  }
}

std::vector<PlotPoint> points_of(const PlotValues& x, const PlotValues& y) {
  std::vector<PlotPoint> points;
  for (std::size_t i = 0; i < x.values.size(); ++i) points.push_back({x.values[i], y.values[i]});
  return points;
}

/// Ends of the cells of a grid, half way between neighbours; a cell alone is as wide as a tenth of its place.
std::vector<double> edges_around(const PlotValues& grid) {
  const std::vector<double>& at = grid.values;
  if (at.empty()) throw InputError(fmt::format("{}: there is nothing to draw", grid.label), "give at least one value");
  for (std::size_t i = 0; i < at.size(); ++i) {
    const bool is_good = std::isfinite(at[i]) && (!grid.is_logarithmic || at[i] > 0) && (i == 0 || at[i - 1] < at[i]);
    if (is_good) continue;
    throw InputError(fmt::format("{}: the places of a map must ascend and be {}, but number {} is {}", grid.label,
                                 grid.is_logarithmic ? "positive" : "finite", i + 1, to_short_text(at[i])),
                     "sort them, each once, with their values");
  }
  std::vector<double> scaled = at;
  if (grid.is_logarithmic) std::transform(at.begin(), at.end(), scaled.begin(), [](double x) { return std::log(x); });
  std::vector<double> edges;
  if (scaled.size() == 1) {
    const double half = grid.is_logarithmic ? 0.05 : scaled[0] == 0 ? 0.5 : std::fabs(scaled[0]) / 20;
    edges = {scaled[0] - half, scaled[0] + half};
  } else {
    edges.push_back(scaled[0] - (scaled[1] / 2 - scaled[0] / 2));
    for (std::size_t i = 1; i < scaled.size(); ++i) edges.push_back(scaled[i - 1] / 2 + scaled[i] / 2);
    const double last = scaled.back(), before = scaled[scaled.size() - 2];
    edges.push_back(last + (last / 2 - before / 2));
  }
  if (grid.is_logarithmic) std::for_each(edges.begin(), edges.end(), [](double& x) { x = std::exp(x); });
  return edges;
}

/// `5 %`
std::string percent(double level) { return fmt::format("{:.6g} %", 100 * level); }

PlotSeries quantile_line(const PlotFan& fan, std::size_t level) {
  PlotSeries series;
  for (std::size_t i = 0; i < fan.times.size(); ++i) series.points.push_back({fan.times[i], fan.values[level][i]});
  return series;
}

void check_fan(const PlotFan& fan) {
  std::vector<Problem> problems;
  if (fan.values.size() != fan.levels.size()) {
    problems.push_back({fmt::format("{}: {} curves for {} levels", fan.label, fan.values.size(), fan.levels.size()),
                        {},
                        "give one curve for each level"});
  }
  for (const std::vector<double>& curve : fan.values) {
    if (curve.size() == fan.times.size()) continue;
    problems.push_back({fmt::format("{}: {} values for {} times", fan.label, curve.size(), fan.times.size()),
                        {},
                        "give one value for each time"});
  }
  for (std::size_t i = 0; i < fan.levels.size(); ++i) {
    const bool is_good = fan.levels[i] >= 0 && fan.levels[i] <= 1 && (i == 0 || fan.levels[i - 1] < fan.levels[i]);
    if (is_good) continue;
    problems.push_back({fmt::format("{}: levels must ascend from 0 to 1, but number {} is {}", fan.label, i + 1,
                                    to_short_text(fan.levels[i])),
                        {},
                        "give levels such as 0.05, 0.5, 0.95"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

Plot curve_over(const PlotValues& x, const PlotValues& value) {
  check_counts(value, x.values.size(), fmt::format("{} of {}", x.values.size(), x.label));
  PlotSeries series;
  series.points = points_of(x, value);
  std::erase_if(series.points, [](const PlotPoint& point) { return std::isnan(point.x); });
  std::stable_sort(series.points.begin(), series.points.end(),
                   [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
  set_marker(series, 3);
  Plot plot;
  plot.panels = {{"", axis_of(x), axis_of(value), {std::move(series)}}};
  return plot;
}

Plot map_over(const PlotValues& x, const PlotValues& y, const PlotValues& value) {
  check_counts(value, x.values.size() * y.values.size(),
               fmt::format("a map of {} x {}", x.values.size(), y.values.size()));
  PlotPanel panel{"", axis_of(x), axis_of(y), {}};
  panel.map = {edges_around(x), edges_around(y), value.values};
  panel.colours = axis_of(value);
  Plot plot;
  plot.panels.push_back(std::move(panel));
  return plot;
}

Plot scatter_over(const PlotValues& x, const PlotValues& value) {
  check_counts(value, x.values.size(), fmt::format("{} of {}", x.values.size(), x.label));
  PlotSeries series;
  series.points = points_of(x, value);
  series.line = PlotLine::none;
  set_marker(series, 4);
  Plot plot;
  plot.panels = {{"", axis_of(x), axis_of(value), {std::move(series)}}};
  return plot;
}

Plot scatter_over(const PlotValues& x, const PlotValues& y, const PlotValues& value) {
  check_counts(y, x.values.size(), fmt::format("{} of {}", x.values.size(), x.label));
  check_counts(value, x.values.size(), fmt::format("{} of {}", x.values.size(), x.label));
  PlotSeries series;
  series.points = points_of(x, y);
  series.values = value.values;
  series.line = PlotLine::none;
  set_marker(series, 5);
  PlotPanel panel{"", axis_of(x), axis_of(y), {std::move(series)}};
  panel.colours = axis_of(value);
  Plot plot;
  plot.panels.push_back(std::move(panel));
  return plot;
}

Plot histogram_of(const PlotHistogram& histogram) {
  const double low = histogram.low, high = histogram.high;
  if (!(std::isfinite(low) && std::isfinite(high) && low < high) || histogram.counts.empty()) {
    throw InputError(fmt::format("{}: a histogram of {} parts from {} to {}", histogram.label, histogram.counts.size(),
                                 to_short_text(low), to_short_text(high)),
                     "give at least one part, and finite ends, the lower one first");
  }
  const auto parts = static_cast<double>(histogram.counts.size());
  const auto edge = [&](double i) { return low * (1 - i / parts) + high * (i / parts); };
  PlotBars inside, outside;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const auto from = static_cast<double>(i);
    inside.bars.push_back({edge(from), edge(from + 1), static_cast<double>(histogram.counts[i])});
  }
  const auto beside = [&](double from, std::uint64_t count) {
    if (count > 0) outside.bars.push_back({edge(from), edge(from + 1), static_cast<double>(count)});
  };
  beside(-1, histogram.below);
  beside(parts, histogram.above);
  if (histogram.below > 0 || histogram.above > 0) {
    std::vector<std::string> texts;
    if (histogram.below > 0) texts.push_back(fmt::format("{} below {}", histogram.below, to_short_text(low)));
    if (histogram.above > 0) texts.push_back(fmt::format("{} above {}", histogram.above, to_short_text(high)));
    outside.label = fmt::format("outside: {}", fmt::join(texts, ", "));
  }
  outside.colour = grey;
  PlotPanel panel{"", {histogram.label}, {"count", histogram.is_logarithmic}, {}};
  if (histogram.is_logarithmic) panel.y.low = 0.5;  // so that one can be seen
  panel.bars = {std::move(inside), std::move(outside)};
  Plot plot;
  plot.panels.push_back(std::move(panel));
  return plot;
}

Plot fan_of(const PlotFan& fan) {
  check_fan(fan);
  PlotPanel panel{"", {fan.time_label}, {fan.label, fan.is_logarithmic}, {}};
  constexpr double slack = 1e-9;  // of levels that were computed
  std::vector<bool> has_partner(fan.levels.size(), false);
  // From outside inwards, so that narrow bands lie on wide ones.
  for (std::size_t i = 0, j = fan.levels.size(); i < j; ++i) {
    if (fan.levels[i] > 0.5 - slack) break;
    while (j > i + 1 && fan.levels[j - 1] > 1 - fan.levels[i] + slack) --j;
    if (j <= i + 1 || fan.levels[j - 1] < 1 - fan.levels[i] - slack) continue;
    --j;
    has_partner[i] = has_partner[j] = true;
    PlotBand band;
    band.label = fmt::format("{} to {}", percent(fan.levels[i]), percent(fan.levels[j]));
    band.strength = band_strength;
    band.lies_on = static_cast<int>(panel.bands.size());
    for (std::size_t k = 0; k < fan.times.size(); ++k) {
      band.spans.push_back({fan.times[k], fan.values[i][k], fan.values[j][k]});
    }
    panel.bands.push_back(std::move(band));
  }
  int alone = 0;
  for (std::size_t i = 0; i < fan.levels.size(); ++i) {
    if (has_partner[i]) continue;
    PlotSeries series = quantile_line(fan, i);
    if (std::fabs(fan.levels[i] - 0.5) <= slack) {
      series.label = "median";
      panel.series.insert(panel.series.begin(), std::move(series));
      continue;
    }
    series.label = percent(fan.levels[i]);
    series.line = alone % 2 == 0 ? PlotLine::dotted : PlotLine::dashed;
    series.colour = alone++ / 2;
    panel.series.push_back(std::move(series));
  }
  Plot plot;
  plot.panels.push_back(std::move(panel));
  return plot;
}

}  // namespace noslip

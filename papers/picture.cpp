// The picture of a reproduction: columns of tables as lines.
#include <algorithm>
#include <cmath>

#include "output.hpp"

namespace noslip::papers {

namespace {

constexpr std::size_t most_points = 1600;  // of a line; the picture has fewer pixels

std::vector<PlotPoint> points_of(const std::vector<double>& x, const std::vector<double>& y, bool absolute) {
  std::vector<PlotPoint> points(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) points[i] = {x[i], absolute ? std::fabs(y[i]) : y[i]};
  return points;
}

/// The smallest and the largest value of each span, in the order in which they occur: where x only grows, the line
/// looks as that through all points. Other curves keep each K-th point.
std::vector<PlotPoint> thinned(std::vector<PlotPoint> points) {
  if (points.size() <= most_points) return points;
  const auto lower_x = [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; };
  const auto lower_y = [](const PlotPoint& a, const PlotPoint& b) { return a.y < b.y; };
  std::vector<PlotPoint> kept;
  if (!std::is_sorted(points.begin(), points.end(), lower_x)) {
    const std::size_t most = 4 * most_points, every = (points.size() + most - 1) / most;
    for (std::size_t i = 0; i < points.size(); i += every) kept.push_back(points[i]);
    return kept;
  }
  const std::size_t spans = most_points / 2;
  for (std::size_t k = 0; k < spans; ++k) {
    const auto from = points.begin() + static_cast<std::ptrdiff_t>(k * points.size() / spans);
    const auto to = points.begin() + static_cast<std::ptrdiff_t>((k + 1) * points.size() / spans);
    auto [least, most] = std::minmax_element(from, to, lower_y);
    if (most < least) std::swap(least, most);
    kept.push_back(*least);
    if (most != least) kept.push_back(*most);
  }
  return kept;
}

struct Span {
  double least = std::numeric_limits<double>::infinity(), most = -least;
};

Span range_of_x(const std::vector<PlotSeries>& series, bool positive) {
  Span span;
  for (const PlotSeries& one : series) {
    for (const PlotPoint& point : one.points) {
      if (!std::isfinite(point.x) || (positive && !(point.x > 0))) continue;
      span.least = std::min(span.least, point.x);
      span.most = std::max(span.most, point.x);
    }
  }
  return span;
}

PlotSeries line_of(const Guide& guide, const Span& span, bool logarithmic) {
  constexpr int pieces = 40;
  PlotSeries series;
  series.is_guide = true;
  series.end_text = guide.label;
  for (int i = 0; i <= pieces; ++i) {
    const double share = static_cast<double>(i) / pieces;
    const double x = logarithmic ? span.least * std::pow(span.most / span.least, share)
                                 : span.least + share * (span.most - span.least);
    series.points.push_back({x, guide.factor * std::pow(x, guide.power)});
  }
  return series;
}

bool is_wanted(const Panel& panel, const std::string& label) {
  return panel.runs.empty() || std::find(panel.runs.begin(), panel.runs.end(), label) != panel.runs.end();
}

PlotPanel drawn(const Panel& panel, const std::vector<Table>& tables) {
  PlotPanel result;
  result.title = panel.title;
  result.has_equal_scales = panel.has_equal_scales;
  result.x = {panel.x_label, panel.log_x};
  result.y = {panel.y_label.empty() ? panel.y : panel.y_label, panel.log_y};
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const Table& table = tables[k];
    const int y = table.find(panel.y);
    const int x = panel.x.empty() ? 0 : table.find(panel.x);
    if (!is_wanted(panel, table.label) || y < 0 || x < 0 || table.values.empty()) continue;
    if (result.x.label.empty()) result.x.label = table.columns[x];
    PlotSeries series;
    if (panel.has_legend) series.label = table.label;
    series.points = thinned(points_of(table.values[x], table.values[y], panel.absolute));
    series.colour = static_cast<int>(k);
    series.line = panel.line;
    series.marker = panel.marker;
    result.series.push_back(std::move(series));
  }
  const Span span = range_of_x(result.series, panel.log_x);
  if (span.least < span.most) {
    for (const Guide& guide : panel.guides) result.series.push_back(line_of(guide, span, panel.log_x));
  }
  return result;
}

}  // namespace

Plot picture_of(const Reproduction& reproduction) {
  const Experiment& experiment = *reproduction.experiment;
  Plot plot;
  plot.title = experiment.what;
  plot.subtitle = experiment.id;
  plot.columns = experiment.columns;
  for (const Panel& panel : experiment.panels) plot.panels.push_back(drawn(panel, reproduction.tables));
  return plot;
}

}  // namespace noslip::papers

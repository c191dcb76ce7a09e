// The picture of a reproduction: columns of tables as lines.
#include <algorithm>
#include <cmath>

#include "output.hpp"

namespace noslip::papers {

namespace {

std::vector<PlotPoint> points_of(const std::vector<double>& x, const std::vector<double>& y, bool absolute) {
  std::vector<PlotPoint> points(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) points[i] = {x[i], absolute ? std::fabs(y[i]) : y[i]};
  return points;
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

constexpr double below = 0.4;  // how far a guide lies below its table
constexpr int spans = 240;

/// The largest |y| in each of equal spans of x.
std::vector<PlotPoint> envelope_of(const std::vector<PlotPoint>& points) {
  if (points.size() < 2) return points;
  const double first = points.front().x, width = points.back().x - first;
  std::vector<PlotPoint> kept;
  int last = -1;
  for (const PlotPoint& point : points) {
    const int span = std::clamp(static_cast<int>((point.x - first) / width * spans), 0, spans - 1);
    const PlotPoint size{point.x, std::fabs(point.y)};
    if (span != last) {
      kept.push_back(size);
    } else if (size.y > kept.back().y) {
      kept.back() = size;
    }
    last = span;
  }
  return kept;
}

double factor_of(const Guide& guide, const std::vector<PlotSeries>& series) {
  for (const PlotSeries& one : series) {
    if (guide.below.empty() || one.label != guide.below) continue;
    for (const PlotPoint& point : one.points) {
      if (point.x > 0 && point.y > 0) return below * point.y / std::pow(point.x, guide.power);
    }
  }
  return guide.factor;
}

PlotSeries line_of(const Guide& guide, double factor, const Span& span, bool logarithmic) {
  constexpr int pieces = 40;
  PlotSeries series;
  series.is_guide = true;
  // A line that lies where its factor puts it may cross the others: its name is not written among them.
  (guide.below.empty() ? series.label : series.end_text) = guide.label;
  for (int i = 0; i <= pieces; ++i) {
    const double share = static_cast<double>(i) / pieces;
    const double x = logarithmic ? span.least * std::pow(span.most / span.least, share)
                                 : span.least + share * (span.most - span.least);
    series.points.push_back({x, factor * std::pow(x, guide.power)});
  }
  return series;
}

PlotAxis axis_of(const std::string& label, bool is_logarithmic, const Range& range) {
  PlotAxis axis{.label = label, .is_logarithmic = is_logarithmic};
  if (std::isfinite(range.least)) axis.low = range.least;
  if (std::isfinite(range.most)) axis.high = range.most;
  return axis;
}

bool is_wanted(const Panel& panel, const std::string& label) {
  return panel.runs.empty() || std::find(panel.runs.begin(), panel.runs.end(), label) != panel.runs.end();
}

void keep_where_positive(std::vector<PlotPoint>& points, const std::vector<double>& values) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (values[i] > 0) points[kept++] = points[i];
  }
  points.resize(kept);
}

/// Place of a name in a list that grows.
int index_of(std::vector<std::string>& names, const std::string& name) {
  const auto place = std::find(names.begin(), names.end(), name);
  const int index = static_cast<int>(place - names.begin());
  if (place == names.end()) names.push_back(name);
  return index;
}

PlotPanel drawn(const Panel& panel, const std::vector<Table>& tables, bool by_method,
                std::vector<std::string>& legend) {
  PlotPanel result;
  result.title = panel.title;
  result.x = axis_of(panel.x_label, panel.log_x, panel.x_range);
  result.y = axis_of(panel.y_label.empty() ? panel.y : panel.y_label, panel.log_y, panel.y_range);
  result.has_equal_scales = panel.equal_scales;
  for (const Table& table : tables) {
    const int y = table.find(panel.y);
    const int x = panel.x.empty() ? 0 : table.find(panel.x);
    if (!is_wanted(panel, table.label) || y < 0 || x < 0 || table.values.empty()) continue;
    if (result.x.label.empty()) result.x.label = table.columns[x];
    PlotSeries series;
    series.label = by_method && !table.method.empty() ? table.method : table.label;
    series.points = points_of(table.values[x], table.values[y], panel.absolute);
    if (const int where = panel.where.empty() ? -1 : table.find(panel.where); where >= 0) {
      keep_where_positive(series.points, table.values[where]);
    }
    if (panel.largest) series.points = envelope_of(series.points);
    series.colour = index_of(legend, series.label);
    series.line = panel.line;
    series.marker = panel.marker;
    series.marker_size = panel.marker_size;
    result.series.push_back(std::move(series));
  }
  // The title of the panel has said it.
  if (result.series.size() == 1 && result.series.front().label == result.title) result.series.front().label.clear();
  const Span span = range_of_x(result.series, panel.log_x);
  if (span.least < span.most) {
    const std::vector<PlotSeries> series = result.series;
    for (const Guide& guide : panel.guides) {
      result.series.push_back(line_of(guide, factor_of(guide, series), span, panel.log_x));
    }
  }
  return result;
}

}  // namespace

Plot picture_of(const Reproduction& reproduction, PlotTheme theme) {
  const Experiment& experiment = *reproduction.experiment;
  Plot plot;
  plot.title = experiment.what;
  plot.subtitle = experiment.id;
  plot.columns = experiment.columns;
  plot.theme = theme;
  std::vector<std::string> legend;
  for (const Panel& panel : experiment.panels) {
    plot.panels.push_back(drawn(panel, reproduction.tables, experiment.legend_by_method, legend));
  }
  return plot;
}

std::string picture_ending(const Experiment& experiment) {
  if (experiment.panels.empty()) return {};
  return experiment.has_many_points && can_draw_png() ? ".png" : ".svg";
}

}  // namespace noslip::papers

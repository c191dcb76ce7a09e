#include <noslip/io/study_plot.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <noslip/core/scalar.hpp>

namespace noslip {

namespace {

using Part = double StateNumbers::*;

/// Colours and markers change together, so that a picture without colours can be read too.
PlotSeries styled(const std::string& label, std::size_t number) {
  constexpr PlotMarker markers[] = {PlotMarker::circle, PlotMarker::square, PlotMarker::triangle, PlotMarker::diamond};
  PlotSeries series;
  series.label = label;
  series.colour = static_cast<int>(number);
  series.marker = markers[(number + number / plot_colours) % std::size(markers)];
  return series;
}

std::vector<PlotPoint> points_of(const ConvergeResult& result, Part part) {
  std::vector<PlotPoint> points;
  for (const ConvergeRow& row : result.rows) {
    if (is_above_floor(row.error.*part, row.floor.*part)) points.push_back({row.step, row.error.*part});
  }
  std::sort(points.begin(), points.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.x > b.x; });
  return points;
}

/// A line of the slope `order` a little below the errors of the best method that claims it.
PlotSeries guide(int order, const std::vector<PlotPoint>& below, double gap) {
  double height = std::numeric_limits<double>::infinity();
  double least = below.front().x, most = below.front().x;
  for (const PlotPoint& point : below) {
    height = std::min(height, point.y / std::pow(point.x, order));
    least = std::min(least, point.x);
    most = std::max(most, point.x);
  }
  PlotSeries series;
  series.is_guide = true;
  series.line = PlotLine::dashed;
  series.points = {{most, height / gap * std::pow(most, order)}, {least, height / gap * std::pow(least, order)}};
  series.end_text = fmt::format("slope {}", order);
  return series;
}

PlotPanel convergence_panel(const Convergence& convergence, const char* name, Part part) {
  PlotPanel panel{fmt::format("error of {}", name), {"step", true}, {"largest error at the end", true}, {}};
  std::map<int, std::vector<PlotPoint>> by_order;
  for (std::size_t i = 0; i < convergence.results.size(); ++i) {
    const ConvergeResult& result = convergence.results[i];
    PlotSeries series = styled(result.method, i);
    series.points = points_of(result, part);
    const bool is_multiplier = part == &StateNumbers::multipliers;
    std::vector<PlotPoint>& same = by_order[is_multiplier ? result.multiplier_order_claimed : result.order_claimed];
    same.insert(same.end(), series.points.begin(), series.points.end());
    panel.series.push_back(std::move(series));
  }
  // The gap is a part of the height of the picture.
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const auto& [order, points] : by_order) {
    for (const PlotPoint& point : points) {
      least = std::min(least, point.y);
      most = std::max(most, point.y);
    }
  }
  const double gap = 1.2 * std::pow(std::max(most / least, 1.0), 0.02);
  for (const auto& [order, points] : by_order) {
    if (points.size() > 1) panel.series.push_back(guide(order, points, gap));
  }
  return panel;
}

bool has_errors(const Convergence& convergence, Part part) {
  return std::any_of(convergence.results.begin(), convergence.results.end(), [&](const ConvergeResult& result) {
    return std::any_of(result.rows.begin(), result.rows.end(),
                       [&](const ConvergeRow& row) { return !std::isnan(row.error.*part); });
  });
}

}  // namespace

Plot plot_of(const Convergence& convergence) {
  Plot plot;
  plot.title = fmt::format("Convergence: {}", convergence.system);
  plot.subtitle =
      fmt::format("errors at t = {} against {}", to_short_text(convergence.until), convergence.reference.text());
  plot.panels.push_back(convergence_panel(convergence, "q", &StateNumbers::q));
  if (has_errors(convergence, &StateNumbers::v)) {
    plot.panels.push_back(convergence_panel(convergence, "v", &StateNumbers::v));
  }
  if (has_errors(convergence, &StateNumbers::multipliers)) {
    plot.panels.push_back(convergence_panel(convergence, "the multipliers", &StateNumbers::multipliers));
  }
  return plot;
}

Plot plot_of(const Comparison& comparison) {
  Plot plot;
  plot.title = fmt::format("Comparison: {}", comparison.system);
  plot.subtitle = fmt::format("step {}, until t = {}", to_short_text(comparison.step), to_short_text(comparison.until));
  const bool has_work = !comparison.results.empty() && comparison.results.front().run.balance.has_work;
  PlotPanel panel{"",
                  {"nanoseconds per step", true},
                  {comparison.has_exact ? "error of q at the end"
                   : has_work           ? "largest error of the energy balance"
                                        : "largest energy error",
                   true},
                  {}};
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const CompareResult& result = comparison.results[i];
    const bool has_failed = result.run.outcome.status == Status::failed;
    PlotSeries series = styled(result.run.about.method + (has_failed ? " (failed)" : ""), i);
    series.line = PlotLine::none;
    series.points = {
        {result.nanoseconds_per_step, comparison.has_exact ? result.error.q : result.run.balance.max_abs_error}};
    panel.series.push_back(std::move(series));
  }
  plot.panels.push_back(std::move(panel));
  return plot;
}

}  // namespace noslip

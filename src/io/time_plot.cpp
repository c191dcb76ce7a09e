// Errors over time.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/scalar.hpp>
#include <noslip/io/study_plot.hpp>

#include "io/time_plot.hpp"

namespace noslip {

namespace {

using Points = ErrorPoints;

constexpr double floor_of_zeros = 1e-17;  ///< where nothing is smaller: below the rounding of numbers around one
constexpr double least_quotient = 1e5;

/// Colours first; when they are used up, the next kind of line.
PlotSeries styled(const Trajectory& run, std::size_t number) {
  constexpr PlotLine lines[] = {PlotLine::solid, PlotLine::dashed, PlotLine::dotted};
  PlotSeries series;
  series.label = run.about.method;
  series.colour = static_cast<int>(number);
  series.line = lines[number / plot_colours % std::size(lines)];
  if (run.outcome.status == Status::failed) series.end_text = "failed";
  return series;
}

/// A power of ten below all errors that are not zero, for those that are.
double floor_below(const std::vector<ErrorLine>& lines) {
  double least = 10 * floor_of_zeros;
  for (const ErrorLine& line : lines) {
    for (const ErrorsOverTime::Point& point : *line.errors) {
      if (point.error > 0) least = std::min(least, point.error);
    }
  }
  return std::pow(10, std::ceil(std::log10(least)) - 1);
}

PlotPanel panel_of(const ComparisonOverTime& study, const std::string& label,
                   const Points& (ErrorsOverTime::*part)() const) {
  std::vector<ErrorLine> lines;
  for (std::size_t i = 0; i < study.errors.size(); ++i) {
    lines.push_back({styled(study.comparison.results[i].run, i), &(study.errors[i].*part)()});
  }
  PlotPanel panel = error_panel(label, std::move(lines));
  if (!study.errors.empty()) {
    panel.x.low = study.errors.front().begin();
    panel.x.high = study.errors.front().end();
  }
  return panel;
}

}  // namespace

PlotPanel error_panel(const std::string& label, std::vector<ErrorLine> lines) {
  PlotPanel panel{"", {"t"}, {label, true, least_quotient}, {}};
  const double floor = floor_below(lines);
  bool has_zeros = false;
  for (ErrorLine& line : lines) {
    for (const ErrorsOverTime::Point& point : *line.errors) {
      has_zeros = has_zeros || point.error == 0;
      line.series.points.push_back({point.t, point.error == 0 ? floor : point.error});
    }
    panel.series.push_back(std::move(line.series));
  }
  if (has_zeros) panel.note = fmt::format("zero is drawn at {}", to_short_text(floor));
  return panel;
}

Plot plot_of(const ComparisonOverTime& study) {
  const Comparison& comparison = study.comparison;
  Plot plot;
  plot.title = fmt::format("Errors over time: {}", comparison.system);
  plot.subtitle = fmt::format("step {}; the largest errors in {} spans of time", to_short_text(comparison.step),
                              ErrorsOverTime::default_spans);
  const auto any = [&](const auto& is_so) {
    return std::any_of(comparison.results.begin(), comparison.results.end(),
                       [&](const CompareResult& one) { return is_so(one.run); });
  };
  const bool has_work = any([](const Trajectory& run) { return run.balance.has_work; });
  const bool has_energy = any([](const Trajectory& run) { return !std::isnan(run.energy.initial); });
  const bool has_constraints =
      any([](const Trajectory& run) { return !run.constraints.by_name.empty() || !run.holonomic.by_name.empty(); });
  if (has_energy || !has_constraints) {  // an empty panel says that there is nothing
    plot.panels.push_back(panel_of(study, has_work ? "|E - E0 - work|" : "|E - E0|", &ErrorsOverTime::energy));
  }
  if (has_constraints) {
    plot.panels.push_back(panel_of(study, "largest residual of a constraint", &ErrorsOverTime::constraints));
  }
  return plot;
}

}  // namespace noslip

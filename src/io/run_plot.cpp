#include <noslip/io/run_plot.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/archive.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/scalar.hpp>
#include <noslip/run/row_reader.hpp>

#include "io/curves.hpp"
#include "io/run_plot_panels.hpp"
#include "io/time_plot.hpp"

namespace noslip {

namespace {

constexpr int error_spans = 1000;
constexpr std::size_t most_curves = 10;  ///< in one panel: as many as there are colours
constexpr double unequal = 20;           ///< quotient of ranges from which on scales are not equal

/// Colours in the order of the series.
PlotSeries series_number(std::size_t number, std::string label) {
  PlotSeries series;
  series.label = std::move(label);
  series.colour = static_cast<int>(number);
  return series;
}

double width_of(const std::vector<PlotPoint>& points, double PlotPoint::*part) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const PlotPoint& point : points) {
    if (std::isnan(point.*part)) continue;
    least = std::min(least, point.*part);
    most = std::max(most, point.*part);
  }
  return most - least;
}

}  // namespace

struct RunPlot::Parts {
  RowReader read;
  std::vector<RunPanel> panels;
  double begin, end;
  ErrorsOverTime errors;
  std::map<std::size_t, ErrorsOverTime> invariants;  ///< by place in the row, as are curves
  std::map<std::size_t, TimeCurve> curves;
  std::map<std::pair<std::size_t, std::size_t>, PathCurve> paths;  ///< by places of A and B

  const std::string& name(std::size_t place) const { return read.columns()[place].name; }
  /// " [m]", if the system has [units].
  std::string unit(std::size_t place) const;
  std::string time_label() const { return "t" + unit(0); }
  PlotPanel panel_of(const RunPanel& panel, const Trajectory& run) const;
  PlotPanel curves_panel(const RunPanel& panel) const;
  PlotPanel path_panel(const RunPanel& panel) const;
};

RunPlot::RunPlot(const System& system, std::span<const double> parameters, const std::string& show, double begin,
                 double end)
    : parts_(std::make_unique<Parts>(Parts{RowReader(std::vector<Column>()),
                                           {},
                                           begin,
                                           end,
                                           ErrorsOverTime(begin, end, error_spans),
                                           {},
                                           {},
                                           {}})) {
  Parts& parts = *parts_;
  std::vector<Column> columns = drawable_columns(system);
  parts.panels = chosen_panels(system, columns, show);
  parts.read = RowReader(system, std::move(columns), parameters);
  for (RunPanel& panel : parts.panels) {
    switch (panel.kind) {
      case RunPanelKind::curves:
        panel.left_out = panel.places.size() - std::min(panel.places.size(), most_curves);
        panel.places.resize(panel.places.size() - panel.left_out);
        for (const std::size_t place : panel.places) parts.curves.try_emplace(place, begin, end);
        break;
      case RunPanelKind::path:
        for (std::size_t i = 0; i < panel.places.size(); i += 2) parts.paths[{panel.places[i], panel.places[i + 1]}];
        break;
      case RunPanelKind::invariants:
        for (const std::size_t place : places_of(parts.read.columns(), ColumnKind::invariant)) {
          parts.invariants.try_emplace(place, begin, end, error_spans);
        }
        break;
      case RunPanelKind::energy:
      case RunPanelKind::constraints: break;
    }
  }
}

RunPlot::~RunPlot() = default;
RunPlot::RunPlot(RunPlot&&) noexcept = default;
RunPlot& RunPlot::operator=(RunPlot&&) noexcept = default;

void RunPlot::add(const Sample& sample) {
  Parts& parts = *parts_;
  parts.errors.add(sample);
  if (parts.curves.empty() && parts.paths.empty() && parts.invariants.empty()) return;
  const std::span<const double> row = parts.read(sample);
  for (auto& [place, curve] : parts.curves) curve.add(sample.t, row[place]);
  for (auto& [places, path] : parts.paths) path.add({row[places.first], row[places.second]});
  for (auto& [place, errors] : parts.invariants) {
    Sample one;  // an invariant is watched as an energy is
    one.t = sample.t;
    one.energy = row[place];
    errors.add(one);
  }
}

void RunPlot::carry(Archive& archive) {
  Parts& parts = *parts_;
  archive(parts.errors);
  for (auto& [place, errors] : parts.invariants) archive(errors);
  for (auto& [place, curve] : parts.curves) archive(curve);
  for (auto& [places, path] : parts.paths) archive(path);
}

std::string RunPlot::Parts::unit(std::size_t place) const {
  const std::vector<Column>& columns = read.columns();
  const bool has_units = columns.front().kind == ColumnKind::time && !columns.front().unit.empty();
  return has_units && !columns[place].unit.empty() ? fmt::format(" [{}]", columns[place].unit) : std::string();
}

PlotPanel RunPlot::Parts::curves_panel(const RunPanel& panel) const {
  const std::string common = panel.places.empty() ? std::string() : unit(panel.places.front());
  const bool is_common = std::all_of(panel.places.begin(), panel.places.end(),
                                     [&](std::size_t place) { return unit(place) == common; });
  PlotPanel result{"", {time_label()}, {panel.label + (is_common ? common : "")}, {}};
  for (std::size_t i = 0; i < panel.places.size(); ++i) {
    const std::string own = name(panel.places[i]) + (is_common ? "" : unit(panel.places[i]));
    PlotSeries series = series_number(i, panel.is_single ? "" : own);
    series.points = curves.at(panel.places[i]).points();
    result.series.push_back(std::move(series));
  }
  if (panel.left_out > 0) {
    result.note = fmt::format("the first {} of {}; {} chooses others", panel.places.size(),
                              panel.places.size() + panel.left_out, option("show"));
  }
  return result;
}

PlotPanel RunPlot::Parts::path_panel(const RunPanel& panel) const {
  PlotPanel result{"", {""}, {""}, {}};
  const auto add_label = [](std::string& label, const std::string& name, std::vector<std::string>& seen) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) return;
    seen.push_back(name);
    label += (label.empty() ? "" : ", ") + name;
  };
  std::vector<std::string> across_names, up_names;
  std::vector<PlotPoint> all;
  bool is_over_time = false;
  for (std::size_t i = 0; i < panel.places.size(); i += 2) {
    const std::size_t a = panel.places[i], b = panel.places[i + 1];
    PlotSeries series =
        series_number(i / 2, panel.places.size() > 2 ? fmt::format("{}:{}", name(a), name(b)) : std::string());
    series.points = paths.at({a, b}).points();
    add_label(result.x.label, name(a) + unit(a), across_names);
    add_label(result.y.label, name(b) + unit(b), up_names);
    all.insert(all.end(), series.points.begin(), series.points.end());
    is_over_time = is_over_time || name(a) == "t" || name(b) == "t";
    result.series.push_back(std::move(series));
  }
  const double across = width_of(all, &PlotPoint::x), up = width_of(all, &PlotPoint::y);
  result.has_equal_scales = !is_over_time && across < unequal * up && up < unequal * across;
  return result;
}

PlotPanel RunPlot::Parts::panel_of(const RunPanel& panel, const Trajectory& run) const {
  std::vector<ErrorLine> lines;
  switch (panel.kind) {
    case RunPanelKind::path: return path_panel(panel);
    case RunPanelKind::curves: return curves_panel(panel);
    case RunPanelKind::energy:
      return error_panel(run.balance.has_work ? "|E - E0 - work|" : "|E - E0|", {{{}, &errors.energy()}});
    case RunPanelKind::constraints:
      return error_panel("constraint residual", {{series_number(1, ""), &errors.constraints()}});
    case RunPanelKind::invariants:
      for (const auto& [place, watched] : invariants) {
        lines.push_back({series_number(lines.size(), name(place)), &watched.energy()});
      }
      return error_panel("errors of the invariants", std::move(lines));
  }
  return {};
}

Plot RunPlot::plot(const Trajectory& run) const {
  Plot plot;
  plot.title = run.about.system;
  plot.subtitle = fmt::format("{}, step {}, {} steps", run.about.method, to_short_text(run.about.step), run.steps);
  if (run.outcome.status != Status::done) {
    plot.subtitle += fmt::format("; {} at t = {}", to_text(run.outcome.status), to_short_text(run.last.t));
  }
  plot.has_panel_legends = true;
  bool has_paths = false;
  for (const RunPanel& panel : parts_->panels) {
    PlotPanel& added = plot.panels.emplace_back(parts_->panel_of(panel, run));
    if (panel.kind == RunPanelKind::path) {
      has_paths = true;
      continue;
    }
    if (run.last.t > parts_->begin) {
      added.x.low = parts_->begin;
      added.x.high = run.last.t;
    }
  }
  if (!has_paths) {
    // One below the other, with the same time above each other.
    plot.columns = 1;
    plot.panel_width = 640;
    plot.panel_height = 200;
    for (std::size_t i = 0; i + 1 < plot.panels.size(); ++i) plot.panels[i].x.label.clear();
  } else if (plot.panels.size() == 4) {
    plot.columns = 2;
  }
  return plot;
}

}  // namespace noslip

// One object or dot per crossing.
#include <noslip/io/section.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <noslip/core/scalar.hpp>

#include "io/json_text.hpp"

namespace noslip {

std::string to_json_text(const Section& section) {
  std::string text;
  write_json(section, [&](std::string_view piece) { text += piece; });
  return text;
}

void write_json(const Section& section, const std::function<void(std::string_view)>& take) {
  Json orbits = Json::array();
  std::vector<JsonList> lists;
  for (const SectionOrbit& orbit : section.orbits) {
    lists.push_back({orbit.points.size(), [&](std::size_t k) {
                       const SectionPoint& point = orbit.points[k];
                       Json values = {{"t", point.t}, {"direction", to_text(point.direction)}};
                       Json columns = Json::object();
                       for (std::size_t i = 0; i < section.columns.size(); ++i) {
                         columns[section.columns[i].name] = point.values[i];
                       }
                       values["values"] = std::move(columns);
                       return values;
                     }});
    Json set = Json::object(), init = Json::object();
    for (const auto& [name, value] : orbit.start.set) set[name] = static_cast<double>(value);
    for (const auto& [name, value] : orbit.start.init) init[name] = static_cast<double>(value);
    orbits.push_back({{"label", orbit.start.label},
                      {"set", std::move(set)},
                      {"init", std::move(init)},
                      {"steps", orbit.run.steps},
                      {"t", orbit.run.last.t},
                      {"energy",
                       {{"initial", orbit.run.energy.initial},
                        {"final", orbit.run.energy.final},
                        {"max_abs_error", orbit.run.energy.max_abs_error},
                        {"drift_per_time", orbit.run.energy.drift_per_time}}},
                      {"constraints", {{"max_abs", orbit.run.constraints.max_abs}}},
                      {"status", to_text(orbit.run.outcome.status)},
                      {"message", orbit.run.outcome.message},
                      {"warnings", warnings_json(orbit.run.warnings)},
                      {"crossings", list_here()}});
  }
  const Json document = {{"system", section.system},
                         {"method", section.method},
                         {"step", section.step},
                         {"when", section.event.when},
                         {"direction", to_text(section.event.direction)},
                         {"columns", names_of(section.columns)},
                         {"orbits", std::move(orbits)},
                         {"status", to_text(section.outcome.status)},
                         {"message", section.outcome.message}};
  write_document(document, lists, take);
}

namespace {

/// What differs from orbit to orbit: its name, and its value for each; their numbers if that cannot be told.
std::pair<std::string, std::vector<double>> varied(const std::vector<SectionOrbit>& orbits) {
  for (const Settings OrbitStart::*part : {&OrbitStart::set, &OrbitStart::init}) {
    for (const auto& [name, first] : orbits.front().start.*part) {
      std::vector<double> values;
      for (const SectionOrbit& orbit : orbits) {
        const auto found = (orbit.start.*part).find(name);
        if (found != (orbit.start.*part).end()) values.push_back(static_cast<double>(found->second));
      }
      const auto is_other = [&](double value) { return value != values.front(); };
      if (values.size() == orbits.size() && std::any_of(values.begin(), values.end(), is_other)) return {name, values};
    }
  }
  std::vector<double> numbers(orbits.size());
  std::iota(numbers.begin(), numbers.end(), 1.0);
  return {"orbit", numbers};
}

/// More orbits than there are colours: what makes them different is a colour of a scale, not an entry of a legend.
void colour_by_value(const Section& section, PlotPanel& panel) {
  const auto [name, values] = varied(section.orbits);
  panel.colours.label = name;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    panel.series[i].label.clear();
    panel.series[i].values.assign(panel.series[i].points.size(), values[i]);
  }
}

}  // namespace

Plot plot_of(const Section& section) {
  const bool has_two = section.columns.size() > 1;
  PlotPanel panel;
  panel.x.label = has_two ? section.columns[0].name : "t";
  panel.y.label = section.columns[has_two ? 1 : 0].name;
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (std::size_t i = 0; i < section.orbits.size(); ++i) {
    PlotSeries series;
    series.label = section.orbits[i].start.label;
    series.colour = static_cast<int>(i);
    series.line = PlotLine::none;
    series.marker = PlotMarker::dot;
    for (const SectionPoint& point : section.orbits[i].points) {
      const double at[2] = {has_two ? point.values[0] : point.t, point.values[has_two ? 1 : 0]};
      for (const int axis : {0, 1}) {
        low[axis] = std::min(low[axis], at[axis]);
        high[axis] = std::max(high[axis], at[axis]);
      }
      series.points.push_back({at[0], at[1]});
    }
    panel.series.push_back(std::move(series));
  }
  if (section.orbits.size() > static_cast<std::size_t>(plot_colours)) colour_by_value(section, panel);
  // Circles look like circles, unless one side would be a line.
  const double width = high[0] - low[0], height = high[1] - low[1];
  panel.has_equal_scales = has_two && width < 5 * height && height < 5 * width;
  Plot plot;
  plot.title = fmt::format("Poincare section: {}", section.system);
  const bool is_relation = section.event.when.find('=') != std::string::npos;
  plot.subtitle = fmt::format(
      "{}{}{}; {}, step {}", section.event.when, is_relation ? "" : " = 0",
      section.event.direction == Crossing::both ? "" : fmt::format(", {}", to_text(section.event.direction)),
      section.method, to_short_text(section.step));
  plot.panels = {std::move(panel)};
  return plot;
}

}  // namespace noslip

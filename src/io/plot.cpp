#include <noslip/io/plot.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <noslip/core/error.hpp>

#include "io/plot_legend.hpp"
#include "io/plot_panel.hpp"
#include "io/plot_style.hpp"
#include "io/svg.hpp"

namespace noslip {

namespace {

constexpr int panels_in_a_row = 3;
constexpr double page_margin = 12, between_panels = 10;

/// Sums of what comes before each: where rows or columns begin.
std::vector<double> starts(const std::vector<double>& lengths, double first) {
  std::vector<double> result{first};
  for (const double length : lengths) result.push_back(result.back() + length);
  return result;
}

/// The panels in rows and columns, with the room that their numbers and labels need.
class Grid {
 public:
  Grid(const Plot& plot, const PlotStyle& style)
      : width_(std::clamp(plot.panel_width, 100.0, 4000.0)), height_(std::clamp(plot.panel_height, 100.0, 4000.0)) {
    const int count = static_cast<int>(plot.panels.size());
    const int wanted = plot.columns > 0 ? plot.columns : panels_in_a_row;
    columns_ = static_cast<std::size_t>(std::clamp(count, 1, wanted));
    const std::size_t rows = (plot.panels.size() + columns_ - 1) / columns_;
    left_.assign(columns_, 0);
    right_.assign(columns_, 0);
    above_.assign(rows, 0);
    below_.assign(rows, 0);
    panels_.reserve(plot.panels.size());
    for (std::size_t i = 0; i < plot.panels.size(); ++i) {
      const PanelDrawing& panel = panels_.emplace_back(plot.panels[i], style, width_, height_, plot.has_panel_legends);
      const auto grow = [](double& room, double needed) { room = std::max(room, needed); };
      grow(left_[i % columns_], panel.room_left());
      grow(right_[i % columns_], panel.room_right());
      grow(above_[i / columns_], panel.room_above());
      grow(below_[i / columns_], panel.room_below());
    }
  }

  double first_left() const { return left_.front(); }

  double width() const {
    double sum = 0;
    for (std::size_t c = 0; c < columns_; ++c) sum += left_[c] + width_ + right_[c];
    return sum + between_panels * static_cast<double>(columns_ - 1);
  }

  double height() const {
    double sum = 0;
    for (std::size_t r = 0; r < above_.size(); ++r) sum += above_[r] + height_ + below_[r];
    return sum;
  }

  void draw(SvgWriter& svg, double left, double top) {
    std::vector<double> across, down;
    for (std::size_t c = 0; c < columns_; ++c) across.push_back(left_[c] + width_ + right_[c] + between_panels);
    for (std::size_t r = 0; r < above_.size(); ++r) down.push_back(above_[r] + height_ + below_[r]);
    const std::vector<double> x = starts(across, left), y = starts(down, top);
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      const std::size_t column = i % columns_, row = i / columns_;
      panels_[i].draw(svg, x[column] + left_[column], y[row] + above_[row], static_cast<int>(i));
    }
  }

 private:
  double width_, height_;
  std::size_t columns_ = 1;
  std::vector<double> left_, right_, above_, below_;
  std::vector<PanelDrawing> panels_;
};

void check_edges(const std::vector<double>& edges, const char* name, std::vector<Problem>& problems) {
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (edges[i - 1] <= edges[i]) continue;
    problems.push_back(
        {fmt::format("the {} edges of a map do not ascend: {} is followed by {}", name, edges[i - 1], edges[i]),
         {},
         "sort them, with their values"});
    return;
  }
}

/// InputError where numbers of values do not fit.
void check_plot(const Plot& plot) {
  std::vector<Problem> problems;
  for (const PlotPanel& panel : plot.panels) {
    for (const PlotSeries& series : panel.series) {
      if (series.values.empty() || series.values.size() == series.points.size()) continue;
      problems.push_back(
          {fmt::format("a series has {} points and {} values", series.points.size(), series.values.size()),
           {},
           "give one value for each point, or none"});
    }
    if (!panel.map) continue;
    const std::size_t x = panel.map->x_edges.size(), y = panel.map->y_edges.size();
    if (x < 2 || y < 2 || panel.map->values.size() != (x - 1) * (y - 1)) {
      problems.push_back({fmt::format("a map has {} x edges, {} y edges and {} values", x, y, panel.map->values.size()),
                          {},
                          "give one value for each cell, and in both directions one edge more than there are cells"});
    }
    check_edges(panel.map->x_edges, "x", problems);
    check_edges(panel.map->y_edges, "y", problems);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

std::string to_svg(const Plot& plot) {
  check_plot(plot);
  const PlotStyle& style = style_of(plot.theme);
  Grid grid(plot, style);
  const double width = std::max(grid.width(), 300.0) + 2 * page_margin;
  const double text_left = page_margin + grid.first_left(), text_room = width - text_left - page_margin;

  const auto title = wrapped_lines(plot.title, title_size * 1.1, text_room);  // bold is wider
  const auto subtitle = wrapped_lines(plot.subtitle, text_size, text_room);
  double top = page_margin;
  const auto line = [&](double size) { return top += line_height * size; };
  PlotLegend legend;
  if (!plot.has_panel_legends) {
    for (const PlotPanel& panel : plot.panels) legend.add(panel);
  }
  legend.arrange(text_room);

  const double heading = line_height * (title_size * static_cast<double>(title.size()) +
                                        text_size * static_cast<double>(subtitle.size())) +
                         (title.empty() && subtitle.empty() ? 0 : 14);
  const double legend_top = page_margin + heading + grid.height() + 2;
  SvgWriter svg(width, legend_top + legend.height() + page_margin, style.page);
  for (const std::string& text : title) {
    svg.text({text_left, line(title_size)}, text, {title_size, SvgAnchor::start, true, style.text});
  }
  for (const std::string& text : subtitle) {
    svg.text({text_left, line(text_size)}, text, {text_size, SvgAnchor::start, false, style.note});
  }
  grid.draw(svg, page_margin, page_margin + heading);
  legend.draw(svg, style, text_left, legend_top);
  return svg.finish();
}

}  // namespace noslip

#include <noslip/io/plot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <noslip/io/output_file.hpp>

#include "io/svg.hpp"

namespace noslip {

namespace {

// Sizes in pixels of the picture at its natural size.
constexpr double panel_width = 430, panel_height = 340;  // of the area that lines are drawn in
constexpr double left_margin = 74, right_margin = 22;    // beside it, for the numbers
constexpr double top_margin = 34, bottom_margin = 56;    // above and below it, for title and label
constexpr double heading_height = 58, legend_line = 20;
constexpr double legend_sample = 34;
constexpr double text_size = 13, small_size = 12, title_size = 17;
constexpr int panels_in_a_row = 3;
constexpr std::size_t many_points = 100;  // of a line that would be a smear if it were not thin

/// Dark enough for thin lines on white, and told apart by people who see fewer colours.
constexpr std::array<const char*, plot_colours> palette{"#0068b4", "#d1495b", "#1b8a5a", "#e08e0b", "#7b4fa3",
                                                        "#0aa2b5", "#8c564b", "#d957a8", "#5f6b2d", "#333f50"};
constexpr const char* guide_colour = "#9a9a9a";
constexpr const char* note_colour = "#666666";

const char* dashes(PlotLine line) {
  switch (line) {
    case PlotLine::dashed: return "7 4";
    case PlotLine::dotted: return "2 3";
    case PlotLine::solid:
    case PlotLine::none: break;
  }
  return "";
}

const char* colour_of(const PlotSeries& series) {
  return series.is_guide ? guide_colour : palette[static_cast<std::size_t>(std::max(series.colour, 0)) % plot_colours];
}

bool can_be_drawn(double value, const PlotAxis& axis) {
  constexpr double largest = 1e300, smallest = 1e-300;  // so that ranges and margins stay finite
  return axis.is_logarithmic ? value >= smallest && value <= largest : std::fabs(value) <= largest;
}

/// Least and most of the values that can be drawn.
struct Range {
  double least = 0, most = 0;
  bool is_empty = true;

  void add(double value) {
    least = is_empty ? value : std::min(least, value);
    most = is_empty ? value : std::max(most, value);
    is_empty = false;
  }

  /// To both sides alike, until most/least is the quotient.
  void widen(double quotient) {
    const double missing = quotient / (most / least);
    if (!(missing > 1)) return;
    least /= std::sqrt(missing);
    most *= std::sqrt(missing);
  }
};

/// One panel at a place of the picture.
class PanelDrawing {
 public:
  PanelDrawing(const PlotPanel& panel, double left, double top) : panel_(panel), left_(left), top_(top) {
    for (const bool guides : {false, true}) {
      for (const PlotSeries& series : panel.series) {
        has_many_points_ = has_many_points_ || series.points.size() > many_points;
        if (series.is_guide != guides) continue;
        for (const PlotPoint& point : series.points) {
          if (!is_drawable(point)) continue;
          x_range_.add(point.x);
          y_range_.add(point.y);
        }
      }
      if (!x_range_.is_empty) break;  // guides decide only where there is nothing else
    }
    if (x_range_.is_empty) return;
    if (panel.y.is_logarithmic) y_range_.widen(panel.y.least_quotient);
    x_ = plot_ticks(x_range_.least, x_range_.most, panel.x.is_logarithmic, 7);
    y_ = plot_ticks(y_range_.least, y_range_.most, panel.y.is_logarithmic, 8);
  }

  void draw(SvgWriter& svg, int number) const {
    const double middle = left_ + panel_width / 2;
    if (!panel_.title.empty()) svg.text({middle, top_ - 12}, panel_.title, {text_size, SvgAnchor::middle, true});
    if (x_range_.is_empty) {
      svg.rectangle(left_, top_, panel_width, panel_height);
      svg.text({middle, top_ + panel_height / 2}, "nothing to draw", {text_size, SvgAnchor::middle});
    } else {
      draw_ticks(svg);
      svg.rectangle(left_, top_, panel_width, panel_height);
      const std::string clip = fmt::format("panel{}", number);
      svg.begin_clipped(clip, left_, top_, panel_width, panel_height);
      for (const bool guides : {true, false}) {
        for (const PlotSeries& series : panel_.series) {
          if (series.is_guide == guides) draw_series(svg, series);
        }
      }
      svg.end_clipped();
      for (const PlotSeries& series : panel_.series) draw_end_text(svg, series);
    }
    svg.text({middle, top_ + panel_height + 42}, panel_.x.label, {text_size, SvgAnchor::middle});
    svg.text({left_ + panel_width, top_ + panel_height + 42}, panel_.note,
             {small_size, SvgAnchor::end, false, note_colour});
    svg.vertical_text({left_ - 56, top_ + panel_height / 2}, panel_.y.label, text_size);
  }

 private:
  bool is_drawable(const PlotPoint& point) const {
    return can_be_drawn(point.x, panel_.x) && can_be_drawn(point.y, panel_.y);
  }

  static double share(double value, const PlotTicks& ticks, const PlotAxis& axis) {
    // Differences of logarithms: quotients may overflow.
    return axis.is_logarithmic ? (std::log(value) - std::log(ticks.low)) / (std::log(ticks.high) - std::log(ticks.low))
                               : (value - ticks.low) / (ticks.high - ticks.low);
  }

  SvgPoint place(const PlotPoint& point) const {
    return {left_ + panel_width * share(point.x, x_, panel_.x),
            top_ + panel_height * (1 - share(point.y, y_, panel_.y))};
  }

  void draw_ticks(SvgWriter& svg) const {
    for (const PlotTicks::Tick& tick : x_.ticks) {
      const double x = place({tick.value, y_.low}).x, bottom = top_ + panel_height;
      const bool is_small = tick.text.empty();
      if (!is_small) svg.line({x, top_}, {x, bottom}, {"#e4e4e4", 1});
      svg.line({x, bottom}, {x, bottom - (is_small ? 3 : 6)}, {"#444444", 1});
      svg.number({x, bottom + 18}, tick.text, {small_size, SvgAnchor::middle});
    }
    for (const PlotTicks::Tick& tick : y_.ticks) {
      const double y = place({x_.low, tick.value}).y;
      const bool is_small = tick.text.empty();
      if (!is_small) svg.line({left_, y}, {left_ + panel_width, y}, {"#e4e4e4", 1});
      svg.line({left_, y}, {left_ + (is_small ? 3 : 6), y}, {"#444444", 1});
      svg.number({left_ - 8, y + 4}, tick.text, {small_size, SvgAnchor::end});
    }
  }

  void draw_series(SvgWriter& svg, const PlotSeries& series) const {
    const SvgStroke stroke{colour_of(series),
                           series.is_guide    ? 1.0
                           : has_many_points_ ? 1.3
                                              : 1.8,
                           dashes(series.line)};
    std::vector<SvgPoint> piece;
    const auto finish = [&] {
      if (piece.size() > 1 && series.line != PlotLine::none) svg.polyline(piece, stroke);
      piece.clear();
    };
    for (const PlotPoint& point : series.points) {
      if (is_drawable(point)) {
        piece.push_back(place(point));
      } else {
        finish();
      }
    }
    finish();
    for (const PlotPoint& point : series.points) {
      if (is_drawable(point)) svg.marker(place(point), series.marker, stroke.colour);
    }
  }

  void draw_end_text(SvgWriter& svg, const PlotSeries& series) const {
    if (series.end_text.empty()) return;
    for (auto point = series.points.rbegin(); point != series.points.rend(); ++point) {
      if (!is_drawable(*point)) continue;
      const SvgPoint at = place(*point);
      const bool is_inside =
          at.x >= left_ && at.x <= left_ + panel_width && at.y >= top_ && at.y <= top_ + panel_height;
      if (!is_inside) continue;
      const bool is_at_right = at.x > left_ + 0.8 * panel_width;
      // Under a guide line, which runs under what it is a guide for; above other points.
      const double y = series.is_guide ? std::min(at.y + 16, top_ + panel_height - 5) : std::max(at.y - 6, top_ + 12);
      svg.text({at.x + (is_at_right ? -7 : 7), y}, series.end_text,
               {small_size, is_at_right ? SvgAnchor::end : SvgAnchor::start, false, colour_of(series), true});
      return;
    }
  }

  const PlotPanel& panel_;
  double left_, top_;
  Range x_range_, y_range_;
  bool has_many_points_ = false;  ///< in any of its lines: all are drawn alike
  PlotTicks x_, y_;
};

std::vector<const PlotSeries*> legend_of(const Plot& plot) {
  std::vector<const PlotSeries*> entries;
  for (const PlotPanel& panel : plot.panels) {
    for (const PlotSeries& series : panel.series) {
      const auto is_same = [&](const PlotSeries* known) { return known->label == series.label; };
      if (!series.label.empty() && std::none_of(entries.begin(), entries.end(), is_same)) entries.push_back(&series);
    }
  }
  return entries;
}

void draw_legend(SvgWriter& svg, const std::vector<const PlotSeries*>& entries, std::size_t columns, double column,
                 double top) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const PlotSeries& series = *entries[i];
    const std::size_t lines = (entries.size() + columns - 1) / columns;  // filled from top to bottom
    const double x = left_margin + column * static_cast<double>(i / lines);
    const double y = top + legend_line * static_cast<double>(i % lines);
    const SvgStroke stroke{colour_of(series), series.is_guide ? 1.0 : 1.8, dashes(series.line)};
    if (series.line != PlotLine::none) svg.line({x, y}, {x + legend_sample - 8, y}, stroke);
    svg.marker({x + (legend_sample - 8) / 2, y}, series.marker, stroke.colour);
    svg.text({x + legend_sample, y + 4}, series.label, {text_size, SvgAnchor::start});
  }
}

}  // namespace

std::string to_svg(const Plot& plot) {
  const int panels = static_cast<int>(plot.panels.size());
  const int across = std::clamp(panels, 1, panels_in_a_row), rows = std::max(1, (panels + across - 1) / across);
  const double cell_width = left_margin + panel_width + right_margin;
  const bool has_titles =
      std::any_of(plot.panels.begin(), plot.panels.end(), [](const PlotPanel& panel) { return !panel.title.empty(); });
  const double above = has_titles ? top_margin : 12;
  const double cell_height = above + panel_height + bottom_margin;
  const double heading = plot.title.empty() && plot.subtitle.empty() ? 10 : heading_height;

  const std::vector<const PlotSeries*> entries = legend_of(plot);
  double column = 0;
  for (const PlotSeries* entry : entries) column = std::max(column, text_width(entry->label, text_size));
  column += legend_sample + 18;
  double width = cell_width * across;
  width = std::max({width, left_margin + column, left_margin + text_width(plot.title, title_size) * 1.1 + right_margin,
                    left_margin + text_width(plot.subtitle, text_size) + right_margin});
  const std::size_t columns = std::max<std::size_t>(1, static_cast<std::size_t>((width - left_margin) / column));
  const double legend_lines = std::ceil(static_cast<double>(entries.size()) / static_cast<double>(columns));
  const double legend_top = heading + cell_height * rows + 14;
  const double height = legend_top + legend_lines * legend_line + (entries.empty() ? 0 : 4);

  SvgWriter svg(width, height);
  svg.text({left_margin, 28}, plot.title, {title_size, SvgAnchor::start, true});
  svg.text({left_margin, 48}, plot.subtitle, {text_size, SvgAnchor::start});
  for (int i = 0; i < panels; ++i) {
    const double left = cell_width * (i % across) + left_margin;
    const double top = heading + cell_height * (i / across) + above;
    PanelDrawing(plot.panels[static_cast<std::size_t>(i)], left, top).draw(svg, i);
  }
  draw_legend(svg, entries, columns, column, legend_top);
  return svg.finish();
}

void write_svg(const Plot& plot, const std::string& file, bool overwrite) {
  OutputFile output(file, overwrite);
  output.write(to_svg(plot));
  output.close();
}

}  // namespace noslip

// Line plots as SVG: series of points over linear or logarithmic axes, in one or more panels with a common legend.
//
//   Plot plot;
//   plot.title = "energy of the sleigh";
//   plot.panels = {{"", {"t"}, {"energy"}, {{"gauss:2", {{0, 0.5}, {1, 0.5}}}}}};
//   write_svg(plot, "energy.svg", false);
//
// Points that are not finite, or not positive on a logarithmic axis, are left out, and a line is broken there. A
// picture is complete in itself (no fonts, scripts or styles from elsewhere) and opens in any browser.
#pragma once

#include <string>
#include <vector>

namespace noslip {

struct PlotPoint {
  double x = 0, y = 0;
};

enum class PlotLine { solid, dashed, dotted, none };
enum class PlotMarker { none, circle, square, triangle, diamond };

struct PlotSeries {
  std::string label;  ///< in the legend; empty: not there. Series of several panels with the same label share an entry.
  std::vector<PlotPoint> points;
  int colour = 0;  ///< of the palette, any number from 0 on; plot_colours of them are different
  PlotLine line = PlotLine::solid;
  PlotMarker marker = PlotMarker::none;
  /// A thin grey line to compare with: it does not count for the range of the axes, and is cut at their ends.
  bool is_guide = false;
  std::string end_text = {};  ///< written at the last point that is visible
};

constexpr int plot_colours = 10;

struct PlotAxis {
  std::string label;
  bool is_logarithmic = false;
  double least_quotient = 1;  ///< of the ends of a logarithmic axis: rounding errors alone need not fill it
};

struct PlotPanel {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
  std::string note = {};  ///< small, under the right end of the panel
};

struct Plot {
  std::string title;
  std::string subtitle;  ///< a smaller line under the title
  std::vector<PlotPanel> panels;
};

/// One SVG document. A panel without a point that can be drawn says so in its middle.
std::string to_svg(const Plot& plot);

/// Writes it to a file (see OutputFile for what can fail).
void write_svg(const Plot& plot, const std::string& file, bool overwrite);

/// Where an axis has its marks.
struct PlotTicks {
  double low = 0, high = 1;  ///< range of the axis; holds all values
  struct Tick {
    double value;
    std::string text;  ///< empty: a small mark without a number; `10^-3` is drawn with a raised exponent
  };
  std::vector<Tick> ticks;  ///< ascending
};

/// Range and ticks for values from `least` to `most` (up to 1e300; from 1e-300 on if logarithmic): round numbers (1, 2,
/// 5 times a power of ten), powers of ten on a logarithmic axis. `room`: how many numbers fit.
PlotTicks plot_ticks(double least, double most, bool is_logarithmic, int room);

}  // namespace noslip

// Plots as SVG or PNG: lines, points, bars, bands and maps over linear or logarithmic axes, in one panel or a grid of
// panels.
//
//   Plot plot;
//   plot.title = "energy of the sleigh";
//   plot.panels = {{"", {"t"}, {"energy"}, {{"gauss:2", {{0, 0.5}, {1, 0.5}}}}}};
//   write_plot(plot, "energy.svg", false);
//
// Points that are not finite, or not positive on a logarithmic axis, are left out, and a line is broken there. A
// picture is complete in itself (no scripts or styles from elsewhere) and opens in any browser. Any number of points
// may be given: those that would not be seen behind others are not written.
//
// In every text `^` raises what follows: the digits and letters up to the next other sign (`h^4`, `10^-3`), or what
// stands in braces (`h^{2s-2}`). Greek letters and the like are written as they are, in UTF-8.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace noslip {

struct PlotPoint {
  double x = 0, y = 0;

  /// For core/archive.hpp.
  template <class To>
  void carry(To& archive) {
    archive(x, y);
  }
};

enum class PlotLine { solid, dashed, dotted, none };
/// `dot` is small and round: for thousands of points.
enum class PlotMarker { none, circle, square, triangle, diamond, dot };

struct PlotSeries {
  std::string label;  ///< in the legend; empty: not there. Series of several panels with the same label share an entry.
  std::vector<PlotPoint> points;
  int colour = 0;  ///< of the palette, any number from 0 on; plot_colours of them are different
  PlotLine line = PlotLine::solid;
  PlotMarker marker = PlotMarker::none;
  /// A thin grey line to compare with: it does not count for the range of the axes, and is cut at their ends.
  bool is_guide = false;
  std::string end_text = {};  ///< written at the last point that is visible
  double marker_size = 0;     ///< diameter in pixels; 0: what suits the marker
  /// One for each point, or none: they colour the markers as PlotPanel::colours says; high values lie on top. Markers
  /// whose value cannot be drawn are grey.
  std::vector<double> values = {};
};

/// The area between two curves over x. Where an end is not finite there is a gap; on a logarithmic axis a band whose
/// low end is not positive reaches down to the axis.
struct PlotBand {
  std::string label;  ///< as in PlotSeries
  struct Span {
    double x = 0, low = 0, high = 0;
  };
  std::vector<Span> spans;  ///< x ascends
  int colour = 0;
  double strength = 0.25;  ///< 0: invisible, 1: opaque
  int lies_on = 0;         ///< number of wider bands like it under it: the legend shows it as dark as it is there
};

/// Bars that stand on zero, or on the lower end of a logarithmic axis.
struct PlotBars {
  std::string label;  ///< as in PlotSeries
  struct Bar {
    double low = 0, high = 0;  ///< ends of its foot
    double height = 0;
  };
  std::vector<Bar> bars;  ///< any number; those narrower than half a pixel are merged, the highest counts
  int colour = 0;
};

/// A value in each cell of a grid, shown by its colour.
struct PlotMap {
  std::vector<double> x_edges, y_edges;  ///< of the cells, ascending: one more than there are columns and rows
  /// Row by row from the lowest y on, each from the lowest x on. What is not finite, or not positive if the colours are
  /// logarithmic, is grey.
  std::vector<double> values;
};

constexpr int plot_colours = 10;

struct PlotAxis {
  std::string label;  ///< with its unit, for example "t [s]"
  bool is_logarithmic = false;
  double least_quotient = 1;  ///< of the ends of a logarithmic axis: rounding errors alone need not fill it
  /// Fixed ends, each by itself; what lies outside is cut off. Not given: all values are inside. An end that cannot be
  /// drawn (not finite, not positive on a logarithmic axis, low not below high) counts as not given.
  std::optional<double> low = {}, high = {};
};

struct PlotPanel {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
  std::string note = {};          ///< small, under the right end of the panel
  bool has_equal_scales = false;  ///< a circle is a circle; for linear axes only
  std::vector<PlotBand> bands = {};
  std::vector<PlotBars> bars = {};
  /// Under everything else; the axes end with it. Of cells smaller than half a pixel some are not seen.
  std::optional<PlotMap> map = {};
  /// The colour bar of the map and of the values of series. Values beyond fixed ends have the colour of that end.
  PlotAxis colours = {};
};

enum class PlotTheme { light, dark };

struct Plot {
  std::string title;
  std::string subtitle;  ///< a smaller line under the title
  std::vector<PlotPanel> panels;
  int columns = 0;                     ///< panels beside each other; 0: up to three
  PlotTheme theme = PlotTheme::light;  ///< dark on white, or light on nearly black
  bool has_panel_legends = false;      ///< each panel has its own legend, instead of one for all; always below the axes
  double panel_width = 430, panel_height = 340;  ///< pixels, of the area between the axes; within 100 and 4000
};

/// One SVG document. A panel without a point that can be drawn says so in its middle. InputError if the numbers of
/// edges and values of a map, or of points and values of a series, do not fit, or edges do not ascend.
std::string to_svg(const Plot& plot);

/// The same as PNG, `scale` pixels for one of the SVG. InputError where this build cannot do it (can_draw_png()).
std::string to_png(const Plot& plot, double scale = 2);
bool can_draw_png();

/// Writes SVG or PNG, as the ending of the name says: .svg or .png; SVG to a device or a pipe. InputError for other
/// endings and what to_png() refuses; see OutputFile for what else can fail.
void write_plot(const Plot& plot, const std::string& file, bool overwrite);

/// The InputError of write_plot() that such a name would give, before there is anything to draw.
void check_plot_file(const std::string& file);

/// Where an axis has its marks.
struct PlotTicks {
  double low = 0, high = 1;  ///< range of the axis; holds all values
  struct Tick {
    double value;
    std::string text;  ///< empty: a small mark without a number; `10^-3` is drawn with a raised exponent
  };
  std::vector<Tick> ticks;   ///< ascending
  std::string scaling = {};  ///< what all numbers have in common: `×10^-4` or `+ 1000`; empty: nothing
};

/// Range and ticks for values from `least` to `most` (up to 1e300; from 1e-300 on if logarithmic): round numbers (1, 2,
/// 5 times a power of ten), powers of ten on a logarithmic axis. `room`: how many numbers fit.
PlotTicks plot_ticks(double least, double most, bool is_logarithmic, int room);

}  // namespace noslip

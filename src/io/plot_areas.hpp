// Areas of a panel: bands, bars, and maps with their colour bar.
#pragma once

#include "io/plot_colours.hpp"
#include "io/plot_scales.hpp"
#include "io/plot_style.hpp"
#include "io/svg.hpp"

namespace noslip {

/// Where the areas of a panel are drawn. All references have to last as long as it does.
struct AreaCanvas {
  SvgWriter& svg;
  const PlotStyle& style;
  const PlotScales& scales;
  const PlotBox& box;
};

void draw_band(const AreaCanvas& canvas, const PlotBand& band, const PlotAxis& y_axis);
void draw_bars(const AreaCanvas& canvas, const PlotBars& bars, const PlotPanel& panel);

/// Cells as areas if there are few, otherwise as a picture with two pixels for one of the page.
void draw_map(const AreaCanvas& canvas, const PlotMap& map, const PlotPanel& panel, const ColourScale& colours);

/// Markers in the colours of their values. `points` and `values` are as many.
void draw_coloured_markers(const AreaCanvas& canvas, const PlotSeries& series, std::span<const SvgPoint> points,
                           std::span<const double> values, const ColourScale& colours);

/// The bar at the right of a panel, if there are values that colours stand for.
class ColourBar {
 public:
  /// Keeps references to what it is given. `height`: of the axes.
  ColourBar(const PlotPanel& panel, const PlotStyle& style, double height);

  const ColourScale& scale() const { return scale_; }
  double room() const;  ///< at the right of the axes; 0 without a bar
  bool has_scaling() const { return !scale_.is_empty() && !scale_.ticks().scaling.empty(); }
  /// `box`: of the axes. `number`: of the panel.
  void draw(SvgWriter& svg, const PlotBox& box, int number) const;

 private:
  double widest_number() const;

  const PlotStyle& style_;
  ColourScale scale_;
  std::vector<std::string> label_;
};

}  // namespace noslip

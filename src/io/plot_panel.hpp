// One panel of a plot: its axes, areas, lines and points.
#pragma once

#include <string>
#include <vector>

#include "io/plot_areas.hpp"
#include "io/plot_legend.hpp"
#include "io/plot_scales.hpp"
#include "io/plot_style.hpp"
#include "io/plot_thinning.hpp"
#include "io/svg.hpp"

namespace noslip {

class PanelDrawing {
 public:
  /// Width and height: of the area between the axes. Keeps references to what it is given.
  PanelDrawing(const PlotPanel& panel, const PlotStyle& style, double width, double height, bool has_legend);

  // How much room is needed around that area.
  double room_left() const;
  double room_right() const;
  double room_above() const;
  double room_below() const;

  /// `left`, `top`: of that area. `number`: of the panel.
  void draw(SvgWriter& svg, double left, double top, int number);

 private:
  double widest_number() const;
  bool note_is_beside_label() const;

  SvgPoint place(const PlotPoint& point) const { return scales_.place(point, box_); }
  void draw_axes(SvgWriter& svg) const;
  void draw_mark(SvgWriter& svg, SvgPoint at, SvgPoint inwards, bool is_small) const;
  void draw_areas(SvgWriter& svg) const;
  void draw_labels(SvgWriter& svg) const;
  void draw_series(SvgWriter& svg, const PlotSeries& series) const;
  void draw_end_text(SvgWriter& svg, const PlotSeries& series) const;

  const PlotPanel& panel_;
  const PlotStyle& style_;
  double width_, height_;  // that were given
  PlotScales scales_;
  PlotBox box_;  // of the axes; smaller where scales are equal
  ColourBar colour_bar_;
  bool has_many_points_ = false;  // in any of its lines: all are drawn alike
  PlotLegend legend_;
  std::vector<std::string> title_, x_label_, y_label_;
};

}  // namespace noslip

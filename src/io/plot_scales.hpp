// The two axes of a panel: their ranges and marks, and where a point lies between them.
#pragma once

#include "io/plot_range.hpp"
#include "io/plot_thinning.hpp"
#include "io/svg.hpp"

namespace noslip {

class PlotScales {
 public:
  /// Width and height: of the area that there is. Keeps a reference to the panel.
  PlotScales(const PlotPanel& panel, double width, double height);

  bool is_empty() const { return is_empty_; }  ///< nothing can be drawn
  bool is_drawable(const PlotPoint& point) const;
  const PlotTicks& x() const { return x_; }
  const PlotTicks& y() const { return y_; }
  // Of the axes: what there is, or less where scales are equal.
  double width() const { return width_; }
  double height() const { return height_; }

  /// Of a point that can be drawn, in a box of that size.
  SvgPoint place(const PlotPoint& point, const PlotBox& box) const;

 private:
  void choose_ranges();
  void count(double x, double y, PlotRange& across, PlotRange& up);
  void count_areas(PlotRange& across, PlotRange& up);  ///< bands, bars and the map
  void make_equal();
  PlotTicks x_ticks(double least, double most) const;

  const PlotPanel& panel_;
  double width_, height_;
  bool is_empty_ = true;
  PlotTicks x_, y_;
};

}  // namespace noslip

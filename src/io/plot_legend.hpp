// The legend of a plot or a panel: in columns, below what it explains.
#pragma once

#include <vector>

#include "io/plot_style.hpp"
#include "io/svg.hpp"

namespace noslip {

class PlotLegend {
 public:
  /// Series with the same label share an entry.
  void add(const PlotPanel& panel);
  /// Fits the entries into a width.
  void arrange(double width);

  bool is_empty() const { return entries_.empty(); }
  double height() const;
  void draw(SvgWriter& svg, const PlotStyle& style, double left, double top) const;

 private:
  std::vector<const PlotSeries*> entries_;
  std::size_t columns_ = 1, lines_ = 0;
  double column_ = 0;  ///< width of a column
};

}  // namespace noslip

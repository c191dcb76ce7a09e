// Fewer points that look the same: what lies behind others on the page is not written.
#pragma once

#include <span>
#include <vector>

#include "io/svg.hpp"

namespace noslip {

struct PlotBox {
  double left = 0, top = 0, width = 0, height = 0;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
  bool holds(SvgPoint point, double margin = 0) const;
};

/// The points inside the box, at most one for each half pixel.
std::vector<SvgPoint> thinned_dots(std::span<const SvgPoint> points, const PlotBox& box);

/// A line as pieces within a rim around the box. Points that follow each other within half a pixel from left to right
/// are replaced by the first, the highest, the lowest and the last of them; of a solid line that is still long, what
/// runs over places where it has been before is left out.
std::vector<std::vector<SvgPoint>> thinned_line(std::span<const SvgPoint> points, const PlotBox& box, bool is_solid);

}  // namespace noslip

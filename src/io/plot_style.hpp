// Colours and sizes of pictures.
#pragma once

#include <array>

#include <noslip/io/plot.hpp>

namespace noslip {

/// What a theme decides. Colours as SVG has them.
struct PlotStyle {
  const char *page, *frame, *grid, *text, *note, *guide;
  std::array<const char*, plot_colours> palette;
};

const PlotStyle& style_of(PlotTheme theme);

const char* colour_of(const PlotSeries& series, const PlotStyle& style);

/// Lengths of dashes and gaps; empty for a solid line.
const char* dashes_of(PlotLine line);

/// Diameter of the markers of a series.
double marker_size_of(const PlotSeries& series);

// Sizes in pixels of the picture at its natural size.
constexpr double text_size = 13, small_size = 12, title_size = 17;
constexpr double line_height = 1.35;  ///< of a text, in its size

}  // namespace noslip

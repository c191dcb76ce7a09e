// Colours and sizes of pictures.
#pragma once

#include <array>
#include <string>

#include <noslip/io/plot.hpp>

namespace noslip {

/// What a theme decides. Colours as SVG has them.
struct PlotStyle {
  PlotTheme theme;
  const char *page, *frame, *grid, *text, *note, *guide, *missing;
  std::array<const char*, plot_colours> palette;
};

const PlotStyle& style_of(PlotTheme theme);

/// Of the palette, by a number from 0 on.
const char* colour_of(int number, const PlotStyle& style);
const char* colour_of(const PlotSeries& series, const PlotStyle& style);

/// Lengths of dashes and gaps; empty for a solid line.
const char* dashes_of(PlotLine line);

/// Diameter of the markers of a series.
double marker_size_of(const PlotSeries& series);

/// The number of a tick with a minus that is as wide as a plus.
std::string with_wide_minus(std::string number);

// Sizes in pixels of the picture at its natural size.
constexpr double text_size = 13, small_size = 12, title_size = 17;
constexpr double number_gap = 8;      ///< between numbers and axis
constexpr double line_height = 1.35;  ///< of a text, in its size

}  // namespace noslip

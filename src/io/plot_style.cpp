#include "io/plot_style.hpp"

#include <algorithm>

namespace noslip {

namespace {

// Both palettes begin with hues that people who see fewer colours tell apart, and neighbours differ in brightness too.
constexpr PlotStyle light{
    "#ffffff",
    "#444444",
    "#e9e9e9",
    "#222222",
    "#666666",
    "#9a9a9a",
    {"#0068b4", "#d1495b", "#1b8a5a", "#e08e0b", "#7b4fa3", "#0aa2b5", "#8c564b", "#d957a8", "#5f6b2d", "#333f50"}};
constexpr PlotStyle dark{
    "#15181d",
    "#a8adb5",
    "#2b3038",
    "#e4e6ea",
    "#9aa0aa",
    "#7d838d",
    {"#58a9f0", "#ff7a85", "#4ccf96", "#f5b041", "#b893e6", "#5fd6e6", "#c99a8d", "#f29ad2", "#b5c46a", "#c3cad6"}};

}  // namespace

const PlotStyle& style_of(PlotTheme theme) { return theme == PlotTheme::dark ? dark : light; }

const char* colour_of(const PlotSeries& series, const PlotStyle& style) {
  return series.is_guide ? style.guide
                         : style.palette[static_cast<std::size_t>(std::max(series.colour, 0)) % plot_colours];
}

const char* dashes_of(PlotLine line) {
  switch (line) {
    case PlotLine::dashed: return "7 4";
    case PlotLine::dotted: return "2 3";
    case PlotLine::solid:
    case PlotLine::none: break;
  }
  return "";
}

double marker_size_of(const PlotSeries& series) {
  if (series.marker_size > 0) return std::clamp(series.marker_size, 0.1, 100.0);
  return series.marker == PlotMarker::dot ? 1.6 : 7;
}

}  // namespace noslip

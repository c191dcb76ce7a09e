#include "io/plot_style.hpp"

#include <algorithm>

namespace noslip {

namespace {

// Any two colours of a palette stay apart for people who lack one kind of cone, as simulated with the matrices of
// Machado, Oliveira and Fernandes (2009), and all have a contrast to the page.
constexpr PlotStyle light{
    PlotTheme::light,
    "#ffffff",
    "#444444",
    "#e9e9e9",
    "#222222",
    "#666666",
    "#9a9a9a",
    "#c4c4c4",
    {"#0068b4", "#d55e00", "#009e73", "#8f3fe0", "#6b0f3a", "#f07cc8", "#e0a800", "#5c4a00", "#d3123f", "#7d8590"}};
constexpr PlotStyle dark{
    PlotTheme::dark,
    "#15181d",
    "#a8adb5",
    "#2b3038",
    "#e4e6ea",
    "#9aa0aa",
    "#7d838d",
    "#4b4f57",
    {"#4aa3f0", "#ff8a3d", "#2fd09a", "#9a6bff", "#e6e04a", "#f03a6a", "#ffb3dd", "#d44fc4", "#a5e07a", "#8f98a5"}};

}  // namespace

const PlotStyle& style_of(PlotTheme theme) { return theme == PlotTheme::dark ? dark : light; }

const char* colour_of(int number, const PlotStyle& style) {
  return style.palette[static_cast<std::size_t>(std::max(number, 0)) % plot_colours];
}

const char* colour_of(const PlotSeries& series, const PlotStyle& style) {
  return series.is_guide ? style.guide : colour_of(series.colour, style);
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

std::string with_wide_minus(std::string number) {
  for (std::size_t at = number.find('-'); at != std::string::npos; at = number.find('-', at)) {
    number.replace(at, 1, "\u2212");
  }
  return number;
}

}  // namespace noslip

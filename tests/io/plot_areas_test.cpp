// Bars, bands and coloured points: where they are, gaps, logarithmic axes, many of them.
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/io/plot.hpp>

#include "io/plot_colours.hpp"
#include "io/plot_style.hpp"
#include "support/svg_reading.hpp"

namespace noslip {
namespace {

using namespace svg_reading;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Frame {
  double left = 0, top = 0, right = 0, bottom = 0;
};

Frame frame_of(const std::string& svg) {
  for (const Element& element : named(svg, "rect")) {
    if (!element.attributes.contains("fill") || element.attributes.at("fill") != "none") continue;
    const double x = element.number("x"), y = element.number("y");
    return {x, y, x + element.number("width"), y + element.number("height")};
  }
  ADD_FAILURE() << "no frame";
  return {};
}

/// Corners of the closed pieces of a path in tenths of pixels, each relative to the one before.
std::vector<std::vector<PlotPoint>> pieces_of(const Element& path) {
  const std::string& text = path.attributes.at("d");
  std::vector<std::vector<PlotPoint>> pieces;
  const std::regex command("([mlhvz])(-?[0-9]*) ?(-?[0-9]*)");
  PlotPoint at;
  for (std::sregex_iterator match(text.begin(), text.end(), command), end; match != end; ++match) {
    const char name = (*match)[1].str()[0];
    const auto number = [&](std::size_t i) { return std::stod((*match)[i].str()) / 10; };
    if (name == 'z') {
      at = pieces.back().front();
      continue;
    }
    if (name == 'h') at.x += number(2);
    if (name == 'v') at.y += number(2);
    if (name == 'm' || name == 'l') at = {at.x + number(2), at.y + number(3)};
    if (name == 'm') pieces.emplace_back();
    pieces.back().push_back(at);
  }
  return pieces;
}

/// Filled areas inside of the axes, in the order in which they are drawn.
std::vector<Element> areas_of(const std::string& svg) {
  const Frame frame = frame_of(svg);
  std::vector<Element> found;
  for (const Element& path : named(svg, "path")) {
    if (path.attributes.at("fill") == "none") continue;
    if (pieces_of(path).at(0).at(0).y < frame.bottom + 15) found.push_back(path);  // samples of the legend are below
  }
  return found;
}

Plot plot_with(std::vector<PlotBars> bars, std::vector<PlotBand> bands = {}) {
  Plot plot;
  PlotPanel panel{"", {"x"}, {"y"}, {}};
  panel.bars = std::move(bars);
  panel.bands = std::move(bands);
  plot.panels = {panel};
  return plot;
}

TEST(PlotBars, StandOnZeroAndAreAsHighAsTheirValues) {
  const std::string svg = to_svg(plot_with({{"a", {{0, 1, 2}, {1, 2, 4}, {2, 3, 0}, {3, 4, nan}}}}));
  const Frame frame = frame_of(svg);
  const auto areas = areas_of(svg);
  ASSERT_EQ(areas.size(), 1U);
  const auto bars = pieces_of(areas[0]);
  ASSERT_EQ(bars.size(), 2U) << "nothing for zero and for what is no number";
  const auto height = [](const std::vector<PlotPoint>& bar) { return bar[2].y - bar[1].y; };
  EXPECT_NEAR(height(bars[1]), 2 * height(bars[0]), 0.2);
  EXPECT_NEAR(bars[0][2].y, frame.bottom, 0.1) << "the axis begins at zero";
  EXPECT_NEAR(bars[1][2].y, frame.bottom, 0.1);
  EXPECT_NEAR(bars[1][0].x - bars[0][1].x, 1, 0.2) << "a gap of a pixel";
  EXPECT_EQ(count(svg, ">a<"), 1U) << "legend";
}

TEST(PlotBars, MayHangBelowZero) {
  const std::string svg = to_svg(plot_with({{"", {{0, 1, 2}, {1, 2, -2}}}}));
  const auto bars = pieces_of(areas_of(svg).at(0));
  EXPECT_NEAR(bars[0][2].y, bars[1][0].y, 0.2);
  EXPECT_NEAR(bars[0][2].y - bars[0][1].y, bars[1][2].y - bars[1][1].y, 0.2);
}

TEST(PlotBars, StandOnTheEndOfALogarithmicAxis) {
  Plot plot = plot_with({{"", {{0, 1, 1}, {1, 2, 10}, {2, 3, 100}, {3, 4, 0}}}});
  plot.panels[0].y.is_logarithmic = true;
  const std::string svg = to_svg(plot);
  const auto bars = pieces_of(areas_of(svg).at(0));
  ASSERT_EQ(bars.size(), 3U);
  EXPECT_NEAR(bars[0][0].y - bars[1][0].y, bars[1][0].y - bars[2][0].y, 0.2);
  for (const auto& bar : bars) EXPECT_GE(bar[2].y, frame_of(svg).bottom);
  EXPECT_EQ(count(svg, ">4.0<"), 1U) << "an empty bar has its place";
}

TEST(PlotBars, AMillionAreASmallDocument) {
  PlotBars bars;
  for (int i = 0; i < 1000000; ++i) bars.bars.push_back({1.0 * i, 1.0 * i + 1, i == 500 ? 50.0 : 1.0 + i % 7});
  const std::string svg = to_svg(plot_with({bars}));
  EXPECT_LT(svg.size(), 60000U);
  const auto pieces = pieces_of(areas_of(svg).at(0));
  EXPECT_GT(pieces.size(), 430U);
  const Frame frame = frame_of(svg);
  EXPECT_NEAR((frame.bottom - pieces[0][0].y) / (frame.bottom - pieces[10][0].y), 50 / 7.0, 0.1)
      << "the highest counts";
}

TEST(PlotBands, AreTheAreaBetweenTwoCurves) {
  PlotBand band{"a", {{0, 0, 4}, {1, 1, 3}, {2, 0, 4}}};
  const std::string svg = to_svg(plot_with({}, {band}));
  const Frame frame = frame_of(svg);
  const auto areas = areas_of(svg);
  ASSERT_EQ(areas.size(), 1U);
  EXPECT_EQ(areas[0].number("fill-opacity"), 0.25);
  const auto pieces = pieces_of(areas[0]);
  ASSERT_EQ(pieces.size(), 1U);
  ASSERT_EQ(pieces[0].size(), 6U);
  const auto& corner = pieces[0];
  EXPECT_NEAR(corner[4].y - corner[1].y, (corner[5].y - corner[0].y) / 2, 0.2) << "half as high in the middle";
  EXPECT_NEAR(corner[1].x - corner[0].x, corner[2].x - corner[1].x, 0.2);
  EXPECT_NEAR(corner[0].x, corner[5].x, 0.01);
  EXPECT_GT(corner[0].y, frame.top - 0.1);
  EXPECT_LT(corner[5].y, frame.bottom + 0.1);
}

TEST(PlotBands, AreBrokenAtGaps) {
  PlotBand band{"", {{0, 0, 1}, {1, 0, 1}, {2, nan, 1}, {3, 0, 1}, {4, 0, 1}, {5, 0, nan}, {6, 0, 1}}};
  EXPECT_EQ(pieces_of(areas_of(to_svg(plot_with({}, {band}))).at(0)).size(), 2U) << "one place alone is no area";
}

TEST(PlotBands, ReachDownToALogarithmicAxis) {
  Plot plot = plot_with({}, {{"", {{0, 1, 100}, {1, 0, 100}, {2, -5, 100}, {3, 1, -1}, {4, 1, 10}}}});
  plot.panels[0].y.is_logarithmic = true;
  const std::string svg = to_svg(plot);
  const auto pieces = pieces_of(areas_of(svg).at(0));
  ASSERT_EQ(pieces.size(), 1U);
  ASSERT_EQ(pieces[0].size(), 6U);
  EXPECT_GT(pieces[0][3].y, frame_of(svg).bottom);
  EXPECT_GT(pieces[0][4].y, frame_of(svg).bottom);
  EXPECT_LT(pieces[0][5].y, frame_of(svg).bottom);
}

TEST(PlotBands, TheLegendShowsThemAsDarkAsTheyAre) {
  PlotBand wide{"wide", {{0, 0, 4}, {1, 0, 4}}}, narrow{"narrow", {{0, 1, 2}, {1, 1, 2}}};
  narrow.lies_on = 1;
  const std::string svg = to_svg(plot_with({}, {wide, narrow}));
  std::multiset<double> strengths;
  for (const Element& path : named(svg, "path")) strengths.insert(path.number("fill-opacity"));
  ASSERT_EQ(strengths.size(), 4U);
  EXPECT_EQ(strengths.count(0.25), 3U);
  EXPECT_NEAR(*strengths.rbegin(), 1 - 0.75 * 0.75, 1e-3) << "one over the other";
}

TEST(PlotBands, ManyPlacesAreASmallDocument) {
  PlotBand band;
  for (int i = 0; i < 1000000; ++i) band.spans.push_back({1.0 * i, -1.0 - i % 3, i == 7 ? 90.0 : 1.0 + i % 5});
  const std::string svg = to_svg(plot_with({}, {band}));
  EXPECT_LT(svg.size(), 60000U);
  const auto piece = pieces_of(areas_of(svg).at(0)).at(0);
  EXPECT_LT(piece[0].y, frame_of(svg).top + 40) << "the outermost counts";
}

TEST(PlotAreas, AnyNumbersMakeAPicture) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double numbers[] = {nan, infinity, -infinity, 0, 1e308, -1e308, 5e-324, 1e300, 1};
  for (const bool is_logarithmic : {false, true}) {
    PlotBars bars;
    PlotBand band;
    for (const double a : numbers) {
      for (const double b : numbers) {
        bars.bars.push_back({a, b, 1});
        bars.bars.push_back({0, 1, a});
        band.spans.push_back({a, b, 2});
        band.spans.push_back({1, a, b});
      }
    }
    Plot plot = plot_with({bars}, {band});
    plot.panels[0].x.is_logarithmic = plot.panels[0].y.is_logarithmic = is_logarithmic;
    for (const auto low : {std::optional<double>(), std::optional<double>(0.5)}) {
      plot.panels[0].x.low = plot.panels[0].y.low = low;
      if (low) plot.panels[0].x.high = plot.panels[0].y.high = 0.5000001;
      const std::string svg = to_svg(plot);
      elements_of(svg);
      EXPECT_EQ(count(svg, "nan") + count(svg, "=\"inf") + count(svg, "=\"-inf"), 0U);
    }
  }
  EXPECT_EQ(count(to_svg(plot_with({{"", {}}}, {{"", {}}})), "nothing to draw"), 1U);
}

Plot coloured(std::vector<double> values, PlotMarker marker) {
  PlotSeries series;
  series.line = PlotLine::none;
  series.marker = marker;
  for (std::size_t i = 0; i < values.size(); ++i) series.points.push_back({1.0 * static_cast<double>(i), 1});
  series.values = std::move(values);
  Plot plot;
  plot.panels = {{"", {"x"}, {"y"}, {series}}};
  return plot;
}

TEST(ColouredPoints, HaveTheColoursOfTheirValues) {
  const std::string svg = to_svg(coloured({10, nan, 0, 5}, PlotMarker::circle));
  std::map<double, std::string> by_place;
  for (const Element& circle : named(svg, "circle")) by_place[circle.number("cx")] = circle.attributes.at("fill");
  std::vector<std::string> colours;
  for (const auto& [x, colour] : by_place) colours.push_back(colour);
  const auto& palette = value_palette(PlotTheme::light);
  EXPECT_EQ(colours, (std::vector<std::string>{to_text(palette.back()), style_of(PlotTheme::light).missing,
                                               to_text(palette.front()), to_text(palette[127])}));
  EXPECT_EQ(named(svg, "linearGradient").size(), 1U);
  EXPECT_EQ(count(svg, ">no value<"), 1U);
}

TEST(ColouredPoints, HighValuesLieOnTop) {
  const auto circles = named(to_svg(coloured({10, nan, 0, 5}, PlotMarker::circle)), "circle");
  ASSERT_EQ(circles.size(), 4U);
  const auto& palette = value_palette(PlotTheme::light);
  EXPECT_EQ(circles.back().attributes.at("fill"), to_text(palette.back()));
  EXPECT_EQ(circles.front().attributes.at("fill"), style_of(PlotTheme::light).missing);
}

TEST(ColouredPoints, ManyDotsAreASmallDocument) {
  std::vector<double> values;
  for (int i = 0; i < 200000; ++i) values.push_back(std::sin(i));
  Plot plot = coloured(values, PlotMarker::dot);
  for (int i = 0; i < 200000; ++i) {
    plot.panels[0].series[0].points[static_cast<std::size_t>(i)] = {std::cos(3.0 * i), std::cos(1.7 * i)};
  }
  plot.panels[0].series[0].marker_size = 3;
  const std::string svg = to_svg(plot);
  elements_of(svg);
  EXPECT_LT(svg.size(), 1200000U);
  EXPECT_LE(named(svg, "path").size(), static_cast<std::size_t>(colour_levels));
}

TEST(ColouredPoints, AsManyValuesAsPoints) {
  Plot plot = coloured({1, 2, 3}, PlotMarker::circle);
  plot.panels[0].series[0].values.pop_back();
  EXPECT_THROW(to_svg(plot), InputError);
}

TEST(ColouredPoints, WithoutAnyValueThereIsNoColourBar) {
  const std::string svg = to_svg(coloured({nan, nan}, PlotMarker::circle));
  EXPECT_EQ(named(svg, "linearGradient").size(), 0U);
  EXPECT_EQ(named(svg, "circle").size(), 2U);
}

TEST(LogarithmicAxes, HaveNoTicksBelowAFixedEnd) {
  Plot plot;
  plot.panels = {{"", {"x"}, {"y", true}, {{"", {{0, 2e-12}, {1, 1}}}}}};
  plot.panels[0].y.low = 1.3e-12;
  const std::string svg = to_svg(plot);
  const Frame frame = frame_of(svg);
  for (const Element& line : named(svg, "line")) EXPECT_LE(line.number("y1"), frame.bottom + 0.01);
}

TEST(PlotAreas, ArePng) {
  if (!can_draw_png()) GTEST_SKIP() << "built without librsvg";
  Plot plot = plot_with({{"bars", {{0, 1, 2}, {1, 2, 4}}}}, {{"band", {{0, 0, 4}, {1, 1, 3}, {2, 0, 4}}}});
  const std::string both = to_png(plot, 1);
  plot.panels[0].bands[0].strength = 0.5;
  EXPECT_NE(to_png(plot, 1), both);
}

}  // namespace
}  // namespace noslip

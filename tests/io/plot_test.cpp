// Pictures: well-formed whatever the labels and values are, round numbers at the axes, nothing outside of the page.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/io/plot.hpp>

#include "support/svg_reading.hpp"

namespace noslip {
namespace {

using namespace svg_reading;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

PlotPanel panel_with(std::vector<PlotPoint> points, bool is_logarithmic) {
  PlotSeries series;
  series.label = "a";
  series.points = std::move(points);
  series.marker = PlotMarker::circle;
  return {"", {"x", is_logarithmic}, {"y", is_logarithmic}, {series}};
}

Plot plot_with(std::vector<PlotPoint> points, bool is_logarithmic) {
  Plot plot;
  plot.panels = {panel_with(std::move(points), is_logarithmic)};
  return plot;
}

/// The legend has one marker too.
std::size_t drawn_points(const std::string& svg) { return count(svg, "<circle") - 1; }

TEST(Plot, DrawsPointsAndLines) {
  const std::string svg = to_svg(plot_with({{1, 2}, {2, 3}, {3, 5}}, false));
  elements_of(svg);
  EXPECT_EQ(drawn_points(svg), 3U);
  EXPECT_EQ(count(svg, "<polyline"), 1U);
}

TEST(Plot, PutsValuesWhereTheyBelong) {
  // On logarithmic axes 1, 10, 100 are equally far apart; y grows upwards.
  const std::string svg = to_svg(plot_with({{1, 1}, {10, 10}, {100, 100}}, true));
  std::vector<double> x, y;
  for (const Element& circle : named(svg, "circle")) {
    x.push_back(circle.number("cx"));
    y.push_back(circle.number("cy"));
  }
  ASSERT_GE(x.size(), 3U);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.02);
  EXPECT_NEAR(y[1] - y[0], y[2] - y[1], 0.02);
  EXPECT_GT(x[1], x[0] + 100);
  EXPECT_LT(y[1], y[0] - 100);
}

TEST(Plot, EscapesEveryText) {
  Plot plot = plot_with({{1, 2}, {2, 3}}, false);
  const std::string evil = "a < b & \"c\" > 'd' \x01 \n \xff\xc3 \xce\xb8 <script>";
  plot.title = plot.subtitle = evil;
  PlotPanel& panel = plot.panels[0];
  panel.title = panel.x.label = panel.y.label = evil;
  panel.series[0].label = panel.series[0].end_text = evil;
  const std::string svg = to_svg(plot);
  elements_of(svg);
  EXPECT_EQ(count(svg, "<script>"), 0U);
  EXPECT_EQ(count(svg, "a &lt; b &amp; &quot;c&quot; &gt; 'd'"), 7U);
  EXPECT_EQ(count(svg, "?? \xce\xb8"), 7U) << "bytes that are no text are replaced, Greek letters are kept";
}

TEST(Plot, LeavesOutWhatCannotBeDrawn) {
  const std::vector<PlotPoint> points{{1, 1}, {2, nan}, {nan, 3}, {3, infinity}, {4, 4},
                                      {5, 5}, {6, -1},  {7, 0},   {-8, 8}};
  const std::string linear = to_svg(plot_with(points, false));
  elements_of(linear);
  EXPECT_EQ(drawn_points(linear), 6U);
  EXPECT_EQ(count(linear, "nan"), 0U);
  EXPECT_EQ(count(linear, "inf"), 0U);
  EXPECT_EQ(count(linear, "<polyline"), 1U) << "a line is broken at a gap, and one point makes no line";
  const std::string logarithmic = to_svg(plot_with(points, true));
  elements_of(logarithmic);
  EXPECT_EQ(drawn_points(logarithmic), 3U);
}

TEST(Plot, IsAPictureEvenWithNothingInIt) {
  elements_of(to_svg({}));
  for (const bool is_logarithmic : {false, true}) {
    for (const std::vector<PlotPoint>& points : {std::vector<PlotPoint>{},
                                                 {{nan, nan}},
                                                 {{1, 1}},
                                                 {{0, 0}},
                                                 {{1, 5}, {2, 5}},
                                                 {{3, 1}, {3, 2}},
                                                 {{1e-300, 1e300}, {1e300, 1e-300}},
                                                 {{5e-324, 1}, {1e308, -1e308}},
                                                 {{1e8, 1e8}, {1e8 + 1e-7, 1e8 + 1e-7}}}) {
      const std::string svg = to_svg(plot_with(points, is_logarithmic));
      elements_of(svg);
      EXPECT_EQ(count(svg, "nan"), 0U);
      EXPECT_EQ(count(svg, "inf"), 0U);
      EXPECT_LT(svg.size(), 100000U);
    }
  }
  EXPECT_EQ(count(to_svg(plot_with({}, true)), "nothing to draw"), 1U);
}

TEST(Plot, GuidesDoNotChangeTheRange) {
  Plot plot = plot_with({{0.01, 1e-4}, {0.1, 1e-2}}, true);
  const auto ticks = [](const std::string& svg) { return count(svg, "<tspan"); };
  const std::size_t before = ticks(to_svg(plot));
  PlotSeries guide;
  guide.is_guide = true;
  guide.points = {{1e-9, 1e-20}, {10, 1e10}};
  guide.end_text = "slope 2";
  plot.panels[0].series.push_back(guide);
  EXPECT_EQ(ticks(to_svg(plot)), before);
  EXPECT_EQ(count(to_svg(plot), "slope 2"), 0U) << "its ends are outside";
  plot.panels[0].series.back().points = {{0.1, 5e-3}, {0.02, 2e-4}};
  EXPECT_EQ(count(to_svg(plot), "slope 2"), 1U);
}

TEST(Plot, PanelsShareALegendThatStaysOnThePage) {
  Plot plot;
  plot.title = "many";
  for (int p = 0; p < 3; ++p) {
    PlotPanel panel{"panel", {"x"}, {"y"}, {}};
    for (int i = 0; i < 40; ++i) {
      PlotSeries series;
      series.label = "a-method-with-a-long-name:" + std::to_string(i);
      series.points = {{0, 1.0 * i}, {1, 2.0 * i}};
      series.colour = i;
      panel.series.push_back(series);
    }
    plot.panels.push_back(panel);
  }
  const std::string svg = to_svg(plot);
  elements_of(svg);
  EXPECT_EQ(count(svg, "a-method-with-a-long-name:7<"), 1U);
  const Element page = elements_of(svg).front();
  int entries = 0;
  for (const Element& text : named(svg, "text")) {
    if (!text.text.starts_with("a-method")) continue;
    EXPECT_LT(text.number("x") + 28 * 7, page.number("width"));
    EXPECT_LT(text.number("y"), page.number("height"));
    ++entries;
  }
  EXPECT_EQ(entries, 40);
}

TEST(PlotTicks, AreRoundNumbersThatHoldTheValues) {
  const PlotTicks ticks = plot_ticks(0.13, 9.7, false, 6);
  EXPECT_EQ(ticks.low, 0);
  EXPECT_EQ(ticks.high, 10);
  ASSERT_EQ(ticks.ticks.size(), 6U);
  EXPECT_EQ(ticks.ticks[1].value, 2);
  EXPECT_EQ(ticks.ticks[1].text, "2");
  EXPECT_EQ(plot_ticks(-0.3, 0.1, false, 6).ticks.front().text, "-0.3");
  const PlotTicks far = plot_ticks(1000000.1, 1000000.2, false, 4);
  EXPECT_NE(far.ticks[0].text, far.ticks[1].text) << "enough digits to tell them apart";
}

TEST(PlotTicks, ArePowersOfTenOnALogarithmicAxis) {
  const PlotTicks ticks = plot_ticks(3e-9, 3e-2, true, 9);
  std::vector<std::string> numbers;
  for (const PlotTicks::Tick& tick : ticks.ticks) {
    if (!tick.text.empty()) numbers.push_back(tick.text);
  }
  EXPECT_EQ(numbers, (std::vector<std::string>{"10^-8", "10^-7", "10^-6", "10^-5", "10^-4", "10^-3", "10^-2"}));
  EXPECT_LT(ticks.low, 3e-9);
  EXPECT_GT(ticks.high, 3e-2);
}

TEST(PlotTicks, AreSensibleForAnyRange) {
  for (const bool is_logarithmic : {false, true}) {
    for (const double least : {1e-290, 1e-20, 0.0125, 0.3, 7.0, 1e5, 1e290}) {
      for (const double factor : {1.0, 1.0001, 1.5, 2.0, 4.0, 32.0, 1e3, 1e8, 1e9}) {
        const PlotTicks result = plot_ticks(least, least * factor, is_logarithmic, 7);
        SCOPED_TRACE(testing::Message() << least << " times " << factor << " log " << is_logarithmic);
        EXPECT_LE(result.low, least);
        EXPECT_GE(result.high, least * factor);
        std::size_t numbers = 0;
        for (std::size_t i = 0; i < result.ticks.size(); ++i) {
          EXPECT_TRUE(i == 0 || result.ticks[i].value > result.ticks[i - 1].value);
          EXPECT_GE(result.ticks[i].value, result.low * (1 - 1e-12));
          EXPECT_LE(result.ticks[i].value, result.high * (1 + 1e-12));
          numbers += result.ticks[i].text.empty() ? 0 : 1;
        }
        EXPECT_GE(numbers, 1U);
        EXPECT_LE(numbers, 9U);
      }
    }
  }
}

TEST(Plot, IsWrittenToAFileOnce) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "noslip-plot-test.svg";
  std::filesystem::remove(file);
  const Plot plot = plot_with({{1, 2}, {2, 3}}, false);
  write_plot(plot, file, false);
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  EXPECT_EQ(text.str(), to_svg(plot));
  EXPECT_THROW(write_plot(plot, file, false), FileError);
  EXPECT_NO_THROW(write_plot(plot, file, true));
  std::filesystem::remove(file);
}

TEST(Plot, AnAxisMayCoverMoreThanItsValues) {
  Plot plot;
  plot.panels = {{"", {"t"}, {"error", true, 1e6}, {{"a", {{0, 1e-16}, {1, 2e-16}}}}}};
  const std::string wide = to_svg(plot);
  plot.panels[0].y.least_quotient = 1;
  const std::string narrow = to_svg(plot);
  const auto exponents = [](const std::string& text) { return count(text, ">10<"); };  // `10` with a raised exponent
  EXPECT_GE(exponents(wide), 4U) << wide;
  EXPECT_LE(exponents(narrow), 1U) << narrow;
}

TEST(Plot, ANoteStandsUnderThePanel) {
  Plot plot;
  plot.panels = {{"", {"t"}, {"error", true}, {{"a", {{0, 1}, {1, 2}}}}, "zero is drawn at 1e-17"}};
  EXPECT_EQ(count(to_svg(plot), "zero is drawn at 1e-17"), 1U);
}

}  // namespace
}  // namespace noslip

// Plots of ensembles: what the builders make of plain numbers.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/io/ensemble_plot.hpp>

#include "support/svg_reading.hpp"

namespace noslip {
namespace {

using namespace svg_reading;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Build>
std::string refusal(Build build) {
  try {
    build();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(CurveOver, IsALineThroughPointsInOrder) {
  const Plot plot = curve_over({"speed [m/s]", {3, 1, 2, nan}}, {"growth", {30, 10, 20, 5}});
  const PlotPanel& panel = plot.panels.at(0);
  EXPECT_EQ(panel.x.label, "speed [m/s]");
  EXPECT_EQ(panel.y.label, "growth");
  const auto& points = panel.series.at(0).points;
  ASSERT_EQ(points.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(points[i].y, 10 * points[i].x);
  EXPECT_EQ(points[0].x, 1);
  EXPECT_NE(panel.series[0].marker, PlotMarker::none);
  EXPECT_NE(refusal([] { curve_over({"a", {1, 2}}, {"b", {1}}); }).find("b: 1 values for 2 of a"), std::string::npos);
}

TEST(CurveOver, HasGapsAndShowsWhatStandsAlone) {
  const std::string svg = to_svg(curve_over({"a", {1, 2, 3, 4, 5, 6, 7}}, {"b", {1, 2, nan, 4, nan, 6, 7}}));
  EXPECT_EQ(count(svg, "<polyline"), 2U);
  EXPECT_EQ(count(svg, "<circle"), 5U);
  PlotValues many{"a", {}}, values{"b", {}};
  for (int i = 0; i < 1001; ++i) {
    many.values.push_back(i);
    values.values.push_back(i % 2 == 0 ? i : nan);
  }
  EXPECT_EQ(count(to_svg(curve_over(many, values)), "h0"), 501U) << "dots where there is no line";
}

TEST(MapOver, CellsReachHalfWayToTheirNeighbours) {
  const Plot plot = map_over({"x", {0, 1, 3}}, {"y", {1, 10, 100}, true}, {"v", {1, 2, 3, 4, 5, 6, 7, 8, 9}, true});
  const PlotMap& map = plot.panels.at(0).map.value();
  EXPECT_EQ(map.x_edges, (std::vector{-0.5, 0.5, 2.0, 4.0}));
  ASSERT_EQ(map.y_edges.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(std::log10(map.y_edges[i]), -0.5 + static_cast<double>(i), 1e-12) << "on a logarithmic axis";
  }
  EXPECT_EQ(map.values, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_TRUE(plot.panels[0].colours.is_logarithmic);
  EXPECT_EQ(plot.panels[0].colours.label, "v");
}

TEST(MapOver, OneRowOrOneColumnIsAMap) {
  for (const double place : {0.0, 3.0, -2.5, 1e-9, 1e9}) {
    const std::string row = to_svg(map_over({"x", {0, 1, 2}}, {"y", {place}}, {"v", {1, 2, 3}}));
    const std::string column = to_svg(map_over({"x", {place}}, {"y", {0, 1, 2}}, {"v", {1, 2, 3}}));
    const std::string one = to_svg(map_over({"x", {place}}, {"y", {place}}, {"v", {7}}));
    EXPECT_EQ(count(row, "crispEdges"), 3U) << place;
    EXPECT_EQ(count(column, "crispEdges"), 3U) << place;
    EXPECT_EQ(count(one, "crispEdges"), 1U) << place;
    elements_of(one);
  }
  EXPECT_EQ(count(to_svg(map_over({"x", {5}, true}, {"y", {2}}, {"v", {7}})), "crispEdges"), 1U);
}

TEST(MapOver, RefusesWhatIsNoGrid) {
  const PlotValues v{"v", {1, 2, 3, 4}}, y{"y", {1, 2}};
  EXPECT_NE(refusal([&] { map_over({"x", {1, 2, 3}}, y, v); }).find("4 values for a map of 3 x 2"), std::string::npos);
  EXPECT_NE(refusal([&] { map_over({"x", {2, 1}}, y, v); }).find("number 2 is 1"), std::string::npos);
  EXPECT_NE(refusal([&] { map_over({"x", {1, 1}}, y, v); }).find("number 2 is 1"), std::string::npos);
  EXPECT_NE(refusal([&] { map_over({"x", {1, nan}}, y, v); }).find("number 2 is nan"), std::string::npos);
  EXPECT_NE(refusal([&] { map_over({"x", {0, 1}, true}, y, v); }).find("positive"), std::string::npos);
  EXPECT_NE(refusal([&] { map_over({"x", {}}, y, {"v", {}}); }).find("x: there is nothing"), std::string::npos);
}

TEST(HistogramOf, HasABarForEachPartAndGreyOnesOutside) {
  const Plot plot = histogram_of({"spin", -1, 1, {1, 2, 3, 4}, 5, 0});
  const PlotPanel& panel = plot.panels.at(0);
  ASSERT_EQ(panel.bars.size(), 2U);
  ASSERT_EQ(panel.bars[0].bars.size(), 4U);
  EXPECT_EQ(panel.bars[0].bars[1].low, -0.5);
  EXPECT_EQ(panel.bars[0].bars[1].high, 0);
  EXPECT_EQ(panel.bars[0].bars[1].height, 2);
  EXPECT_EQ(panel.bars[0].bars.front().low, -1);
  EXPECT_EQ(panel.bars[0].bars.back().high, 1);
  ASSERT_EQ(panel.bars[1].bars.size(), 1U);
  EXPECT_EQ(panel.bars[1].bars[0].low, -1.5);
  EXPECT_EQ(panel.bars[1].bars[0].height, 5);
  EXPECT_EQ(count(to_svg(plot), "outside: 5 below -1<"), 1U);
  EXPECT_EQ(count(to_svg(histogram_of({"spin", -1, 1, {1, 2}, 5, 7})), "outside: 5 below -1, 7 above 1<"), 1U);
  EXPECT_EQ(count(to_svg(histogram_of({"spin", -1, 1, {1, 2}})), "outside"), 0U);
}

TEST(HistogramOf, AnyRangeAndCountsMakeAPicture) {
  for (const bool is_logarithmic : {false, true}) {
    for (const auto& [low, high] :
         {std::pair(-1e308, 1e308), {0.0, 5e-324}, {1.0, std::nextafter(1.0, 2.0)}, {-3.0, 3.0}}) {
      for (const std::uint64_t most : {std::uint64_t(0), std::uint64_t(1), ~std::uint64_t(0)}) {
        const std::string svg = to_svg(histogram_of({"a", low, high, {0, most, 1}, most, 0, is_logarithmic}));
        elements_of(svg);
        EXPECT_EQ(count(svg, "nan"), 0U);
      }
    }
  }
  EXPECT_NE(refusal([] { histogram_of({"a", 1, 1, {1}}); }).find("from 1 to 1"), std::string::npos);
  EXPECT_NE(refusal([] { histogram_of({"a", 0, nan, {1}}); }).find("from 0 to nan"), std::string::npos);
  EXPECT_NE(refusal([] { histogram_of({"a", 0, 1, {}}); }).find("0 parts"), std::string::npos);
}

PlotFan fan_with(const std::vector<double>& levels) {
  PlotFan fan{"theta [rad]", {0, 1, 2}, levels, {}};
  for (const double level : levels) fan.values.push_back({level, 2 * level, 3 * level});
  return fan;
}

TEST(FanOf, BandsAreNestedAroundTheMedian) {
  const Plot plot = fan_of(fan_with({0.05, 0.25, 0.5, 0.75, 0.95}));
  const PlotPanel& panel = plot.panels.at(0);
  ASSERT_EQ(panel.bands.size(), 2U);
  EXPECT_EQ(panel.bands[0].label, "5 % to 95 %");
  EXPECT_EQ(panel.bands[1].label, "25 % to 75 %");
  EXPECT_EQ(panel.bands[1].lies_on, 1);
  EXPECT_EQ(panel.bands[0].spans.at(2).low, 3 * 0.05);
  EXPECT_EQ(panel.bands[0].spans.at(2).high, 3 * 0.95);
  EXPECT_EQ(panel.bands[1].spans.at(1).high, 2 * 0.75);
  ASSERT_EQ(panel.series.size(), 1U);
  EXPECT_EQ(panel.series[0].label, "median");
  EXPECT_EQ(panel.series[0].points.at(2).y, 1.5);
  EXPECT_EQ(panel.x.label, "t");
  elements_of(to_svg(plot));
}

TEST(FanOf, LevelsWithoutAPartnerAreLines) {
  const auto labels = [](const std::vector<double>& levels) {
    std::vector<std::string> result;
    const Plot plot = fan_of(fan_with(levels));
    for (const PlotBand& band : plot.panels[0].bands) result.push_back(band.label);
    for (const PlotSeries& series : plot.panels[0].series) result.push_back(series.label);
    return result;
  };
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels({0.01, 0.1, 0.5, 0.9, 0.995}), (Labels{"10 % to 90 %", "median", "1 %", "99.5 %"}));
  EXPECT_EQ(labels({0.1, 0.2}), (Labels{"10 %", "20 %"}));
  EXPECT_EQ(labels({0.8, 0.9}), (Labels{"80 %", "90 %"}));
  EXPECT_EQ(labels({0, 1}), (Labels{"0 % to 100 %"}));
  EXPECT_EQ(labels({0.1, 0.9, 0.95, 0.99}), (Labels{"10 % to 90 %", "95 %", "99 %"}));
  EXPECT_EQ(labels({0.01, 0.05, 0.1, 0.9}), (Labels{"10 % to 90 %", "1 %", "5 %"}));
  EXPECT_EQ(labels({0.5}), (Labels{"median"}));
  EXPECT_EQ(labels({0.1, 0.3, 0.6, 0.7, 0.9}), (Labels{"10 % to 90 %", "30 % to 70 %", "60 %"}));
  EXPECT_EQ(labels({1 - 0.9, 0.9}), (Labels{"10 % to 90 %"})) << "levels may have rounding errors";
  EXPECT_EQ(labels({}), Labels{});
  const Plot plot = fan_of(fan_with({0.1, 0.2}));
  EXPECT_NE(plot.panels[0].series[0].line, plot.panels[0].series[1].line) << "they can be told apart";
}

TEST(FanOf, RefusesWhatDoesNotFit) {
  EXPECT_NE(refusal([] { fan_of(fan_with({0.5, 0.1})); }).find("number 2 is 0.1"), std::string::npos);
  EXPECT_NE(refusal([] { fan_of(fan_with({0.5, 1.1})); }).find("number 2 is 1.1"), std::string::npos);
  EXPECT_NE(refusal([] { fan_of(fan_with({nan})); }).find("number 1 is nan"), std::string::npos);
  PlotFan fan = fan_with({0.1, 0.9});
  fan.values[1].pop_back();
  EXPECT_NE(refusal([&] { fan_of(fan); }).find("2 values for 3 times"), std::string::npos);
  fan.values.pop_back();
  EXPECT_NE(refusal([&] { fan_of(fan); }).find("1 curves for 2 levels"), std::string::npos);
}

TEST(ScatterOver, OneVariedNameGivesPointsTwoGiveColours) {
  const PlotValues x{"x0", {3, 1, 2}}, y{"v0", {1, 5, 2}, true}, v{"distance", {7, nan, 9}};
  const Plot one = scatter_over(x, v);
  EXPECT_EQ(one.panels.at(0).series.at(0).line, PlotLine::none);
  EXPECT_EQ(count(to_svg(one), "<circle"), 2U);
  EXPECT_TRUE(one.panels[0].series[0].values.empty());
  const Plot two = scatter_over(x, y, v);
  EXPECT_EQ(two.panels.at(0).series.at(0).points.at(1).y, 5);
  EXPECT_EQ(two.panels[0].series[0].values.at(2), 9);
  EXPECT_EQ(two.panels[0].colours.label, "distance");
  EXPECT_TRUE(two.panels[0].y.is_logarithmic);
  EXPECT_EQ(count(to_svg(two), "<circle"), 3U) << "the one without a value is grey";
  EXPECT_EQ(count(to_svg(two), "linearGradient id"), 1U);
  EXPECT_NE(refusal([&] { scatter_over(x, {"v", {1}}); }).find("1 values for 3 of x0"), std::string::npos);
  EXPECT_NE(refusal([&] { scatter_over(x, y, {"v", {1}}); }).find("1 values for 3 of x0"), std::string::npos);
  EXPECT_NE(refusal([&] { scatter_over(x, {"w", {1}}, v); }).find("w: 1 values for 3 of x0"), std::string::npos);
}

TEST(EnsemblePlots, LabelsAreEscaped) {
  const std::string evil = "a < b & \"c\" <script>";
  for (const Plot& plot : {curve_over({evil, {1, 2}}, {evil, {1, 2}}), map_over({evil, {1}}, {evil, {1}}, {evil, {1}}),
                           histogram_of({evil, 0, 1, {1}}), fan_of({evil, {0, 1}, {0.5}, {{1, 2}}}),
                           scatter_over({evil, {1}}, {evil, {1}}, {evil, {1}})}) {
    const std::string svg = to_svg(plot);
    elements_of(svg);
    EXPECT_EQ(count(svg, "<script>"), 0U);
    EXPECT_GE(count(svg, "&lt;script&gt;"), 1U);
  }
}

}  // namespace
}  // namespace noslip

// Pictures of runs: what is kept of millions of steps, which panels there are, what is refused.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/io/run_plot.hpp>

#include "io/curves.hpp"

namespace noslip {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(TimeCurve, KeepsEverythingOfShortRuns) {
  TimeCurve curve(0, 10);
  for (int i = 0; i <= 100; ++i) curve.add(0.1 * i, std::sin(i));
  const auto points = curve.points();
  ASSERT_EQ(points.size(), 101U);
  for (int i = 0; i <= 100; ++i) EXPECT_EQ(points[static_cast<std::size_t>(i)].y, std::sin(i));
}

TEST(TimeCurve, KeepsTheExtremesOfLongOnes) {
  TimeCurve curve(0, 1000);
  for (int i = 0; i <= 1000000; ++i) curve.add(1e-3 * i, i == 777777 ? 5 : i == 333333 ? -7 : std::sin(0.1 * i));
  curve.add(1000.0001, nan);
  const auto points = curve.points();
  EXPECT_LE(points.size(), 2U * TimeCurve::default_spans + 2);
  EXPECT_GE(points.size(), 2U * TimeCurve::default_spans - 10);
  const auto [least, most] =
      std::minmax_element(points.begin(), points.end(), [](PlotPoint a, PlotPoint b) { return a.y < b.y; });
  EXPECT_EQ(least->y, -7);
  EXPECT_NEAR(least->x, 333.333, 1e-9);
  EXPECT_EQ(most->y, 5);
  EXPECT_EQ(points.front().x, 0);
  EXPECT_NEAR(points.back().x, 1000, 1e-9);
  for (std::size_t i = 1; i < points.size(); ++i) EXPECT_LT(points[i - 1].x, points[i].x);
}

TEST(PathCurve, DrawsEveryPlaceOnce) {
  PathCurve path;
  for (int i = 0; i < 500000; ++i) path.add({3 + 2 * std::cos(0.01 * i), 1e-3 * std::sin(0.01 * i)});
  const auto points = path.points();
  EXPECT_LT(points.size(), 60000U) << "some eight hundred turns of 628 points";
  EXPECT_GT(points.size(), 600U);
  double right = 0, high = 0;
  for (const PlotPoint& point : points) {
    if (std::isnan(point.x)) continue;
    EXPECT_NEAR(std::pow((point.x - 3) / 2, 2) + std::pow(point.y * 1e3, 2), 1, 1e-9) << "points of the path itself";
    right = std::max(right, point.x);
    high = std::max(high, point.y);
  }
  EXPECT_NEAR(right, 5, 1e-4);
  EXPECT_NEAR(high, 1e-3, 1e-7);
}

TEST(PathCurve, FollowsAPathThatGoesFarAway) {
  PathCurve path;
  for (int i = 0; i < 30000; ++i) path.add({0, 0});  // does not move at first
  for (int i = 0; i <= 100000; ++i) path.add({1e-3 * i, -1e6 * std::sqrt(i)});
  path.add({nan, 1});
  path.add({1, HUGE_VAL});
  const auto points = path.points();
  EXPECT_LT(points.size(), 40000U);
  EXPECT_NEAR(points.back().x, 100, 0.2) << "not further than a place of the grid";
  double x = -1;
  for (const PlotPoint& point : points) {
    if (std::isnan(point.x)) continue;
    EXPECT_GE(point.x, x);
    x = point.x;
  }
}

System skate() {
  return System::parse(
      "name = 'skate'\ncoordinates = ['x', 'y', 'theta']\nlagrangian = \"(x'^2 + y'^2 + theta'^2)/2 - x\"\n"
      "constraints = [\"y'*cos(theta) = x'*sin(theta)\"]\n[invariants]\nspin = \"theta'\"\n"
      "[initial]\nv = [1, 0, 2]");
}

Plot plot_of_run(const System& system, const std::string& show, RunOptions options = {}) {
  const std::vector<double> parameters = system.parameter_values();
  RunPlot picture(system, parameters, show, 0, 10);
  options.step = 0.1;
  options.until = 10;
  options.every = 1;
  options.sink = [&](const Sample& sample) { picture.add(sample); };
  return picture.plot(integrate(system, options));
}

TEST(RunPlot, ShowsEnergyConstraintsAndCoordinates) {
  const Plot plot = plot_of_run(skate(), "");
  EXPECT_EQ(plot.title, "skate");
  EXPECT_NE(plot.subtitle.find("gauss:2"), std::string::npos);
  ASSERT_EQ(plot.panels.size(), 3U);
  EXPECT_EQ(plot.panels[0].y.label, "|E - E0|");
  EXPECT_TRUE(plot.panels[0].y.is_logarithmic);
  EXPECT_EQ(plot.panels[0].series.at(0).points.size(), 100U);
  EXPECT_NE(plot.panels[1].y.label.find("constraint"), std::string::npos);
  EXPECT_TRUE(plot.panels[1].y.is_logarithmic);
  ASSERT_EQ(plot.panels[2].series.size(), 3U);
  EXPECT_EQ(plot.panels[2].series[2].label, "theta");
  const auto& theta = plot.panels[2].series[2].points;
  ASSERT_EQ(theta.size(), 101U);
  EXPECT_NEAR(theta.back().y, 20, 1e-9) << "it turns with the speed 2";
  EXPECT_FALSE(plot.panels[2].y.is_logarithmic);
}

TEST(RunPlot, ShowsWhatIsAskedFor) {
  const Plot plot = plot_of_run(skate(), "theta', x:y, invariants,velocities,multipliers,lambda1,spin,t:x");
  ASSERT_EQ(plot.panels.size(), 8U);
  EXPECT_EQ(plot.panels[0].y.label, "theta'");
  EXPECT_NEAR(plot.panels[0].series.at(0).points.back().y, 2, 1e-9);
  EXPECT_EQ(plot.panels[1].x.label, "x");
  EXPECT_EQ(plot.panels[1].y.label, "y");
  EXPECT_EQ(plot.panels[1].series.at(0).points.size(), 101U);
  EXPECT_EQ(plot.panels[2].series.at(0).label, "spin");
  EXPECT_TRUE(plot.panels[2].y.is_logarithmic);
  EXPECT_EQ(plot.panels[3].series.size(), 3U);
  EXPECT_EQ(plot.panels[4].series.at(0).label, "lambda1");
  EXPECT_NEAR(plot.panels[6].series.at(0).points.back().y, 2, 1e-9) << "the invariant itself";
  EXPECT_EQ(plot.panels[7].x.label, "t");
}

TEST(RunPlot, ScalesOfPathsAreEqualWhereTheyCanBe) {
  const System free = System::parse("coordinates = ['x', 'y']\nlagrangian = \"x'^2 + y'^2\"\n[initial]\nv = [1, 15]");
  EXPECT_TRUE(plot_of_run(free, "x:y").panels[0].has_equal_scales);
  const System steep = System::parse("coordinates = ['x', 'y']\nlagrangian = \"x'^2 + y'^2\"\n[initial]\nv = [1, 25]");
  EXPECT_FALSE(plot_of_run(steep, "x:y").panels[0].has_equal_scales);
  EXPECT_FALSE(plot_of_run(steep, "y:x'").panels[0].has_equal_scales) << "one does not change";
}

TEST(RunPlot, NamesOfTheSystemComeFirst) {
  const System odd = System::parse("coordinates = ['energy']\nlagrangian = \"energy'^2\"\n[initial]\nv = [3]");
  const Plot plot = plot_of_run(odd, "energy");
  EXPECT_FALSE(plot.panels[0].y.is_logarithmic);
  EXPECT_NEAR(plot.panels[0].series.at(0).points.back().y, 30, 1e-9);
}

TEST(RunPlot, RefusesAllWrongNamesAtOnce) {
  const System system = skate();
  const auto problems = [&](const std::string& show) {
    try {
      RunPlot(system, system.parameter_values(), show, 0, 1);
    } catch (const InputError& error) {
      std::string text;
      for (const Problem& problem : error.problems()) text += to_text(problem) + "\n";
      return text;
    }
    return std::string();
  };
  const std::string many = problems("tehta,enrgy,x:z,x:,a:b:c,,energy");
  for (const char* fragment : {"'tehta'", "did you mean 'theta'", "did you mean 'energy'", "'z' is not a name",
                               "expected two names", "between the commas"}) {
    EXPECT_NE(many.find(fragment), std::string::npos) << fragment << " in " << many;
  }
  EXPECT_EQ(problems("energy,x,theta'"), "");
  const System free = System::parse("name = 'free'\ncoordinates = ['x']\nlagrangian = \"x'^2\"");
  for (const char* missing : {"constraints", "invariants", "multipliers"}) {
    EXPECT_THROW(RunPlot(free, free.parameter_values(), missing, 0, 1), InputError) << missing;
  }
}

TEST(RunPlot, ManyCoordinatesAreNotAllDrawn) {
  std::string names, energy = "0";
  for (int i = 0; i < 14; ++i) {
    names += (i > 0 ? ", " : "") + ("'q" + std::to_string(i) + "'");
    energy += " + q" + std::to_string(i) + "'^2";
  }
  const System wide = System::parse("coordinates = [" + names + "]\nlagrangian = \"" + energy + "\"");
  const Plot plot = plot_of_run(wide, "");
  EXPECT_EQ(plot.panels.back().series.size(), 10U);
  EXPECT_NE(plot.panels.back().note.find("the first 10 of 14"), std::string::npos);
}

TEST(RunPlot, SaysThatARunHasFailed) {
  const System falling =
      System::parse("coordinates = ['x']\nlagrangian = \"x'^2/2 + 4*log(x)\"\n[initial]\nq = [1]\nv = [-1000]");
  const Plot plot = plot_of_run(falling, "");
  EXPECT_NE(plot.subtitle.find("failed at t = 0"), std::string::npos);
  EXPECT_NE(to_svg(plot).find("nothing to draw"), std::string::npos) << "no error after the first state";
}

}  // namespace
}  // namespace noslip

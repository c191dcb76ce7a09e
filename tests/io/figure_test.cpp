// Figures of papers: many points, grids, equal scales, fixed ranges, themes, raised exponents, and PNG.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/io/plot.hpp>

#include "io/plot_thinning.hpp"
#include "io/svg.hpp"

namespace noslip {
namespace {

namespace fs = std::filesystem;

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// All numbers that an expression with one group finds.
std::vector<double> numbers(const std::string& text, const std::string& expression) {
  std::vector<double> result;
  const std::regex regex(expression);
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    result.push_back(std::stod((*match)[1].str()));
  }
  return result;
}

PlotSeries orbit(double radius, int points) {
  PlotSeries series;
  series.line = PlotLine::none;
  series.marker = PlotMarker::dot;
  for (int i = 0; i < points; ++i) {
    const double angle = 2.4 * i;
    series.points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return series;
}

Plot one_panel(std::vector<PlotSeries> series) {
  Plot plot;
  plot.panels = {{"", {"x"}, {"y"}, std::move(series)}};
  return plot;
}

PlotSeries line_of(std::vector<PlotPoint> points) {
  PlotSeries series;
  series.points = std::move(points);
  return series;
}

TEST(Figure, ManyDotsAreOneShortPathPerSeries) {
  std::vector<PlotSeries> orbits;
  for (int i = 1; i <= 10; ++i) orbits.push_back(orbit(0.1 * i, 8000));
  Plot plot = one_panel(orbits);
  plot.panels[0].has_equal_scales = true;
  const std::string svg = to_svg(plot);
  EXPECT_EQ(count(svg, "<path"), 10U);
  EXPECT_LT(svg.size(), 150000U) << "80000 points";
  // The outermost circle has a radius of some 160 pixels: it is not closed with less than 1000 dots.
  EXPECT_GT(count(svg, "h0"), 5000U);
  EXPECT_LT(count(svg, "h0"), 25000U);
}

TEST(Figure, ThinnedDotsCoverWhatAllDotsCover) {
  const PlotBox box{10, 20, 100, 80};
  std::vector<SvgPoint> points;
  for (int i = 0; i < 50000; ++i)
    points.push_back({10 + std::fmod(i * 0.618034, 1) * 100, 20 + std::fmod(i * 0.414, 1) * 80});
  points.push_back({5, 5});
  const std::vector<SvgPoint> kept = thinned_dots(points, box);
  EXPECT_LE(kept.size(), 201U * 161U);
  const auto cell = [](SvgPoint point) { return std::pair(std::floor(2 * point.x), std::floor(2 * point.y)); };
  std::set<std::pair<double, double>> all, covered;
  for (const SvgPoint& point : kept) EXPECT_TRUE(covered.insert(cell(point)).second) << "twice on one half pixel";
  for (const SvgPoint& point : points) {
    if (box.holds(point)) all.insert(cell(point));
  }
  EXPECT_EQ(covered, all);
}

TEST(Figure, LongLinesKeepTheirPeaks) {
  std::vector<SvgPoint> points;
  for (int i = 0; i < 1000000; ++i) points.push_back({i * 4e-4, 100 + 50 * std::sin(i * 0.1)});
  points[123456].y = 3;
  points[654321].y = 197;
  const PlotBox box{0, 0, 400, 200};
  const auto pieces = thinned_line(points, box, true);
  std::size_t kept = 0;
  double high = 100, low = 100;
  for (const auto& piece : pieces) {
    kept += piece.size();
    for (const SvgPoint& point : piece) {
      high = std::min(high, point.y);
      low = std::max(low, point.y);
    }
  }
  EXPECT_LT(kept, 6U * 800U);
  EXPECT_EQ(high, 3);
  EXPECT_EQ(low, 197);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].front().x, points.front().x);
  EXPECT_EQ(pieces[0].back().x, points.back().x);
  for (std::size_t i = 1; i < pieces[0].size(); ++i) EXPECT_LT(pieces[0][i - 1].x, pieces[0][i].x) << "in order";
}

TEST(Figure, AMillionPointsMakeASmallFile) {
  std::vector<PlotPoint> points;
  for (int i = 0; i < 1000000; ++i) points.push_back({i * 1e-3, std::sin(i * 0.01) * std::cos(i * 1e-5)});
  EXPECT_LT(to_svg(one_panel({line_of(points)})).size(), 60000U);
  for (PlotPoint& point : points) point = {std::cos(7 * point.x) * (1 + 0.3 * point.y), std::sin(7.1 * point.x)};
  EXPECT_LT(to_svg(one_panel({line_of(points)})).size(), 3000000U) << "a path that fills an area";
}

TEST(Figure, ShortLinesAreNotThinned) {
  std::vector<SvgPoint> points;
  for (int i = 0; i < 100; ++i) points.push_back({10.0 + i, 50 + 10 * std::sin(i)});
  const auto pieces = thinned_line(points, {0, 0, 200, 100}, true);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].size(), points.size());
}

TEST(Figure, LinesAreCutAtTheBox) {
  const PlotBox box{0, 0, 100, 100};
  const std::vector<SvgPoint> points{{-1e300, 50}, {50, 50}, {50, 1e200}, {60, 1e200}, {60, 50}};
  const auto pieces = thinned_line(points, box, true);
  ASSERT_EQ(pieces.size(), 2U);
  for (const auto& piece : pieces) {
    for (const SvgPoint& point : piece) EXPECT_TRUE(box.holds(point, 21)) << point.x << ' ' << point.y;
  }
  EXPECT_TRUE(thinned_line(std::vector<SvgPoint>{{-50, -50}, {-40, -60}}, box, true).empty());
}

TEST(Figure, ACircleIsACircle) {
  std::vector<PlotPoint> points;
  for (int i = 0; i <= 360; ++i) points.push_back({3 + 0.1 * std::cos(i * 0.0174533), 0.1 * std::sin(i * 0.0174533)});
  Plot plot = one_panel({line_of(points)});
  const auto extent = [&] {
    const std::string svg = to_svg(plot);
    const std::string list = svg.substr(svg.find("<polyline"));
    const auto x = numbers(list, "[ \"]([0-9.]+),"), y = numbers(list, ",([0-9.]+)[ \"]");
    EXPECT_EQ(x.size(), 361U);
    return std::pair(*std::max_element(x.begin(), x.end()) - *std::min_element(x.begin(), x.end()),
                     *std::max_element(y.begin(), y.end()) - *std::min_element(y.begin(), y.end()));
  };
  plot.panels[0].has_equal_scales = true;
  EXPECT_NEAR(extent().first, extent().second, 0.1);
  EXPECT_GT(extent().first, 250);
  plot.panels[0].has_equal_scales = false;
  EXPECT_GT(extent().first, extent().second + 50);
  // A flat one keeps its scales, too: there the range grows, as the panel would become too low.
  plot.panels[0].has_equal_scales = true;
  for (PlotPoint& point : plot.panels[0].series[0].points) point.y /= 20;
  EXPECT_NEAR(extent().first, 20 * extent().second, 0.3);
}

TEST(Figure, EndsOfAnAxisMayBeFixed) {
  Plot plot = one_panel({line_of({{0, 0}, {1, 1e6}, {2, 0.5}, {3, -1e300}})});
  plot.panels[0].y.low = -1;
  plot.panels[0].y.high = 2;
  const std::string svg = to_svg(plot);
  EXPECT_EQ(count(svg, ">2.0<") + count(svg, ">2<"), 2U) << "at both axes";
  EXPECT_LT(svg.size(), 8000U) << "no number with 300 digits";
  for (const auto& [low, high] : {std::pair(5.0, 1.0), {std::nan(""), 1e9}, {-HUGE_VAL, HUGE_VAL}}) {
    plot.panels[0].y.low = low;
    plot.panels[0].y.high = high;
    EXPECT_EQ(count(to_svg(plot), "nan"), 0U) << "ends that make no sense";
  }
  plot.panels[0].y = {"y", true};
  plot.panels[0].y.low = -1;
  EXPECT_EQ(count(to_svg(plot), "nan"), 0U);
}

TEST(Figure, WhatIsCutOffDoesNotWidenTheOtherAxis) {
  Plot plot = one_panel({line_of({{0, 0}, {1, 1}, {1000, 50}})});
  plot.panels[0].y.high = 2;
  EXPECT_EQ(count(to_svg(plot), ">1000<"), 0U);
}

TEST(Figure, PanelsStandInAGrid) {
  Plot plot;
  for (int i = 0; i < 4; ++i) plot.panels.push_back({"", {"x"}, {"y"}, {line_of({{0, 0}, {1, std::pow(10, 3 * i)}})}});
  const auto places = [&](const char* which) {
    std::multiset<double> result;
    for (const double x : numbers(to_svg(plot), std::string("<rect ") + which + "=\"([0-9.]+)\"[^>]*fill=\"none\""))
      result.insert(x);
    return result;
  };
  for (const auto& [columns, across] : {std::pair(1, 1U), {2, 2U}, {3, 3U}, {4, 4U}, {9, 4U}, {0, 3U}}) {
    plot.columns = columns;
    const auto found = places("x");
    EXPECT_EQ(found.size(), 4U);
    EXPECT_EQ(std::set<double>(found.begin(), found.end()).size(), across) << columns;
  }
}

TEST(Figure, APanelMayHaveItsOwnLegend) {
  Plot plot;
  for (int i = 0; i < 2; ++i) {
    PlotSeries series = line_of({{0, 0}, {1, 1}});
    series.label = "same";
    plot.panels.push_back({"", {"x"}, {"y"}, {series}});
  }
  EXPECT_EQ(count(to_svg(plot), ">same<"), 1U);
  plot.has_panel_legends = true;
  EXPECT_EQ(count(to_svg(plot), ">same<"), 2U);
}

TEST(Figure, TheThemeChangesColoursOnly) {
  Plot plot = one_panel({line_of({{0, 0}, {1, 1}})});
  plot.title = "title";
  PlotSeries guide = line_of({{0, 0}, {1, 0.5}});
  guide.is_guide = true;
  guide.end_text = "slope";
  plot.panels[0].series.push_back(guide);
  const std::string light = to_svg(plot);
  plot.theme = PlotTheme::dark;
  const std::string dark = to_svg(plot);
  EXPECT_NE(light, dark);
  EXPECT_NE(light.find("fill=\"#ffffff\""), std::string::npos);
  EXPECT_EQ(dark.find("#ffffff"), std::string::npos);
  const std::regex colour("#[0-9a-f]{6}");
  EXPECT_EQ(std::regex_replace(light, colour, ""), std::regex_replace(dark, colour, ""));
  std::set<std::string> colours;
  for (int i = 0; i < plot_colours; ++i) {
    plot.panels[0].series[0].colour = i;
    colours.insert(to_svg(plot));
  }
  EXPECT_EQ(colours.size(), static_cast<std::size_t>(plot_colours));
}

TEST(Figure, ExponentsAreRaised) {
  Plot plot = one_panel({line_of({{0, 0}, {1, 1}})});
  const auto label = [&](const char* text) {
    plot.panels[0].x.label = text;
    const std::string svg = to_svg(plot);
    return std::regex_replace(svg.substr(svg.find(">x-label") == std::string::npos ? 0 : 0),
                              std::regex(" (dy|font-size)=\"[-0-9.]+\""), "");
  };
  EXPECT_EQ(
      count(label("h^4 and s^-1 in"), "h<tspan>4</tspan><tspan> and s</tspan><tspan>-1</tspan><tspan> in</tspan>"), 1U);
  EXPECT_EQ(count(label("h^{2s-2} x"), "h<tspan>2s-2</tspan><tspan> x</tspan>"), 1U);
  EXPECT_EQ(count(label("a^ b^"), ">a^ b^<"), 1U) << "nothing to raise";
  EXPECT_EQ(count(label("a^{b"), ">a^{b<"), 1U);
}

TEST(Figure, LongTextsAreBrokenOrShrunkNotCut) {
  Plot plot = one_panel({line_of({{0, 0}, {1, 1}})});
  std::string words;
  for (int i = 0; i < 30; ++i) words += "word" + std::to_string(i) + " ";
  plot.title = plot.subtitle = plot.panels[0].title = plot.panels[0].x.label = plot.panels[0].y.label = words;
  plot.panels[0].series[0].label = words;
  const std::string svg = to_svg(plot);
  EXPECT_EQ(count(svg, "word29"), 6U) << "nothing is lost";
  const double width = numbers(svg, "<svg [^>]*width=\"([0-9]+)\"").at(0);
  EXPECT_LT(width, 800) << "the page does not grow";
  const std::regex text(
      "<text x=\"([0-9.]+)\" y=\"[0-9.]+\" font-size=\"([0-9.]+)\" text-anchor=\"([a-z]+)\"[^>]*>([^<]*)<");
  for (std::sregex_iterator match(svg.begin(), svg.end(), text), end; match != end; ++match) {
    const double x = std::stod((*match)[1].str()), length = text_width((*match)[4].str(), std::stod((*match)[2].str()));
    const double right = (*match)[3] == "end" ? x : (*match)[3] == "middle" ? x + length / 2 : x + length;
    EXPECT_LE(right, width + 1) << (*match)[4];
    EXPECT_GE(right - length, -1) << (*match)[4];
  }
}

TEST(Figure, LongNumbersAreShortened) {
  const PlotTicks small = plot_ticks(-3e-7, 4e-7, false, 8);
  EXPECT_EQ(small.scaling, "×10^-7");
  EXPECT_EQ(small.ticks.front().text, "-3");
  const PlotTicks far = plot_ticks(1234567.1, 1234567.9, false, 6);
  EXPECT_EQ(far.scaling, "+ 1234500");
  EXPECT_EQ(far.ticks.front().text, "67.2");
  const PlotTicks both = plot_ticks(14.7150001, 14.7150002, false, 4);
  EXPECT_EQ(both.scaling, "×10^-7 + 14.715");
  EXPECT_EQ(both.ticks.front().text, "1.0");
  EXPECT_EQ(plot_ticks(0, 1000, false, 6).scaling, "");
  for (const PlotTicks::Tick& tick : plot_ticks(-1, 1, false, 9).ticks) EXPECT_NE(tick.text, "-0.0");
}

TEST(Figure, NumbersOfTheXAxisDoNotOverlap) {
  for (const double width : {100.0, 180.0, 430.0, 900.0}) {
    for (const double most : {1.0, 12345.0, 0.0123, 1e-9}) {
      Plot plot = one_panel({line_of({{0, 0}, {most, 1}})});
      plot.panel_width = width;
      const std::string svg = to_svg(plot);
      const std::regex text(
          "<text x=\"([0-9.]+)\" y=\"([0-9.]+)\" font-size=\"12\" text-anchor=\"middle\"[^>]*>([^<]*)<");
      double last = 0;
      int found = 0;
      for (std::sregex_iterator match(svg.begin(), svg.end(), text), end; match != end; ++match, ++found) {
        const double x = std::stod((*match)[1].str()), half = text_width((*match)[3].str(), 12) / 2;
        EXPECT_GT(x - half, last) << width << ' ' << most;
        last = x + half;
      }
      EXPECT_GE(found, 2);
    }
  }
}

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

unsigned big_endian(const std::string& bytes, std::size_t at) {
  unsigned value = 0;
  for (std::size_t i = at; i < at + 4; ++i) value = value * 256 + static_cast<unsigned char>(bytes.at(i));
  return value;
}

TEST(Png, HasTwiceTheSizeOfTheSvg) {
  const Plot plot = one_panel({line_of({{0, 0}, {1, 1}})});
  if (!can_draw_png()) {
    EXPECT_THROW(to_png(plot), InputError);
    return;
  }
  const std::string svg = to_svg(plot), png = to_png(plot);
  EXPECT_EQ(png.substr(0, 8), std::string("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(big_endian(png, 16), 2 * numbers(svg, "<svg [^>]*width=\"([0-9]+)\"").at(0));
  EXPECT_EQ(big_endian(png, 20), 2 * numbers(svg, "<svg [^>]*height=\"([0-9]+)\"").at(0));
  EXPECT_EQ(big_endian(to_png(plot, 1), 16), numbers(svg, "<svg [^>]*width=\"([0-9]+)\"").at(0));
  EXPECT_GT(png.size(), 5000U) << "something is drawn";
}

TEST(Png, DrawsWhateverTheTextsAre) {
  if (!can_draw_png()) GTEST_SKIP() << "built without librsvg";
  Plot plot = one_panel({orbit(1, 1000), line_of({{0, 0}, {1, 1}})});
  plot.title = plot.panels[0].x.label = "a < b & \"c\" \x01 \xff\xc3 \xce\xb8 h^{4} </svg>";
  plot.theme = PlotTheme::dark;
  EXPECT_GT(to_png(plot).size(), 5000U);
  EXPECT_GT(to_png({}).size(), 100U);
}

TEST(Png, TheEndingDecides) {
  const Plot plot = one_panel({line_of({{0, 0}, {1, 1}})});
  const fs::path folder = fs::path(testing::TempDir()) / "noslip-figure-test";
  fs::remove_all(folder);
  fs::create_directory(folder);
  write_plot(plot, folder / "a.svg", false);
  EXPECT_EQ(content(folder / "a.svg"), to_svg(plot));
  for (const char* name : {"a.pdf", "plain", "a.svg.gz", ".svg", "a.PNG"}) {
    try {
      write_plot(plot, folder / name, false);
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      EXPECT_NE(error.problems().at(0).remedy.find(".svg"), std::string::npos);
      EXPECT_NE(error.problems().at(0).what.find(name), std::string::npos);
    }
    EXPECT_FALSE(fs::exists(folder / name));
  }
  if (can_draw_png()) {
    write_plot(plot, folder / "a.png", false);
    EXPECT_TRUE(content(folder / "a.png").starts_with("\x89PNG"));
    EXPECT_THROW(write_plot(plot, folder / "a.png", false), FileError);
    write_plot(plot, folder / "a.png", true);
  } else {
    EXPECT_THROW(check_plot_file("a.png"), InputError);
  }
  fs::remove_all(folder);
}

TEST(Text, BytesThatAreNoCharactersBecomeQuestionMarks) {
  EXPECT_EQ(xml_escaped("\u03b8 < 1"), "\u03b8 &lt; 1");
  // A zero, a slash and a quote in more bytes than they need, the tail of a character, the head of one.
  EXPECT_EQ(xml_escaped(std::string_view("\xC0\x80", 2)), "??");
  EXPECT_EQ(xml_escaped("\xC0\xAF"), "??");
  EXPECT_EQ(xml_escaped("a\xC1\xA2z"), "a??z");
  EXPECT_EQ(xml_escaped("a\uFFFEb\uFFFFc\uFFFDd"), "a?b?c\uFFFDd");
  EXPECT_EQ(xml_escaped("\xED\xA0\x80"), "???");
  EXPECT_EQ(xml_escaped("\x80"), "?");
  EXPECT_EQ(xml_escaped("\xCE"), "?");
}

}  // namespace
}  // namespace noslip

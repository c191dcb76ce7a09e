// Maps: every cell is where its value is and has its colour, as areas and as a picture; large maps stay small.
#include <cmath>
#include <limits>
#include <random>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/io/plot.hpp>

#include "io/plot_colours.hpp"
#include "io/plot_style.hpp"
#include "png_reading.hpp"
#include "support/svg_reading.hpp"

namespace noslip {
namespace {

using namespace svg_reading;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Plot plot_of_map(PlotMap map) {
  Plot plot;
  PlotPanel panel{"", {"x"}, {"y"}, {}};
  panel.map = std::move(map);
  panel.colours.label = "value";
  plot.panels = {panel};
  return plot;
}

std::vector<double> steps(double from, double to, std::size_t count) {
  std::vector<double> result;
  for (std::size_t i = 0; i <= count; ++i) {
    result.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(count));
  }
  return result;
}

/// A different value in every cell, from 0 to 1.
PlotMap numbered(std::vector<double> x_edges, std::vector<double> y_edges) {
  const std::size_t count = (x_edges.size() - 1) * (y_edges.size() - 1);
  PlotMap map{std::move(x_edges), std::move(y_edges), {}};
  for (std::size_t i = 0; i < count; ++i) {
    map.values.push_back(count == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1));
  }
  return map;
}

struct Box {
  double left, top, right, bottom;
};

/// The area between the axes.
Box frame_of(const std::string& svg) {
  for (const Element& element : named(svg, "rect")) {
    if (!element.attributes.contains("fill") || element.attributes.at("fill") != "none") continue;
    const double x = element.number("x"), y = element.number("y");
    return {x, y, x + element.number("width"), y + element.number("height")};
  }
  ADD_FAILURE() << "no frame";
  return {};
}

struct Cell {
  std::string colour;
  Box box;
};

/// All rectangles of areas, in pixels.
std::vector<Cell> cells_of(const std::string& svg) {
  std::vector<Cell> cells;
  for (const Element& path : named(svg, "path")) {
    if (!path.attributes.contains("shape-rendering")) continue;
    const std::string& text = path.attributes.at("d");
    const std::regex rectangle("m(-?[0-9]+) ?(-?[0-9]+)h(-?[0-9]+)v(-?[0-9]+)h-?[0-9]+z");
    double x = 0, y = 0;
    std::size_t read = 0;
    for (std::sregex_iterator match(text.begin(), text.end(), rectangle), end; match != end; ++match) {
      const auto number = [&](std::size_t i) { return std::stod((*match)[i].str()) / 10; };
      x += number(1);
      y += number(2);
      cells.push_back({path.attributes.at("fill"), {x, y, x + number(3), y + number(4)}});
      read += match->length();
    }
    EXPECT_EQ(read, text.size()) << "nothing but rectangles";
  }
  return cells;
}

std::string colour_at(const std::vector<Cell>& cells, double x, double y) {
  std::string found;
  for (const Cell& cell : cells) {
    if (cell.box.left > x || x > cell.box.right || cell.box.top > y || y > cell.box.bottom) continue;
    EXPECT_EQ(found, "") << "one cell over another";
    found = cell.colour;
  }
  return found;
}

std::string shown(double share, PlotTheme theme = PlotTheme::light) {
  return to_text(value_palette(theme)[static_cast<std::size_t>(std::lround(share * (colour_levels - 1)))]);
}

IndexedImage image_in(const std::string& svg) {
  const auto images = named(svg, "image");
  EXPECT_EQ(images.size(), 1U);
  const std::string uri = images.at(0).attributes.at("href"), start = "data:image/png;base64,";
  EXPECT_TRUE(uri.starts_with(start));
  return png_reading::image_of(png_reading::from_base64(uri.substr(start.size())));
}

TEST(PlotMap, EveryCellIsWhereItsValueIs) {
  const std::string svg = to_svg(plot_of_map(numbered({0, 1, 3, 4}, {-1, 1, 2})));
  const Box frame = frame_of(svg);
  const auto cells = cells_of(svg);
  EXPECT_EQ(cells.size(), 6U);
  // The axes end with the map: 4 across, 3 up. Row by row from below.
  const double middles_x[] = {0.5, 2, 3.5}, middles_y[] = {0, 1.5};
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 3; ++column) {
      const double x = frame.left + (frame.right - frame.left) * middles_x[column] / 4;
      const double y = frame.bottom - (frame.bottom - frame.top) * (middles_y[row] + 1) / 3;
      EXPECT_EQ(colour_at(cells, x, y), shown((3 * row + column) / 5.0)) << row << ' ' << column;
    }
  }
  std::set<double> lefts, tops;
  for (const Cell& cell : cells) {
    lefts.insert(cell.box.left);
    tops.insert(cell.box.top);
  }
  ASSERT_EQ(lefts.size(), 3U);
  EXPECT_NEAR(*std::next(lefts.begin()), frame.left + (frame.right - frame.left) / 4, 0.1);
  EXPECT_NEAR(*lefts.begin(), frame.left, 0.1);
  EXPECT_NEAR(*tops.rbegin(), frame.bottom - (frame.bottom - frame.top) * 2 / 3, 0.1);
}

TEST(PlotMap, CellsOfLogarithmicAxesAreAsWideAsTheirLogarithms) {
  Plot plot = plot_of_map(numbered({1, 10, 1000}, {0, 1}));
  plot.panels[0].x.is_logarithmic = true;
  const std::string svg = to_svg(plot);
  const Box frame = frame_of(svg);
  const auto cells = cells_of(svg);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_NEAR(cells[0].box.right - cells[0].box.left, (frame.right - frame.left) / 3, 0.1);
  // A cell that reaches below zero cannot be drawn, which does not move the others.
  plot.panels[0].map = numbered({-1, 1, 10, 1000}, {0, 1});
  const auto colours = [](const std::string& text) {
    std::set<std::string> result;
    for (const Cell& cell : cells_of(text)) result.insert(cell.colour);
    return result;
  };
  EXPECT_EQ(colours(to_svg(plot)), (std::set{shown(0.5), shown(1)}));
  plot.panels[0].map = numbered({1, 10}, {-1, 1, 10, 1000});
  plot.panels[0].y.is_logarithmic = true;
  EXPECT_EQ(colours(to_svg(plot)), (std::set{shown(0.5), shown(1)}));
}

TEST(PlotMap, NeighboursOfOneColourAreOneArea) {
  PlotMap map = numbered(steps(0, 1, 40), steps(0, 1, 40));
  for (std::size_t i = 0; i < map.values.size(); ++i) map.values[i] = i % 40 < 20 ? 1 : 2;
  EXPECT_EQ(cells_of(to_svg(plot_of_map(map))).size(), 80U);
}

/// Looks up the middle of every cell in the picture.
void check_image(const Plot& plot) {
  const PlotPanel& panel = plot.panels[0];
  const IndexedImage image = image_in(to_svg(plot));
  const auto share = [](double low, double high, const std::vector<double>& edges, bool is_logarithmic) {
    if (!is_logarithmic) return ((low + high) / 2 - edges.front()) / (edges.back() - edges.front());
    return std::log(std::sqrt(low * high) / edges.front()) / std::log(edges.back() / edges.front());
  };
  const std::vector<double>&x = panel.map->x_edges, &y = panel.map->y_edges;
  for (std::size_t row = 0; row + 1 < y.size(); ++row) {
    const double up = share(y[row], y[row + 1], y, panel.y.is_logarithmic);
    for (std::size_t column = 0; column + 1 < x.size(); ++column) {
      const double across = share(x[column], x[column + 1], x, panel.x.is_logarithmic);
      const auto pixel = static_cast<std::size_t>(across * static_cast<double>(image.width));
      const auto line = static_cast<std::size_t>((1 - up) * static_cast<double>(image.height));
      const double value = panel.map->values[row * (x.size() - 1) + column];
      const Rgb found = image.palette.at(image.pixels.at(line * image.width + pixel));
      ASSERT_EQ(to_text(found), std::isnan(value) ? style_of(plot.theme).missing : shown(value, plot.theme))
          << row << ' ' << column;
    }
  }
}

TEST(PlotMap, CellsOfAPictureAreWhereTheirValuesAre) {
  Plot plot = plot_of_map(numbered(steps(-1, 1, 60), steps(0, 5, 50)));
  plot.panels[0].map->values[1234] = nan;
  check_image(plot);
  plot.theme = PlotTheme::dark;
  check_image(plot);
  std::vector<double> uneven = steps(1, 9, 60);
  for (double& x : uneven) x *= x;
  plot.panels[0].map = numbered(uneven, steps(0, 5, 50));
  check_image(plot);
  for (double& x : uneven) x = std::exp2(x);
  plot.panels[0].map = numbered(uneven, steps(0, 5, 50));
  plot.panels[0].x.is_logarithmic = true;
  check_image(plot);
}

TEST(PlotMap, APictureHasTwoPixelsForOneOfThePage) {
  const std::string svg = to_svg(plot_of_map(numbered(steps(-1, 1, 60), steps(0, 5, 50))));
  const IndexedImage image = image_in(svg);
  const Box frame = frame_of(svg);
  EXPECT_EQ(static_cast<double>(image.width), 2 * (frame.right - frame.left));
  EXPECT_EQ(static_cast<double>(image.height), 2 * (frame.bottom - frame.top));
  const Element element = named(svg, "image").at(0);
  EXPECT_NEAR(element.number("x"), frame.left, 0.01);
  EXPECT_NEAR(element.number("y"), frame.top, 0.01);
  EXPECT_NEAR(element.number("width"), frame.right - frame.left, 0.01);
}

TEST(PlotMap, FixedAxesShowAPart) {
  for (const std::size_t count : {10U, 100U}) {
    Plot plot = plot_of_map(numbered(steps(0, 10, count), steps(0, 10, count)));
    plot.panels[0].x.low = 5;
    plot.panels[0].y.high = 5;
    const std::string svg = to_svg(plot);
    const Box frame = frame_of(svg);
    if (count == 10) {
      EXPECT_EQ(colour_at(cells_of(svg), frame.left + 1, frame.bottom - 1), shown(5 / 99.0));
    } else {
      const IndexedImage image = image_in(svg);
      EXPECT_EQ(to_text(image.palette.at(image.pixels.at((image.height - 1) * image.width))), shown(50 / 9999.0));
    }
  }
}

TEST(PlotMap, MissingValuesAreGreyAndExplained) {
  PlotMap map = numbered({0, 1, 2}, {0, 1, 2});
  const std::string grey = style_of(PlotTheme::light).missing;
  EXPECT_EQ(count(to_svg(plot_of_map(map)), "no value"), 0U);
  EXPECT_EQ(count(to_svg(plot_of_map(map)), grey), 0U);
  for (const double missing : {nan, infinity, -infinity}) {
    map.values[2] = missing;
    const std::string svg = to_svg(plot_of_map(map));
    const Box frame = frame_of(svg);
    EXPECT_EQ(colour_at(cells_of(svg), frame.left + 5, frame.top + 5), grey);
    EXPECT_EQ(count(svg, ">no value<"), 1U);
  }
  map.values.assign(4, nan);
  const std::string svg = to_svg(plot_of_map(map));
  EXPECT_EQ(cells_of(svg).size(), 2U) << "two rows";
  EXPECT_EQ(count(svg, "linearGradient"), 0U) << "no colour bar";
  Plot logarithmic = plot_of_map(numbered({0, 1, 2}, {0, 1, 2}));
  logarithmic.panels[0].colours.is_logarithmic = true;
  EXPECT_EQ(count(to_svg(logarithmic), ">no value<"), 1U) << "zero";
}

TEST(PlotMap, TheColourBarIsOnThePageWithItsLabelAndNumbers) {
  Plot plot = plot_of_map(numbered(steps(0, 1, 5), steps(0, 1, 5)));
  plot.panels[0].colours.label = "a label that is far too long for one line beside the bar and therefore is broken";
  for (const double scale : {1.0, 1e-9, 1e9}) {
    for (double& value : plot.panels[0].map->values) value *= scale;
    const std::string svg = to_svg(plot);
    const Element page = elements_of(svg).front();
    const Box frame = frame_of(svg);
    int numbers = 0;
    for (const Element& text : named(svg, "text")) {
      if (text.attributes.contains("transform")) {
        const std::string& transform = text.attributes.at("transform");
        EXPECT_LT(std::stod(transform.substr(transform.find('(') + 1)), page.number("width") - 3);
      } else if (text.number("x") > frame.right + 20) {
        EXPECT_LT(text.number("x") + 12, page.number("width"));
        ++numbers;
      }
    }
    EXPECT_GE(numbers, 3);
    EXPECT_EQ(count(svg, "broken"), 1U);
    EXPECT_EQ(named(svg, "linearGradient").size(), 1U);
  }
}

TEST(PlotMap, EveryColourBarOfAPageHasItsOwnName) {
  Plot plot = plot_of_map(numbered({0, 1, 2}, {0, 1, 2}));
  plot.panels.push_back(plot.panels[0]);
  std::set<std::string> names;
  for (const Element& gradient : named(to_svg(plot), "linearGradient")) names.insert(gradient.attributes.at("id"));
  EXPECT_EQ(names.size(), 2U);
}

TEST(PlotMap, AMillionCellsAreASmallDocument) {
  PlotMap map{steps(0, 1, 1000), steps(0, 1, 1000), {}};
  for (int i = 0; i < 1000000; ++i) map.values.push_back(std::sin(0.01 * (i % 1000)) * std::cos(0.007 * (i / 1000)));
  EXPECT_LT(to_svg(plot_of_map(map)).size(), 250000U);
  // Noise cannot be compressed: a byte for each pixel, in base 64.
  std::mt19937 random(1);
  for (double& value : map.values) value = static_cast<double>(random());
  EXPECT_LT(to_svg(plot_of_map(map)).size(), 2U * 430 * 2 * 341 * 4 / 3 + 20000U);
  // Two regions, as of a basin.
  for (std::size_t i = 0; i < map.values.size(); ++i) map.values[i] = i % 1000 * (i / 1000) < 250000 ? 0 : 1;
  EXPECT_LT(to_svg(plot_of_map(map)).size(), 40000U);
}

TEST(PlotMap, AnyValuesMakeAPicture) {
  for (const bool is_logarithmic : {false, true}) {
    for (const std::vector<double>& ends : {std::vector{0.0, 0.0},
                                            {1.0, 1.0},
                                            {1e-300, 1e300},
                                            {5e-324, 1e308},
                                            {-1e308, 1e308},
                                            {-1e-320, 1e-320},
                                            {1.0, std::nextafter(1.0, 2.0)},
                                            {nan, 1.0}}) {
      for (const std::size_t side : {1U, 3U, 60U}) {
        Plot plot = plot_of_map({steps(-1, 1, side), steps(1e8, 1e8 + 1, side), {}});
        plot.panels[0].colours.is_logarithmic = is_logarithmic;
        for (std::size_t i = 0; i < side * side; ++i) plot.panels[0].map->values.push_back(ends[i % 2]);
        const std::string svg = to_svg(plot);
        elements_of(svg);
        EXPECT_EQ(count(svg, "nan") + count(svg, "=\"inf") + count(svg, "=\"-inf"), 0U);
      }
    }
  }
}

TEST(PlotMap, AnyEdgesMakeAPicture) {
  for (const bool is_logarithmic : {false, true}) {
    for (const std::vector<double>& edges : {std::vector{0.0, 0.0},
                                             {1.0, 1.0, 1.0},
                                             {-1e308, 0.0, 1e308},
                                             {1e-320, 2e-320},
                                             {-infinity, 1.0, 2.0, infinity},
                                             {1.0, std::nextafter(1.0, 2.0)},
                                             {-2.0, -1.0},
                                             {1e8, 1e8 + 1e-7}}) {
      Plot plot = plot_of_map(numbered(edges, edges));
      plot.panels[0].x.is_logarithmic = plot.panels[0].y.is_logarithmic = is_logarithmic;
      const std::string svg = to_svg(plot);
      elements_of(svg);
      EXPECT_EQ(count(svg, "nan") + count(svg, "=\"inf") + count(svg, "=\"-inf"), 0U);
      plot.panels[0].has_equal_scales = true;
      elements_of(to_svg(plot));
    }
  }
}

TEST(PlotMap, WhatDoesNotFitIsRefused) {
  const auto refuses = [](PlotMap map, const std::string& with) {
    try {
      to_svg(plot_of_map(std::move(map)));
      ADD_FAILURE() << with;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(with), std::string::npos) << error.what();
    }
  };
  refuses({{0, 1, 2}, {0, 1}, {1}}, "3 x edges, 2 y edges and 1 values");
  refuses({{}, {}, {}}, "0 x edges");
  refuses({{0, 2, 1}, {0, 1}, {1, 2}}, "2 is followed by 1");
  refuses({{0, 1}, {0, nan}, {1}}, "nan");
}

TEST(PlotMap, ThemesDifferInColoursOnly) {
  Plot plot = plot_of_map(numbered(steps(0, 1, 5), steps(0, 1, 5)));
  const std::string light = to_svg(plot);
  plot.theme = PlotTheme::dark;
  const std::string dark = to_svg(plot);
  const std::regex colour("#[0-9a-f]{6}");
  EXPECT_NE(light, dark);
  EXPECT_EQ(std::regex_replace(light, colour, ""), std::regex_replace(dark, colour, ""));
}

TEST(PlotMap, PngShowsThePictureInTheDocument) {
  if (!can_draw_png()) GTEST_SKIP() << "built without librsvg";
  for (const std::size_t side : {5U, 100U}) {
    Plot plot = plot_of_map(numbered(steps(0, 1, side), steps(0, 1, side)));
    const std::string png = to_png(plot, 1);
    EXPECT_TRUE(png.starts_with("\x89PNG"));
    // Other values with the same range change nothing but the cells.
    std::reverse(plot.panels[0].map->values.begin(), plot.panels[0].map->values.end());
    EXPECT_NE(to_png(plot, 1), png) << side;
  }
}

}  // namespace
}  // namespace noslip

// Colours of values: lightness grows evenly, and so does the way through all colours; missing values look different.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "io/plot_colours.hpp"
#include "io/plot_style.hpp"

namespace noslip {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Lab {
  double lightness, a, b;
};

double light_of(std::uint8_t part) {
  const double bent = part / 255.0;
  return bent <= 0.04045 ? bent / 12.92 : std::pow((bent + 0.055) / 1.055, 2.4);
}

/// The other direction of what the library does, with the matrices that Ottosson prints for it.
Lab oklab_of(Rgb colour) {
  const double r = light_of(colour.red), g = light_of(colour.green), b = light_of(colour.blue);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

double distance(const Lab& x, const Lab& y) { return std::hypot(x.lightness - y.lightness, x.a - y.a, x.b - y.b); }

/// Luminance decides lightness in CIELAB.
double luminance(Rgb colour) {
  return 0.2126 * light_of(colour.red) + 0.7152 * light_of(colour.green) + 0.0722 * light_of(colour.blue);
}

class Palette : public ::testing::TestWithParam<PlotTheme> {};
INSTANTIATE_TEST_SUITE_P(Themes, Palette, ::testing::Values(PlotTheme::light, PlotTheme::dark));

// Screens have 255 steps per part. Rounding moves a grey of lightness L by at most half a step; where L grows fastest
// with the parts (dark colours, a slope of 1.1 from black to white) that is 1.1 * 0.5 / 255.
constexpr double rounding = 0.0022;

TEST_P(Palette, LightnessGrowsEvenly) {
  const auto& palette = value_palette(GetParam());
  const double first = oklab_of(palette.front()).lightness, last = oklab_of(palette.back()).lightness;
  EXPECT_GT(last - first, 0.55) << "there is something to tell apart";
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double even = first + (last - first) * static_cast<double>(i) / (colour_levels - 1);
    EXPECT_NEAR(oklab_of(palette[i]).lightness, even, 2 * rounding) << i << ": it and the ends are rounded";
  }
}

TEST_P(Palette, LightnessNeverFalls) {
  const auto& palette = value_palette(GetParam());
  // A level is worth 0.0023 to 0.0026, so that rounding alone may turn neighbours around, but not every second one.
  for (std::size_t i = 2; i < palette.size(); ++i) {
    EXPECT_GT(oklab_of(palette[i]).lightness, oklab_of(palette[i - 2]).lightness) << i;
    EXPECT_GT(luminance(palette[i]), luminance(palette[i - 2])) << i << ": CIELAB";
  }
}

TEST_P(Palette, EqualStepsLookEquallyLarge) {
  const auto& palette = value_palette(GetParam());
  constexpr std::size_t step = 127 / 7;
  std::vector<double> lengths;
  for (std::size_t i = 0; i + step < palette.size(); i += step) {
    lengths.push_back(distance(oklab_of(palette[i]), oklab_of(palette[i + step])));
  }
  const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
  EXPECT_GT(*least, 0.05);
  // Both ends of a step are rounded; bends of the way make chords shorter than it by less than that.
  EXPECT_LT(*most - *least, 4 * rounding);
}

TEST_P(Palette, NoColourIsCutOffAtTheEndOfWhatScreensShow) {
  // Colours that are cut off would be off the even way; here: none has two parts at an end.
  for (const Rgb& colour : value_palette(GetParam())) {
    int at_end = 0;
    for (const std::uint8_t part : {colour.red, colour.green, colour.blue}) at_end += part == 0 || part == 255 ? 1 : 0;
    EXPECT_LE(at_end, 1) << to_text(colour);
  }
}

TEST_P(Palette, MissingValuesAndThePageLookDifferent) {
  const PlotStyle& style = style_of(GetParam());
  const Lab missing = oklab_of(rgb_of(style.missing)), page = oklab_of(rgb_of(style.page));
  EXPECT_LT(std::hypot(missing.a, missing.b), 0.02) << "neutral";
  EXPECT_GT(distance(missing, page), 0.1);
  for (const Rgb& colour : value_palette(GetParam())) {
    EXPECT_GT(distance(oklab_of(colour), missing), 0.08) << to_text(colour);
    EXPECT_GT(distance(oklab_of(colour), page), 0.08) << to_text(colour);
  }
}

PlotPanel panel_with_values(std::vector<double> values, bool is_logarithmic) {
  PlotPanel panel;
  PlotSeries series;
  series.points.resize(values.size());
  series.values = std::move(values);
  panel.series = {series};
  panel.colours.is_logarithmic = is_logarithmic;
  return panel;
}

TEST(ColourScale, EndsAreTheEndsOfThePalette) {
  const PlotPanel panel = panel_with_values({3, nan, -1, 1}, false);
  const ColourScale scale(panel, 340);
  EXPECT_TRUE(scale.has_missing());
  EXPECT_EQ(scale.level_of(-1), 0);
  EXPECT_EQ(scale.level_of(3), colour_levels - 1);
  EXPECT_EQ(scale.level_of(1), (colour_levels - 1) / 2);
  EXPECT_EQ(scale.level_of(nan), ColourScale::missing);
  EXPECT_EQ(scale.level_of(infinity), ColourScale::missing);
  EXPECT_EQ(scale.ticks().low, -1);
  EXPECT_EQ(scale.ticks().high, 3);
}

TEST(ColourScale, LogarithmsAreEvenlySpaced) {
  const PlotPanel panel = panel_with_values({1e-8, 1e-4, 1, 0, -1}, true);
  const ColourScale scale(panel, 340);
  EXPECT_TRUE(scale.has_missing()) << "zero";
  EXPECT_EQ(scale.level_of(1e-8), 0);
  EXPECT_EQ(scale.level_of(1e-4), (colour_levels - 1) / 2);
  EXPECT_EQ(scale.level_of(0), ColourScale::missing);
  EXPECT_EQ(scale.level_of(-5), ColourScale::missing);
}

TEST(ColourScale, TicksAreOnTheBar) {
  // A little more than a power of ten, which must not have a tick under the bar; and many others.
  for (const bool is_logarithmic : {false, true}) {
    for (const double low : {1.26e-12, 1e-3, 0.7, 3.0}) {
      for (const double factor : {1.0, 1.01, 3.0, 1e3, 1e10}) {
        const PlotPanel panel = panel_with_values({low, low * factor}, is_logarithmic);
        const ColourScale scale(panel, 340);
        EXPECT_FALSE(scale.ticks().ticks.empty());
        for (const PlotTicks::Tick& tick : scale.ticks().ticks) {
          EXPECT_GT(scale.share(tick.value), -1e-6) << low << ' ' << factor << ' ' << tick.value;
          EXPECT_LT(scale.share(tick.value), 1 + 1e-6) << low << ' ' << factor << ' ' << tick.value;
        }
      }
    }
  }
}

TEST(ColourScale, ValuesBeyondFixedEndsHaveTheColourOfTheEnd) {
  PlotPanel panel = panel_with_values({-1e300, 0.5, 1e308}, false);
  panel.colours.low = 0;
  panel.colours.high = 1;
  const ColourScale scale(panel, 340);
  EXPECT_FALSE(scale.has_missing());
  EXPECT_EQ(scale.level_of(-1e300), 0);
  EXPECT_EQ(scale.level_of(0.5), (colour_levels - 1) / 2);
  EXPECT_EQ(scale.level_of(1e308), colour_levels - 1);
}

TEST(ColourScale, OneValueIsInTheMiddle) {
  for (const bool is_logarithmic : {false, true}) {
    for (const double value : {1.0, 1e-300, 1e300, 5e-324, 1.7e308, 14.715}) {
      const PlotPanel panel = panel_with_values({value, value}, is_logarithmic);
      const ColourScale scale(panel, 340);
      EXPECT_GT(scale.level_of(value), 80) << value << ' ' << is_logarithmic;
      EXPECT_LT(scale.level_of(value), 170) << value << ' ' << is_logarithmic;
    }
  }
  const PlotPanel zero = panel_with_values({0}, false), nothing = panel_with_values({nan}, false);
  EXPECT_EQ(ColourScale(zero, 340).level_of(0), (colour_levels - 1) / 2);
  EXPECT_TRUE(ColourScale(nothing, 340).is_empty());
  EXPECT_TRUE(ColourScale(nothing, 340).has_missing());
}

}  // namespace
}  // namespace noslip

#include "io/plot_colours.hpp"

#include <algorithm>
#include <cmath>

namespace noslip {

namespace {

/// A colour of OKLab (Ottosson, "A perceptual color space for image processing", 2020).
struct OkLab {
  double lightness = 0, a = 0, b = 0;
};

double cube(double x) { return x * x * x; }

/// A part of a colour as screens have it, from one that is proportional to light.
std::uint8_t screen_part(double light) {
  const double inside = std::clamp(light, 0.0, 1.0);
  const double bent = inside <= 0.0031308 ? 12.92 * inside : 1.055 * std::pow(inside, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * bent));
}

Rgb to_rgb(const OkLab& colour) {
  const double l = cube(colour.lightness + 0.3963377774 * colour.a + 0.2158037573 * colour.b);
  const double m = cube(colour.lightness - 0.1055613458 * colour.a - 0.0638541728 * colour.b);
  const double s = cube(colour.lightness - 0.0894841775 * colour.a - 1.2914855480 * colour.b);
  return {screen_part(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          screen_part(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          screen_part(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/// A way through the colours: lightness from one end to the other, and a cubic Bezier curve in the plane of a and b.
/// The curves were sought so that screens can show all of it and the colours are as strong as that allows.
struct ColourPath {
  double darkest, lightest;
  std::array<double, 4> a, b;
};

constexpr ColourPath light_page{0.26, 0.91, {0.0793, -0.0011, -0.2001, -0.0603}, {-0.1002, -0.2485, 0.0436, 0.1853}};
constexpr ColourPath dark_page{0.34, 0.93, {0.1054, -0.0651, -0.2049, -0.0466}, {-0.1343, -0.1989, 0.0500, 0.1873}};

double bezier(const std::array<double, 4>& p, double t) {
  const double u = 1 - t;
  return u * u * u * p[0] + 3 * u * u * t * p[1] + 3 * u * t * t * p[2] + t * t * t * p[3];
}

std::array<Rgb, colour_levels> colours_along(const ColourPath& path) {
  // The curve as many short pieces, so that the colours can be laid at equal distances along it.
  constexpr int pieces = 4000;
  std::vector<double> length(pieces + 1, 0.0);
  const auto at = [&](int i) {
    const double t = static_cast<double>(i) / pieces;
    return PlotPoint{bezier(path.a, t), bezier(path.b, t)};
  };
  for (int i = 1; i <= pieces; ++i) {
    const PlotPoint from = at(i - 1), to = at(i);
    length[static_cast<std::size_t>(i)] =
        length[static_cast<std::size_t>(i - 1)] + std::hypot(to.x - from.x, to.y - from.y);
  }
  std::array<Rgb, colour_levels> result;
  for (std::size_t level = 0; level < result.size(); ++level) {
    const double share = static_cast<double>(level) / (colour_levels - 1);
    const auto place = std::lower_bound(length.begin(), length.end(), share * length.back());
    const PlotPoint point = at(static_cast<int>(std::min<std::ptrdiff_t>(place - length.begin(), pieces)));
    result[level] = to_rgb({path.darkest + share * (path.lightest - path.darkest), point.x, point.y});
  }
  return result;
}

/// Finite values that are too large or too small to be drawn count as the largest or smallest that can be.
double drawable(double value, const PlotAxis& axis) {
  if (!std::isfinite(value) || (axis.is_logarithmic && value <= 0)) return std::numeric_limits<double>::quiet_NaN();
  const double least = axis.is_logarithmic ? smallest_drawn_value : -largest_drawn_value;
  return std::clamp(value, least, largest_drawn_value);
}

}  // namespace

const std::array<Rgb, colour_levels>& value_palette(PlotTheme theme) {
  static const std::array<Rgb, colour_levels> on_light = colours_along(light_page), on_dark = colours_along(dark_page);
  return theme == PlotTheme::dark ? on_dark : on_light;
}

ColourScale::ColourScale(const PlotPanel& panel, double height) : axis_(panel.colours) {
  PlotRange range;
  const auto count = [&](double value) {
    const double drawn = drawable(value, axis_);
    if (std::isnan(drawn)) {
      has_missing_ = true;
    } else {
      range.add(drawn);
    }
  };
  if (panel.map) std::for_each(panel.map->values.begin(), panel.map->values.end(), count);
  for (const PlotSeries& series : panel.series) std::for_each(series.values.begin(), series.values.end(), count);
  if (range.is_empty()) return;
  is_empty_ = false;
  range.fix(axis_);
  ticks_ = vertical_ticks(range.least, range.most, axis_, height);
  if (!range.is_one_value()) cut_ticks(ticks_, axis_, range.least, range.most);
}

int ColourScale::level_of(double value) const {
  const double drawn = drawable(value, axis_);
  if (is_empty_ || std::isnan(drawn)) return missing;
  return static_cast<int>(std::lround(std::clamp(share(drawn), 0.0, 1.0) * (colour_levels - 1)));
}

}  // namespace noslip

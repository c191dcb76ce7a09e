// Colours that stand for values: a palette in which equal steps of the value look equally large, and its axis.
#pragma once

#include <array>

#include <noslip/io/plot.hpp>

#include "io/plot_range.hpp"
#include "io/png.hpp"

namespace noslip {

/// With a colour for missing values they fit into one byte.
constexpr int colour_levels = 255;

/// From dark violet over blue and green to light yellow. Lightness grows by the same amount from each colour to the
/// next, and so does the way through the other two coordinates of the colour space (OKLab), so that the values can be
/// read without seeing colours. On a dark page all are a little lighter.
const std::array<Rgb, colour_levels>& value_palette(PlotTheme theme);

/// The values of a panel that are shown by colours, from the lowest level to the highest.
class ColourScale {
 public:
  /// `height`: of the colour bar, in pixels. Keeps a reference to the panel.
  ColourScale(const PlotPanel& panel, double height);

  bool is_empty() const { return is_empty_; }        ///< there is no value to be shown: no colour bar
  bool has_missing() const { return has_missing_; }  ///< there are values that cannot be shown
  const PlotTicks& ticks() const { return ticks_; }
  /// 0 at the low end, 1 at the high end of the colour bar.
  double share(double value) const { return share_of(value, ticks_, axis_); }

  static constexpr int missing = -1;
  /// Below colour_levels, or `missing`.
  int level_of(double value) const;

 private:
  const PlotAxis& axis_;
  bool is_empty_ = true, has_missing_ = false;
  PlotTicks ticks_;
};

}  // namespace noslip

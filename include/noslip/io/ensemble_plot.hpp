// Plots of ensembles, from plain numbers: a value over the parameters that vary, its distribution, its quantiles over
// time.
//
//   const PlotValues speed{"speed [m/s]", {2, 4, 6}}, trail{"trail [m]", {0.05, 0.1}};
//   write_plot(map_over(speed, trail, {"growth [1/s]", {0.3, -0.1, 0.2, 0.4, -0.2, 0.1}}), "stability.svg", false);
//
// Values that are not finite (of members that have failed), or not positive on a logarithmic axis, are gaps in curves
// and grey in maps. InputError if numbers of values do not fit. Titles, themes and notes can be set in the result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <noslip/io/plot.hpp>

namespace noslip {

/// Numbers of one kind with the label of their axis.
struct PlotValues {
  std::string label;  ///< with its unit, for example "speed [m/s]"
  std::vector<double> values;
  bool is_logarithmic = false;
};

/// One value over one varied quantity: a line through points, in ascending order of x; one value for each x.
Plot curve_over(const PlotValues& x, const PlotValues& value);

/// One value over two varied quantities on a grid, as a map with a colour bar. `x` and `y` ascend, equally spaced or
/// not; the values come row by row: all x for the first y, then for the second. The cell of a value reaches half way to
/// its neighbours. Up to 1000 x 1000 values make a document of less than 1 MB.
Plot map_over(const PlotValues& x, const PlotValues& y, const PlotValues& value);

/// One value over a varied quantity, for members that are not on a grid: points.
Plot scatter_over(const PlotValues& x, const PlotValues& value);
/// The same over two: points in the colour of their value, with a colour bar.
Plot scatter_over(const PlotValues& x, const PlotValues& y, const PlotValues& value);

/// How often a value was found in each of equal parts of a range.
struct PlotHistogram {
  std::string label;         ///< of the value
  double low = 0, high = 1;  ///< ends of the range
  std::vector<std::uint64_t> counts;
  std::uint64_t below = 0, above = 0;  ///< outside of the range: grey bars beside it, one part wide
  bool is_logarithmic = false;         ///< the axis of the counts
};

Plot histogram_of(const PlotHistogram& histogram);

/// Quantiles of a value over time.
struct PlotFan {
  std::string label;                        ///< of the value
  std::vector<double> times;                ///< ascending
  std::vector<double> levels;               ///< ascending, between 0 and 1
  std::vector<std::vector<double>> values;  ///< for each level, one for each time
  bool is_logarithmic = false;              ///< the axis of the values
  std::string time_label = "t";
};

/// Levels that lie symmetrically around one half (0.05 and 0.95) are the ends of a band; narrower ones lie on wider
/// ones and are darker. The median is a line; every level without a partner is a dotted or dashed one.
Plot fan_of(const PlotFan& fan);

}  // namespace noslip

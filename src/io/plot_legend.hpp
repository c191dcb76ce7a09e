// The legend of a plot or a panel: in columns, below what it explains.
#pragma once

#include <string>
#include <vector>

#include "io/plot_style.hpp"
#include "io/svg.hpp"

namespace noslip {

class PlotLegend {
 public:
  /// Everything with a label; the same labels share an entry. Grey for missing values is explained where there are any.
  void add(const PlotPanel& panel);
  /// Fits the entries into a width.
  void arrange(double width);

  bool is_empty() const { return entries_.empty(); }
  double height() const;
  void draw(SvgWriter& svg, const PlotStyle& style, double left, double top) const;

 private:
  struct Entry {
    std::string label;
    const PlotSeries* series = nullptr;  ///< null: an area
    int colour = 0;                      ///< of an area; missing_colour: of missing values
    double strength = 1;                 ///< of an area
  };
  static constexpr int missing_colour = -1;

  void add_entry(Entry entry);
  static void draw_sample(SvgWriter& svg, const PlotStyle& style, const Entry& entry, double x, double y);

  std::vector<Entry> entries_;
  std::size_t columns_ = 1, lines_ = 0;
  double column_ = 0;  ///< width of a column
};

}  // namespace noslip

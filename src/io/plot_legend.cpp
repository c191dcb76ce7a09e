#include "io/plot_legend.hpp"

#include <algorithm>
#include <cmath>

namespace noslip {

namespace {

constexpr double sample_width = 26, legend_gap = 8, between = 20, line_distance = 20;

}  // namespace

void PlotLegend::add(const PlotPanel& panel) {
  for (const PlotSeries& series : panel.series) {
    const auto is_same = [&](const PlotSeries* known) { return known->label == series.label; };
    if (!series.label.empty() && std::none_of(entries_.begin(), entries_.end(), is_same)) entries_.push_back(&series);
  }
}

void PlotLegend::arrange(double width) {
  if (entries_.empty()) return;
  double widest = 0;
  for (const PlotSeries* entry : entries_) widest = std::max(widest, text_width(entry->label, text_size));
  column_ = sample_width + legend_gap + widest + between;
  columns_ = std::clamp<std::size_t>(static_cast<std::size_t>((width + between) / column_), 1, entries_.size());
  column_ = std::min(column_, (width + between) / static_cast<double>(columns_));
  lines_ = (entries_.size() + columns_ - 1) / columns_;
}

double PlotLegend::height() const { return static_cast<double>(lines_) * line_distance; }

void PlotLegend::draw(SvgWriter& svg, const PlotStyle& style, double left, double top) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const PlotSeries& series = *entries_[i];
    const double x = left + column_ * static_cast<double>(i / lines_);  // filled from top to bottom
    const double y = top + line_distance * (static_cast<double>(i % lines_) + 0.5);
    const SvgStroke stroke{colour_of(series, style), series.is_guide ? 1.0 : 1.8, dashes_of(series.line)};
    if (series.line != PlotLine::none) svg.line({x, y}, {x + sample_width, y}, stroke);
    const double least = series.marker == PlotMarker::dot ? 4 : 0;  // one dot alone would not be seen
    svg.marker({x + sample_width / 2, y}, series.marker, std::max(marker_size_of(series), least), stroke.colour);
    // A label that is wider than the page is written smaller, never cut.
    const double room = column_ - sample_width - legend_gap - between, width = text_width(series.label, text_size);
    const double size = width > room ? text_size * room / width : text_size;
    svg.text({x + sample_width + legend_gap, y + 4.5}, series.label, {size, SvgAnchor::start, false, style.text});
  }
}

}  // namespace noslip

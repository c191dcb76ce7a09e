#include "io/plot_legend.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/plot_colours.hpp"

namespace noslip {

namespace {

constexpr double sample_width = 26, legend_gap = 8, between = 20, line_distance = 20;

/// So much of the page is hidden by a band and those under it.
double strength_with_those_below(const PlotBand& band) { return 1 - std::pow(1 - band.strength, 1 + band.lies_on); }

}  // namespace

void PlotLegend::add_entry(Entry entry) {
  const auto is_same = [&](const Entry& known) { return known.label == entry.label; };
  if (entry.label.empty() || std::any_of(entries_.begin(), entries_.end(), is_same)) return;
  entries_.push_back(std::move(entry));
}

void PlotLegend::add(const PlotPanel& panel) {
  for (const PlotSeries& series : panel.series) add_entry({series.label, &series});
  for (auto band = panel.bands.rbegin(); band != panel.bands.rend(); ++band) {
    add_entry({band->label, nullptr, band->colour, strength_with_those_below(*band)});  // from the narrowest on
  }
  for (const PlotBars& bars : panel.bars) add_entry({bars.label, nullptr, bars.colour});
  if (ColourScale(panel, 1).has_missing()) add_entry({"no value", nullptr, missing_colour});
}

void PlotLegend::arrange(double width) {
  if (entries_.empty()) return;
  double widest = 0;
  for (const Entry& entry : entries_) widest = std::max(widest, text_width(entry.label, text_size));
  column_ = sample_width + legend_gap + widest + between;
  columns_ = std::clamp<std::size_t>(static_cast<std::size_t>((width + between) / column_), 1, entries_.size());
  column_ = std::min(column_, (width + between) / static_cast<double>(columns_));
  lines_ = (entries_.size() + columns_ - 1) / columns_;
}

double PlotLegend::height() const { return static_cast<double>(lines_) * line_distance; }

void PlotLegend::draw_sample(SvgWriter& svg, const PlotStyle& style, const Entry& entry, double x, double y) {
  if (entry.series == nullptr) {
    constexpr double half_height = 5.5;
    const std::vector<SvgPoint> corners{{x, y - half_height},
                                        {x + sample_width, y - half_height},
                                        {x + sample_width, y + half_height},
                                        {x, y + half_height}};
    const char* colour = entry.colour == missing_colour ? style.missing : colour_of(entry.colour, style);
    return svg.area({&corners, 1}, colour, entry.strength);
  }
  const PlotSeries& series = *entry.series;
  const SvgStroke stroke{colour_of(series, style), series.is_guide ? 1.0 : 1.8, dashes_of(series.line)};
  if (series.line != PlotLine::none) svg.line({x, y}, {x + sample_width, y}, stroke);
  const double least = series.marker == PlotMarker::dot ? 4 : 0;  // one dot alone would not be seen
  const std::string of_values = to_text(value_palette(style.theme)[colour_levels / 2]);
  svg.marker({x + sample_width / 2, y}, series.marker, std::max(marker_size_of(series), least),
             series.values.empty() ? stroke.colour : of_values.c_str());
}

void PlotLegend::draw(SvgWriter& svg, const PlotStyle& style, double left, double top) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const double x = left + column_ * static_cast<double>(i / lines_);  // filled from top to bottom
    const double y = top + line_distance * (static_cast<double>(i % lines_) + 0.5);
    draw_sample(svg, style, entries_[i], x, y);
    // A label that is wider than the page is written smaller, never cut.
    const std::string& label = entries_[i].label;
    const double room = column_ - sample_width - legend_gap - between, width = text_width(label, text_size);
    const double size = width > room ? text_size * room / width : text_size;
    svg.text({x + sample_width + legend_gap, y + 4.5}, label, {size, SvgAnchor::start, false, style.text});
  }
}

}  // namespace noslip

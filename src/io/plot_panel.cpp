#include "io/plot_panel.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace noslip {

namespace {

constexpr std::size_t many_points = 100;        // of a line that would be a smear if it were not thin
constexpr std::size_t very_many_points = 1000;  // of a line that is written as short as it can be

}  // namespace

PanelDrawing::PanelDrawing(const PlotPanel& panel, const PlotStyle& style, double width, double height, bool has_legend)
    : panel_(panel),
      style_(style),
      width_(width),
      height_(height),
      scales_(panel, width, height),
      box_{0, 0, scales_.width(), scales_.height()},
      colour_bar_(panel, style, scales_.height()) {
  for (const PlotSeries& series : panel.series) {
    has_many_points_ = has_many_points_ || series.points.size() > many_points;
  }
  if (has_legend) {
    legend_.add(panel);
    legend_.arrange(width);
  }
  title_ = wrapped_lines(panel.title, 1.1 * text_size, width - 10);  // bold is wider
  const std::string& scaling = scales_.x().scaling;                  // to the right of the label
  const double beside = scaling.empty() ? 0 : text_width(scaling, small_size) + 10;
  x_label_ = wrapped_lines(panel.x.label, text_size, width - 2 * beside);
  y_label_ = wrapped_lines(panel.y.label, text_size, height);
}

double PanelDrawing::widest_number() const {
  double width = 0;
  for (const PlotTicks::Tick& tick : scales_.y().ticks) width = std::max(width, text_width(tick.text, small_size));
  return std::max(width, text_width(scales_.y().scaling, small_size) - number_gap);
}

double PanelDrawing::room_left() const {
  return number_gap + widest_number() + 10 + line_height * text_size * static_cast<double>(y_label_.size()) + 6;
}

double PanelDrawing::room_right() const {
  const double least = std::max(14.0, colour_bar_.room());
  if (scales_.x().ticks.empty()) return least;
  const PlotTicks::Tick& last = scales_.x().ticks.back();  // half of its number may stand out
  const double beyond = box_.right() - place({last.value, scales_.y().low}).x;
  return std::max(least, text_width(last.text, small_size) / 2 + 4 - beyond);
}

double PanelDrawing::room_above() const {
  const double lines = line_height * text_size * static_cast<double>(title_.size());
  const bool has_scaling = !scales_.y().scaling.empty() || colour_bar_.has_scaling();
  return std::max(lines + (title_.empty() ? 0 : 8), has_scaling ? 24.0 : 0.0);
}

/// Is there room at the right of the last line of the label?
bool PanelDrawing::note_is_beside_label() const {
  if (x_label_.empty() || (!scales_.x().scaling.empty() && x_label_.size() == 1)) return false;
  return text_width(x_label_.back(), text_size) / 2 + 20 + text_width(panel_.note, small_size) < box_.width / 2;
}

double PanelDrawing::room_below() const {
  const double lines = static_cast<double>(x_label_.size()) + (panel_.note.empty() || note_is_beside_label() ? 0 : 1);
  const double label = line_height * text_size * lines;
  return 24 + label + (legend_.is_empty() ? 0 : legend_.height() + 8) + 14;
}

void PanelDrawing::draw(SvgWriter& svg, double left, double top, int number) {
  box_.left = left + (width_ - box_.width) / 2;
  box_.top = top + (height_ - box_.height) / 2;
  const double middle = box_.left + box_.width / 2;
  if (scales_.is_empty()) {
    svg.rectangle(box_.left, box_.top, box_.width, box_.height, {style_.frame, 1});
    svg.text({middle, box_.top + box_.height / 2}, "nothing to draw",
             {text_size, SvgAnchor::middle, false, style_.note});
  } else {
    draw_axes(svg);
    svg.begin_clipped(fmt::format("panel{}", number), box_.left, box_.top, box_.width, box_.height);
    draw_areas(svg);
    for (const bool guides : {true, false}) {
      for (const PlotSeries& series : panel_.series) {
        if (series.is_guide == guides) draw_series(svg, series);
      }
    }
    svg.end_clipped();
    svg.rectangle(box_.left, box_.top, box_.width, box_.height, {style_.frame, 1});
    for (const PlotSeries& series : panel_.series) draw_end_text(svg, series);
    colour_bar_.draw(svg, box_, number);
  }
  draw_labels(svg);
  legend_.draw(svg, style_, left, top + height_ + room_below() - legend_.height() - 14);
}

/// The mark of a tick at its axis; outwards where areas would hide it.
void PanelDrawing::draw_mark(SvgWriter& svg, SvgPoint at, SvgPoint inwards, bool is_small) const {
  const bool is_outside = panel_.map || !panel_.bars.empty();
  const double length = (is_small ? 3 : 6) * (is_outside ? -2.0 / 3 : 1);
  svg.line(at, {at.x + length * inwards.x, at.y + length * inwards.y}, {style_.frame, 1});
}

void PanelDrawing::draw_axes(SvgWriter& svg) const {
  const double bottom = box_.bottom();
  for (const PlotTicks::Tick& tick : scales_.x().ticks) {
    const double x = place({tick.value, scales_.y().low}).x;
    const bool is_small = tick.text.empty();
    if (!is_small) svg.line({x, box_.top}, {x, bottom}, {style_.grid, 1});
    draw_mark(svg, {x, bottom}, {0, -1}, is_small);
    svg.text({x, bottom + 17}, with_wide_minus(tick.text), {small_size, SvgAnchor::middle, false, style_.text});
  }
  for (const PlotTicks::Tick& tick : scales_.y().ticks) {
    const double y = place({scales_.x().low, tick.value}).y;
    const bool is_small = tick.text.empty();
    if (!is_small) svg.line({box_.left, y}, {box_.right(), y}, {style_.grid, 1});
    draw_mark(svg, {box_.left, y}, {1, 0}, is_small);
    svg.text({box_.left - number_gap, y + 4}, with_wide_minus(tick.text),
             {small_size, SvgAnchor::end, false, style_.text});
  }
  // Above the numbers, beside the title.
  svg.text({box_.left - 2, box_.top - 10}, with_wide_minus(scales_.y().scaling),
           {small_size, SvgAnchor::end, false, style_.text});
}

void PanelDrawing::draw_labels(SvgWriter& svg) const {
  const double middle = box_.left + box_.width / 2, line = line_height * text_size;
  double y = box_.top - 9 - line * (static_cast<double>(title_.size()) - 1);
  for (const std::string& text : title_) {
    svg.text({middle, y}, text, {text_size, SvgAnchor::middle, true, style_.text});
    y += line;
  }
  y = box_.bottom() + 24 + text_size;
  if (!scales_.x().scaling.empty()) {
    svg.text({box_.right(), y}, with_wide_minus(scales_.x().scaling), {small_size, SvgAnchor::end, false, style_.text});
  }
  for (const std::string& text : x_label_) {
    svg.text({middle, y}, text, {text_size, SvgAnchor::middle, false, style_.text});
    y += line;
  }
  svg.text({box_.right(), note_is_beside_label() ? y - line : y}, panel_.note,
           {small_size, SvgAnchor::end, false, style_.note});
  double x = box_.left - number_gap - widest_number() - 10 - line * (static_cast<double>(y_label_.size()) - 1);
  for (const std::string& text : y_label_) {
    svg.vertical_text({x, box_.top + box_.height / 2}, text, {text_size, SvgAnchor::middle, false, style_.text});
    x += line;
  }
}

void PanelDrawing::draw_areas(SvgWriter& svg) const {
  const AreaCanvas canvas{svg, style_, scales_, box_};
  if (panel_.map) draw_map(canvas, *panel_.map, panel_, colour_bar_.scale());
  for (const PlotBars& bars : panel_.bars) draw_bars(canvas, bars, panel_);
  for (const PlotBand& band : panel_.bands) draw_band(canvas, band, panel_.y);
}

void PanelDrawing::draw_series(SvgWriter& svg, const PlotSeries& series) const {
  const double width = series.is_guide ? 1.0 : has_many_points_ ? 1.3 : 1.8;
  const SvgStroke stroke{colour_of(series, style_), width, dashes_of(series.line)};
  std::vector<SvgPoint> piece, all;
  std::vector<double> values;
  std::vector<std::vector<SvgPoint>> lines;
  const auto finish = [&] {
    for (auto& line : thinned_line(piece, box_, series.line == PlotLine::solid)) lines.push_back(std::move(line));
    piece.clear();
  };
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    if (scales_.is_drawable(series.points[i])) {
      piece.push_back(place(series.points[i]));
      all.push_back(piece.back());
      if (!series.values.empty()) values.push_back(series.values[i]);
    } else {
      finish();
    }
  }
  finish();
  if (series.line == PlotLine::solid && all.size() > very_many_points) {
    svg.path(lines, stroke);
  } else if (series.line != PlotLine::none) {
    for (const std::vector<SvgPoint>& line : lines) svg.polyline(line, stroke);
  }
  if (series.marker == PlotMarker::none) return;
  if (!series.values.empty()) {
    return draw_coloured_markers({svg, style_, scales_, box_}, series, all, values, colour_bar_.scale());
  }
  const double size = marker_size_of(series);
  if (series.marker == PlotMarker::dot) return svg.dots(thinned_dots(all, box_), size, stroke.colour);
  for (const SvgPoint& point : all) {
    if (box_.holds(point, size)) svg.marker(point, series.marker, size, stroke.colour);
  }
}

void PanelDrawing::draw_end_text(SvgWriter& svg, const PlotSeries& series) const {
  if (series.end_text.empty()) return;
  for (auto point = series.points.rbegin(); point != series.points.rend(); ++point) {
    if (!scales_.is_drawable(*point)) continue;
    const SvgPoint at = place(*point);
    if (!box_.holds(at)) continue;
    const bool is_at_right = at.x > box_.left + 0.8 * box_.width;
    // Under a guide line, which runs under what it is a guide for; above other points.
    const double lowest = box_.bottom() - 5;
    const double y = series.is_guide ? std::min(at.y + 16, lowest) : std::max(at.y - 6, box_.top + 12);
    const double gap = series.is_guide && at.y + 16 > lowest ? 24 : 7;  // at the bottom beside it, not across it
    svg.text(
        {at.x + (is_at_right ? -gap : gap), y}, series.end_text,
        {small_size, is_at_right ? SvgAnchor::end : SvgAnchor::start, false, colour_of(series, style_), style_.page});
    return;
  }
}

}  // namespace noslip

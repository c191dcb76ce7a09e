#include "io/plot_panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace noslip {

namespace {

constexpr std::size_t many_points = 100;              // of a line that would be a smear if it were not thin
constexpr double number_gap = 8;                      // between numbers and axis
constexpr double largest = 1e300, smallest = 1e-300;  // so that ranges and margins stay finite

bool can_be_drawn(double value, const PlotAxis& axis) {
  return axis.is_logarithmic ? value >= smallest && value <= largest : std::fabs(value) <= largest;
}

/// An end that was given and makes sense.
std::optional<double> fixed_end(const std::optional<double>& end, const PlotAxis& axis) {
  const bool is_ordered = !axis.low || !axis.high || *axis.low < *axis.high;
  return end && is_ordered && can_be_drawn(*end, axis) ? end : std::nullopt;
}

bool is_within(double value, const PlotAxis& axis) {
  const auto low = fixed_end(axis.low, axis), high = fixed_end(axis.high, axis);
  return (!low || value >= *low) && (!high || value <= *high);
}

double share(double value, const PlotTicks& ticks, const PlotAxis& axis) {
  // Differences of logarithms: quotients may overflow. Halves of linear values: so may differences.
  return axis.is_logarithmic ? (std::log(value) - std::log(ticks.low)) / (std::log(ticks.high) - std::log(ticks.low))
                             : (value / 2 - ticks.low / 2) / (ticks.high / 2 - ticks.low / 2);
}

/// With a minus that is as wide as a plus.
std::string number_text(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at)) text.replace(at, 1, "\u2212");
  return text;
}

/// Cuts the range, and leaves out ticks beyond its ends.
void cut(PlotTicks& ticks, std::optional<double> low, std::optional<double> high) {
  if (low) ticks.low = *low;
  if (high) ticks.high = *high;
  const double slack = 1e-9 * (ticks.high / 2 - ticks.low / 2);
  std::erase_if(ticks.ticks, [&](const PlotTicks::Tick& tick) {
    return tick.value < ticks.low - slack || tick.value > ticks.high + slack;
  });
}

}  // namespace

/// Least and most of the values that can be drawn.
struct PanelDrawing::Range {
  double least = std::numeric_limits<double>::infinity(), most = -least;

  bool is_empty() const { return least > most; }
  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }

  /// To both sides alike, until most/least is the quotient.
  void widen(double quotient) {
    const double missing = quotient / (most / least);
    if (!(missing > 1)) return;
    least /= std::sqrt(missing);
    most *= std::sqrt(missing);
  }

  /// Reaches from one fixed end to the other, where there are any.
  void fix(const PlotAxis& axis) {
    const auto low = fixed_end(axis.low, axis), high = fixed_end(axis.high, axis);
    const auto step = [&](double from, int sign) {
      return axis.is_logarithmic ? from * std::pow(10, sign) : from + sign * std::max(std::fabs(from) / 10, smallest);
    };
    if (low) least = *low;
    if (high) most = *high;
    if (low && !(most > least)) most = step(*low, 1);
    if (high && !(most > least)) least = step(*high, -1);
  }
};

PanelDrawing::PanelDrawing(const PlotPanel& panel, const PlotStyle& style, double width, double height, bool has_legend)
    : panel_(panel), style_(style), width_(width), height_(height), box_{0, 0, width, height} {
  choose_ranges();
  if (!is_empty_ && panel.has_equal_scales && !panel.x.is_logarithmic && !panel.y.is_logarithmic) make_scales_equal();
  if (has_legend) {
    legend_.add(panel);
    legend_.arrange(width);
  }
  title_ = wrapped_lines(panel.title, 1.1 * text_size, width - 10);                         // bold is wider
  const double scaling = x_.scaling.empty() ? 0 : text_width(x_.scaling, small_size) + 10;  // to the right of the label
  x_label_ = wrapped_lines(panel.x.label, text_size, width - 2 * scaling);
  y_label_ = wrapped_lines(panel.y.label, text_size, height);
}

bool PanelDrawing::is_drawable(const PlotPoint& point) const {
  return can_be_drawn(point.x, panel_.x) && can_be_drawn(point.y, panel_.y);
}

void PanelDrawing::choose_ranges() {
  Range x, y;
  for (const bool guides : {false, true}) {
    for (const PlotSeries& series : panel_.series) {
      has_many_points_ = has_many_points_ || series.points.size() > many_points;
      if (series.is_guide != guides) continue;
      for (const PlotPoint& point : series.points) {
        if (!is_drawable(point)) continue;
        is_empty_ = false;
        // What is cut off at one axis does not count at the other.
        if (is_within(point.y, panel_.y)) x.add(point.x);
        if (is_within(point.x, panel_.x)) y.add(point.y);
      }
    }
    if (!is_empty_) break;  // guides decide only where there is nothing else
  }
  if (is_empty_) return;
  if (x.is_empty()) x.add(1);
  if (y.is_empty()) y.add(1);
  x.fix(panel_.x);
  y.fix(panel_.y);
  if (panel_.y.is_logarithmic && !panel_.y.low && !panel_.y.high) y.widen(panel_.y.least_quotient);
  x_ = x_ticks(x.least, x.most);
  y_ = y_ticks(y.least, y.most);
  cut(x_, fixed_end(panel_.x.low, panel_.x), fixed_end(panel_.x.high, panel_.x));
  cut(y_, fixed_end(panel_.y.low, panel_.y), fixed_end(panel_.y.high, panel_.y));
}

/// As many numbers as stand beside each other.
PlotTicks PanelDrawing::x_ticks(double least, double most) const {
  PlotTicks ticks;
  for (int room = 9; room >= 2; --room) {
    ticks = plot_ticks(least, most, panel_.x.is_logarithmic, room);
    double last = -std::numeric_limits<double>::infinity();
    bool fits = true;
    for (const PlotTicks::Tick& tick : ticks.ticks) {
      if (tick.text.empty()) continue;
      const double middle = box_.width * share(tick.value, ticks, panel_.x);
      const double half = text_width(tick.text, small_size) / 2;
      fits = fits && middle - half > last + 10;
      last = middle + half;
    }
    if (fits) break;
  }
  return ticks;
}

PlotTicks PanelDrawing::y_ticks(double least, double most) const {
  return plot_ticks(least, most, panel_.y.is_logarithmic, std::clamp(static_cast<int>(height_ / 42), 2, 12));
}

void PanelDrawing::make_scales_equal() {
  const double across = x_.high - x_.low, up = y_.high - y_.low;
  if (!(across > 0 && up > 0 && across < largest && up < largest)) return;
  // First the box takes the shape of the ranges, then, where it would become too narrow, a range grows.
  constexpr double narrowest = 0.5;
  const double pixel = std::max(across / width_, up / height_);
  box_.width = std::max(across / pixel, narrowest * width_);
  box_.height = std::max(up / pixel, narrowest * height_);
  const double wider = (box_.width * pixel - across) / 2, higher = (box_.height * pixel - up) / 2;
  const double left = x_.low - wider, right = x_.high + wider, bottom = y_.low - higher, top = y_.high + higher;
  x_ = x_ticks(left, right);
  y_ = y_ticks(bottom, top);
  cut(x_, left, right);
  cut(y_, bottom, top);
}

double PanelDrawing::widest_number() const {
  double width = 0;
  for (const PlotTicks::Tick& tick : y_.ticks) width = std::max(width, text_width(tick.text, small_size));
  return std::max(width, text_width(y_.scaling, small_size) - number_gap);
}

double PanelDrawing::room_left() const {
  return number_gap + widest_number() + 10 + line_height * text_size * static_cast<double>(y_label_.size()) + 6;
}

double PanelDrawing::room_right() const {
  if (x_.ticks.empty()) return 14;
  const PlotTicks::Tick& last = x_.ticks.back();  // half of its number may stand out
  return std::max(14.0, text_width(last.text, small_size) / 2 + 4 - box_.width * (1 - share(last.value, x_, panel_.x)));
}

double PanelDrawing::room_above() const {
  const double lines = line_height * text_size * static_cast<double>(title_.size());
  return std::max(lines + (title_.empty() ? 0 : 8), y_.scaling.empty() ? 0.0 : 24.0);
}

double PanelDrawing::room_below() const {
  const double lines = static_cast<double>(x_label_.size()) + (panel_.note.empty() ? 0 : 1);
  const double label = line_height * text_size * lines;
  return 24 + label + (legend_.is_empty() ? 0 : legend_.height() + 8) + 8;
}

SvgPoint PanelDrawing::place(const PlotPoint& point) const {
  return {box_.left + box_.width * share(point.x, x_, panel_.x),
          box_.top + box_.height * (1 - share(point.y, y_, panel_.y))};
}

void PanelDrawing::draw(SvgWriter& svg, double left, double top, int number) {
  box_.left = left + (width_ - box_.width) / 2;
  box_.top = top + (height_ - box_.height) / 2;
  const double middle = box_.left + box_.width / 2;
  if (is_empty_) {
    svg.rectangle(box_.left, box_.top, box_.width, box_.height, {style_.frame, 1});
    svg.text({middle, box_.top + box_.height / 2}, "nothing to draw",
             {text_size, SvgAnchor::middle, false, style_.note});
  } else {
    draw_axes(svg);
    svg.begin_clipped(fmt::format("panel{}", number), box_.left, box_.top, box_.width, box_.height);
    for (const bool guides : {true, false}) {
      for (const PlotSeries& series : panel_.series) {
        if (series.is_guide == guides) draw_series(svg, series);
      }
    }
    svg.end_clipped();
    svg.rectangle(box_.left, box_.top, box_.width, box_.height, {style_.frame, 1});
    for (const PlotSeries& series : panel_.series) draw_end_text(svg, series);
  }
  draw_labels(svg);
  legend_.draw(svg, style_, left, top + height_ + room_below() - legend_.height() - 8);
}

void PanelDrawing::draw_axes(SvgWriter& svg) const {
  const double bottom = box_.bottom();
  for (const PlotTicks::Tick& tick : x_.ticks) {
    const double x = place({tick.value, y_.low}).x;
    const bool is_small = tick.text.empty();
    if (!is_small) svg.line({x, box_.top}, {x, bottom}, {style_.grid, 1});
    svg.line({x, bottom}, {x, bottom - (is_small ? 3 : 6)}, {style_.frame, 1});
    svg.text({x, bottom + 17}, number_text(tick.text), {small_size, SvgAnchor::middle, false, style_.text});
  }
  for (const PlotTicks::Tick& tick : y_.ticks) {
    const double y = place({x_.low, tick.value}).y;
    const bool is_small = tick.text.empty();
    if (!is_small) svg.line({box_.left, y}, {box_.right(), y}, {style_.grid, 1});
    svg.line({box_.left, y}, {box_.left + (is_small ? 3 : 6), y}, {style_.frame, 1});
    svg.text({box_.left - number_gap, y + 4}, number_text(tick.text), {small_size, SvgAnchor::end, false, style_.text});
  }
  // Above the numbers, beside the title.
  svg.text({box_.left - 2, box_.top - 10}, number_text(y_.scaling), {small_size, SvgAnchor::end, false, style_.text});
}

void PanelDrawing::draw_labels(SvgWriter& svg) const {
  const double middle = box_.left + box_.width / 2, line = line_height * text_size;
  double y = box_.top - 9 - line * (static_cast<double>(title_.size()) - 1);
  for (const std::string& text : title_) {
    svg.text({middle, y}, text, {text_size, SvgAnchor::middle, true, style_.text});
    y += line;
  }
  y = box_.bottom() + 24 + text_size;
  if (!x_.scaling.empty()) {
    svg.text({box_.right(), y}, number_text(x_.scaling), {small_size, SvgAnchor::end, false, style_.text});
  }
  for (const std::string& text : x_label_) {
    svg.text({middle, y}, text, {text_size, SvgAnchor::middle, false, style_.text});
    y += line;
  }
  svg.text({box_.right(), y}, panel_.note, {small_size, SvgAnchor::end, false, style_.note});
  double x = box_.left - number_gap - widest_number() - 10 - line * (static_cast<double>(y_label_.size()) - 1);
  for (const std::string& text : y_label_) {
    svg.vertical_text({x, box_.top + box_.height / 2}, text, {text_size, SvgAnchor::middle, false, style_.text});
    x += line;
  }
}

void PanelDrawing::draw_series(SvgWriter& svg, const PlotSeries& series) const {
  const double width = series.is_guide ? 1.0 : has_many_points_ ? 1.3 : 1.8;
  const SvgStroke stroke{colour_of(series, style_), width, dashes_of(series.line)};
  std::vector<SvgPoint> piece, all;
  const auto finish = [&] {
    if (series.line != PlotLine::none) {
      for (const auto& part : thinned_line(piece, box_, series.line == PlotLine::solid)) svg.polyline(part, stroke);
    }
    piece.clear();
  };
  for (const PlotPoint& point : series.points) {
    if (is_drawable(point)) {
      piece.push_back(place(point));
      all.push_back(piece.back());
    } else {
      finish();
    }
  }
  finish();
  if (series.marker == PlotMarker::none) return;
  const double size = marker_size_of(series);
  if (series.marker == PlotMarker::dot) return svg.dots(thinned_dots(all, box_), size, stroke.colour);
  for (const SvgPoint& point : all) {
    if (box_.holds(point, size)) svg.marker(point, series.marker, size, stroke.colour);
  }
}

void PanelDrawing::draw_end_text(SvgWriter& svg, const PlotSeries& series) const {
  if (series.end_text.empty()) return;
  for (auto point = series.points.rbegin(); point != series.points.rend(); ++point) {
    if (!is_drawable(*point)) continue;
    const SvgPoint at = place(*point);
    if (!box_.holds(at)) continue;
    const bool is_at_right = at.x > box_.left + 0.8 * box_.width;
    // Under a guide line, which runs under what it is a guide for; above other points.
    const double y = series.is_guide ? std::min(at.y + 16, box_.bottom() - 5) : std::max(at.y - 6, box_.top + 12);
    svg.text(
        {at.x + (is_at_right ? -7 : 7), y}, series.end_text,
        {small_size, is_at_right ? SvgAnchor::end : SvgAnchor::start, false, colour_of(series, style_), style_.page});
    return;
  }
}

}  // namespace noslip

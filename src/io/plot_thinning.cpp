#include "io/plot_thinning.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace noslip {

namespace {

constexpr double cell = 0.5;              ///< pixels, of dots and of columns
constexpr double line_cell = 0.6;         ///< pixels; lines are a little wider
constexpr double rim = 20;                ///< around the box, for what is cut there by half
constexpr std::size_t long_line = 10000;  ///< points, from where on it pays to look for places that are drawn already

/// Which places of a box have been drawn on.
class Cells {
 public:
  Cells(const PlotBox& box, double margin, double size)
      : left_(box.left - margin),
        top_(box.top - margin),
        size_(size),
        columns_(count(box.width + 2 * margin)),
        rows_(count(box.height + 2 * margin)),
        marked_(columns_ * rows_) {}

  /// True if it was new.
  bool mark(SvgPoint point) {
    const auto index = [this](double from, std::size_t most) {
      return std::min(static_cast<std::size_t>(std::max(from / size_, 0.0)), most - 1);
    };
    const std::size_t at = index(point.y - top_, rows_) * columns_ + index(point.x - left_, columns_);
    const bool was_marked = marked_[at];
    marked_[at] = true;
    return !was_marked;
  }

  /// All cells that the segment runs through; true if one was new.
  bool mark(SvgPoint a, SvgPoint b) {
    const double length = std::max(std::fabs(b.x - a.x), std::fabs(b.y - a.y));
    const int pieces = std::max(1, static_cast<int>(std::ceil(length / size_)));
    bool is_new = false;
    for (int i = 0; i <= pieces; ++i) {
      const double share = static_cast<double>(i) / pieces;
      is_new = mark({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)}) || is_new;
    }
    return is_new;
  }

 private:
  std::size_t count(double length) const { return static_cast<std::size_t>(std::ceil(length / size_)) + 1; }

  double left_, top_, size_;
  std::size_t columns_, rows_;
  std::vector<bool> marked_;
};

/// The part of a segment inside the box and its rim; false if there is none.
bool clip(SvgPoint& a, SvgPoint& b, const PlotBox& box) {
  double begin = 0, end = 1;
  const auto cut = [&](double from, double to, double low, double high) {
    const double way = to - from;
    if (way == 0) return from >= low && from <= high;
    const double first = (low - from) / way, second = (high - from) / way;
    begin = std::max(begin, std::min(first, second));
    end = std::min(end, std::max(first, second));
    return begin <= end;
  };
  if (!cut(a.x, b.x, box.left - rim, box.right() + rim) || !cut(a.y, b.y, box.top - rim, box.bottom() + rim)) {
    return false;
  }
  const SvgPoint start = a, way{b.x - a.x, b.y - a.y};
  if (end < 1) b = {start.x + end * way.x, start.y + end * way.y};
  if (begin > 0) a = {start.x + begin * way.x, start.y + begin * way.y};
  return true;
}

using Pieces = std::vector<std::vector<SvgPoint>>;

Pieces clipped(std::span<const SvgPoint> points, const PlotBox& box) {
  Pieces pieces;
  bool goes_on = false;
  for (std::size_t i = 1; i < points.size(); ++i) {
    SvgPoint a = points[i - 1], b = points[i];
    if (!clip(a, b, box)) {
      goes_on = false;
      continue;
    }
    if (!goes_on) pieces.push_back({a});
    pieces.back().push_back(b);
    goes_on = b.x == points[i].x && b.y == points[i].y;
  }
  return pieces;
}

/// First, highest, lowest and last point of those that follow each other in one column.
std::vector<SvgPoint> without_crowds(const std::vector<SvgPoint>& points) {
  std::vector<SvgPoint> result;
  const auto column = [](SvgPoint point) { return std::floor(point.x / cell); };
  for (std::size_t first = 0, next = 0; first < points.size(); first = next) {
    std::size_t high = first, low = first;
    for (next = first; next < points.size() && column(points[next]) == column(points[first]); ++next) {
      if (points[next].y < points[high].y) high = next;
      if (points[next].y > points[low].y) low = next;
    }
    std::size_t kept[] = {first, std::min(high, low), std::max(high, low), next - 1};
    for (std::size_t i = 0; i < std::size(kept); ++i) {
      if (i == 0 || kept[i] != kept[i - 1]) result.push_back(points[kept[i]]);
    }
  }
  return result;
}

}  // namespace

bool PlotBox::holds(SvgPoint point, double margin) const {
  return point.x >= left - margin && point.x <= right() + margin && point.y >= top - margin &&
         point.y <= bottom() + margin;
}

std::vector<SvgPoint> thinned_dots(std::span<const SvgPoint> points, const PlotBox& box) {
  std::vector<SvgPoint> result;
  Cells cells(box, 0, cell);
  for (const SvgPoint& point : points) {
    if (box.holds(point) && cells.mark(point)) result.push_back(point);
  }
  return result;
}

std::vector<std::vector<SvgPoint>> thinned_line(std::span<const SvgPoint> points, const PlotBox& box, bool is_solid) {
  Pieces pieces = clipped(points, box);
  std::size_t count = 0;
  for (std::vector<SvgPoint>& piece : pieces) {
    piece = without_crowds(piece);
    count += piece.size();
  }
  if (!is_solid || count <= long_line) return pieces;

  Pieces seen;
  Cells cells(box, rim, line_cell);
  for (const std::vector<SvgPoint>& piece : pieces) {
    bool goes_on = false;
    for (std::size_t i = 1; i < piece.size(); ++i) {
      const bool is_new = cells.mark(piece[i - 1], piece[i]);
      if (is_new && !goes_on) seen.push_back({piece[i - 1]});
      if (is_new) seen.back().push_back(piece[i]);
      goes_on = is_new;
    }
  }
  return seen;
}

}  // namespace noslip

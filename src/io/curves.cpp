#include "io/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace noslip {

namespace {

constexpr int side = 2048;                  ///< cells of a grid along each axis
constexpr std::size_t before_grid = 20000;  ///< points, which are kept as they are
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double largest_drawn = 1e300;  ///< beyond this a point cannot be drawn, and a grid would overflow

}  // namespace

TimeCurve::TimeCurve(double begin, double end, int spans) : begin_(begin), end_(end), spans_(spans) {}

void TimeCurve::add(double t, double value) {
  if (!std::isfinite(value)) return;
  const PlotPoint point{t, value};
  const int span = std::clamp(static_cast<int>((t - begin_) / (end_ - begin_) * spans_), 0, spans_ - 1);
  if (found_.empty()) first_ = point;
  last_ = point;
  if (found_.empty() || span != current_) {
    found_.push_back({point, point});
  } else {
    if (value < found_.back().least.y) found_.back().least = point;
    if (value > found_.back().most.y) found_.back().most = point;
  }
  current_ = span;
}

std::vector<PlotPoint> TimeCurve::points() const {
  std::vector<PlotPoint> result;
  const auto put = [&](PlotPoint point) {
    if (result.empty() || result.back().x < point.x) result.push_back(point);
  };
  if (!found_.empty()) put(first_);
  for (const Span& span : found_) {
    put(span.least.x < span.most.x ? span.least : span.most);
    put(span.least.x < span.most.x ? span.most : span.least);
  }
  if (!found_.empty()) put(last_);
  return result;
}

void PathCurve::add(PlotPoint point) {
  if (!(std::fabs(point.x) <= largest_drawn && std::fabs(point.y) <= largest_drawn)) return;
  if (!marked_.empty()) return follow(point);
  waiting_.push_back(point);
  if (waiting_.size() < before_grid) return;
  lay_grid();
  for (const PlotPoint& early : waiting_) follow(early);
  waiting_ = {};
}

std::vector<PlotPoint> PathCurve::points() const {
  std::vector<PlotPoint> result = kept_;
  result.insert(result.end(), waiting_.begin(), waiting_.end());
  return result;
}

void PathCurve::lay_grid() {
  const auto by_x = [](PlotPoint a, PlotPoint b) { return a.x < b.x; };
  const auto by_y = [](PlotPoint a, PlotPoint b) { return a.y < b.y; };
  const auto [left, right] = std::minmax_element(waiting_.begin(), waiting_.end(), by_x);
  const auto [low, high] = std::minmax_element(waiting_.begin(), waiting_.end(), by_y);
  const auto size_of = [](double least, double most) {
    // A little more than needed, and not nothing where the path has not moved.
    const double width = std::max({most - least, 1e-9 * std::fabs(most), 1e-200});
    return 1.01 * width / side;
  };
  corner_ = {left->x, low->y};
  cell_ = {size_of(left->x, right->x), size_of(low->y, high->y)};
  last_ = waiting_.front();
  marked_.assign(static_cast<std::size_t>(side) * side, false);
}

std::pair<double, double> PathCurve::cell_of(PlotPoint point) const {
  return {std::floor((point.x - corner_.x) / cell_.x), std::floor((point.y - corner_.y) / cell_.y)};
}

/// Makes cells along one axis 2, 4, 8, ... times as long, so that the grid reaches to the value.
void PathCurve::grow_along(bool is_x, double value) {
  double& corner = is_x ? corner_.x : corner_.y;
  double& cell = is_x ? cell_.x : cell_.y;
  const double end = std::max(corner + side * cell, value);
  double factor = 1, shift = 0;  // an old cell i becomes i/factor + shift
  do {
    factor *= 2;
    shift = std::max(0.0, std::ceil((corner - value) / (factor * cell)));
  } while ((end - corner) / (factor * cell) + shift >= side);

  std::vector<bool> merged(marked_.size(), false);
  const auto moved = [&](std::size_t i) {
    return static_cast<std::size_t>(std::floor(static_cast<double>(i) / factor) + shift);
  };
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      if (!marked_[row * side + column]) continue;
      merged[is_x ? row * side + moved(column) : moved(row) * side + column] = true;
    }
  }
  marked_ = std::move(merged);
  cell *= factor;
  corner -= shift * cell;
}

void PathCurve::grow_to(PlotPoint point) {
  const auto is_outside = [](double index) { return index < 0 || index >= side; };
  if (is_outside(cell_of(point).first)) grow_along(true, point.x);
  if (is_outside(cell_of(point).second)) grow_along(false, point.y);
}

void PathCurve::follow(PlotPoint point) {
  grow_to(point);
  const auto [to_column, to_row] = cell_of(point);
  const auto [column, row] = cell_of(last_);
  if (to_column == column && to_row == row && !kept_.empty()) return;  // too near to be seen
  const int pieces = static_cast<int>(std::max({1.0, std::fabs(to_column - column), std::fabs(to_row - row)}));
  bool is_new = false;
  for (int i = 0; i <= pieces; ++i) {
    const double share = static_cast<double>(i) / pieces;
    const auto at = static_cast<std::size_t>(std::lround(row + share * (to_row - row)) * side +
                                             std::lround(column + share * (to_column - column)));
    is_new = is_new || !marked_[at];
    marked_[at] = true;
  }
  if (is_new && !goes_on_) {
    if (!kept_.empty()) kept_.push_back({nan, nan});
    kept_.push_back(last_);
  }
  if (is_new) kept_.push_back(point);
  goes_on_ = is_new;
  last_ = point;
}

}  // namespace noslip

// From columns to numbers, from numbers to verdicts.
#include "table.hpp"

#include <algorithm>
#include <cmath>

namespace noslip::papers {

namespace {

struct Points {
  std::vector<double> x, y;
};

constexpr double none = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

/// c0 and c1 of y = c0 + c1 x by least squares.
struct Line {
  double intercept = none, slope = none;
};

Line fitted_line(const Points& points) {
  const std::size_t count = points.x.size();
  if (count < 2) return {};
  // Around the means, so that long runs lose no digits.
  long double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < count; ++i) {
    mean_x += points.x[i];
    mean_y += points.y[i];
  }
  mean_x /= static_cast<long double>(count);
  mean_y /= static_cast<long double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    xx += (points.x[i] - mean_x) * (points.x[i] - mean_x);
    xy += (points.x[i] - mean_x) * (points.y[i] - mean_y);
  }
  if (!(xx > 0)) return {};
  const long double slope = xy / xx;
  return {static_cast<double>(mean_y - slope * mean_x), static_cast<double>(slope)};
}

/// The points where logarithms exist, with log |y|, and log x if asked for.
Points in_logarithms(const Points& points, bool of_x) {
  Points result;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const double x = points.x[i], size = std::fabs(points.y[i]);
    if (!(size > 0) || (of_x && !(x > 0))) continue;
    result.x.push_back(of_x ? std::log(x) : x);
    result.y.push_back(std::log(size));
  }
  return result;
}

double largest(const Points& points, double from, double to) {
  double result = none;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const double size = std::fabs(points.y[i]);
    if (points.x[i] >= from && points.x[i] <= to && !(size <= result)) result = size;
  }
  return result;
}

double reduce(const Points& points, Reducer reducer) {
  const auto& [x, y] = points;
  if (y.empty()) return none;
  switch (reducer) {
    case Reducer::max_abs: return largest(points, -infinity, infinity);
    case Reducer::minimum: return *std::min_element(y.begin(), y.end());
    case Reducer::maximum: return *std::max_element(y.begin(), y.end());
    case Reducer::last: return y.back();
    case Reducer::slope: return fitted_line(points).slope;
    case Reducer::intercept: return fitted_line(points).intercept;
    case Reducer::log_slope: return fitted_line(in_logarithms(points, true)).slope;
    case Reducer::log_rate: return fitted_line(in_logarithms(points, false)).slope;
    case Reducer::count: return static_cast<double>(y.size());
    case Reducer::growth: {
      const auto [first, last] = std::minmax_element(x.begin(), x.end());
      const double middle = (*first + *last) / 2;
      return largest(points, middle, infinity) / largest(points, -infinity, middle);
    }
    case Reducer::mean: {
      long double sum = 0;
      for (const double value : y) sum += value;
      return static_cast<double>(sum / static_cast<long double>(y.size()));
    }
    case Reducer::proportional: {
      long double xx = 0, xy = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        xx += static_cast<long double>(x[i]) * x[i];
        xy += static_cast<long double>(x[i]) * y[i];
      }
      return xx > 0 ? static_cast<double>(xy / xx) : none;
    }
  }
  return none;
}

const Table* find_table(const std::vector<Table>& tables, const std::string& label) {
  const auto place = std::find_if(tables.begin(), tables.end(), [&](const Table& t) { return t.label == label; });
  return place == tables.end() ? nullptr : &*place;
}

double reduced(const Table* table, const Check& check) {
  if (table == nullptr || table->outcome.status != Status::done) return none;
  const int column = table->find(check.column);
  if (column < 0) return none;
  Points points;
  for (std::size_t i = 0; i < table->values[0].size(); ++i) {
    const double x = table->values[0][i], y = table->values[column][i];
    if (!check.window.holds(x) || std::isnan(y)) continue;
    points.x.push_back(x);
    points.y.push_back(y);
  }
  return reduce(points, check.reduce);
}

}  // namespace

int Table::find(const std::string& column) const {
  const auto place = std::find(columns.begin(), columns.end(), column);
  return place == columns.end() ? -1 : static_cast<int>(place - columns.begin());
}

double measure(const std::vector<Table>& tables, const Check& check) {
  const Table* table = find_table(tables, check.run);
  const double value = reduced(table, check);
  if (check.versus == Versus::nothing) return value;
  const Table* other = find_table(tables, check.other);
  const double second = reduced(other, check);
  if (std::isnan(value) || std::isnan(second)) return none;
  switch (check.versus) {
    case Versus::ratio: return value / second;
    case Versus::exponent: return std::log(value / second) / std::log(table->step / other->step);
    case Versus::difference: return value - second;
    case Versus::nothing: break;
  }
  return none;
}

Verdict judge(double measured, const Bounds& bounds) {
  if (!bounds.paper && !bounds.truth) return Verdict::differs;
  if (bounds.truth && !bounds.truth->holds(measured)) return Verdict::differs;
  if (!bounds.paper || bounds.paper->holds(measured)) return Verdict::agrees;
  return bounds.truth ? Verdict::corrected : Verdict::differs;
}

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees: return "agrees";
    case Verdict::corrected: return "paper corrected";
    case Verdict::differs: return "differs";
  }
  return "unknown";
}

}  // namespace noslip::papers

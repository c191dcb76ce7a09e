#include <noslip/expr/table.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <quadmath.h>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/expr/graph.hpp>
#include <noslip/expr/parse.hpp>

namespace noslip {

struct Table::Data {
  std::string name;
  TableOptions options;
  std::vector<quad> x, y;
  std::vector<quad> entries;  // rows of `columns` numbers, one per interval
  std::vector<double> rounded_x, rounded_entries;
  std::uint64_t fingerprint = 0;
};

namespace {

using Slopes = std::vector<quad>;

/// Second derivatives of the spline at its points.
std::vector<quad> curvatures(const std::vector<quad>& x, const std::vector<quad>& y) {
  const std::size_t n = x.size();
  std::vector<quad> m(n, quad(0));
  if (n < 3) return m;
  Slopes h(n - 1), d(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x[i + 1] - x[i];
    d[i] = (y[i + 1] - y[i]) / h[i];
  }
  if (n == 3) {
    m.assign(3, 2 * (d[1] - d[0]) / (h[0] + h[1]));
    return m;
  }
  // m[0] and m[n-1] follow from their neighbours: the third derivative is the same on both sides of these.
  const quad first = h[0] / h[1], last = h[n - 2] / h[n - 3];
  std::vector<quad> diagonal(n), above(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    quad below = h[i - 1];
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    above[i] = h[i];
    if (i == 1) {
      diagonal[i] += h[0] * (1 + first);
      above[i] -= h[0] * first;
    }
    if (i + 2 == n) {
      diagonal[i] += h[n - 2] * (1 + last);
      below -= h[n - 2] * last;
    }
    m[i] = 6 * (d[i] - d[i - 1]);
    if (i > 1) {
      const quad factor = below / diagonal[i - 1];
      diagonal[i] -= factor * above[i - 1];
      m[i] -= factor * m[i - 1];
    }
  }
  for (std::size_t i = n - 2; i > 0; --i) {
    if (i + 2 < n) m[i] -= above[i] * m[i + 1];
    m[i] /= diagonal[i];
  }
  m[0] = (1 + first) * m[1] - first * m[2];
  m[n - 1] = (1 + last) * m[n - 2] - last * m[n - 3];
  return m;
}

std::vector<quad> entries_of(const Table::Data& data) {
  const std::size_t n = data.x.size();
  const bool is_cubic = data.options.kind == Table::Kind::cubic;
  const std::vector<quad> m = is_cubic ? curvatures(data.x, data.y) : std::vector<quad>(n, quad(0));
  std::vector<quad> entries;
  entries.reserve((n + 1) * Table::columns);
  const auto add = [&](quad x, quad a, quad b, quad c, quad d) {
    for (const quad value : {x, a, b, c, d}) entries.push_back(value);
  };
  const auto outside = [&](quad x, quad y) {
    const quad none = nanq("");
    if (data.options.outside == Table::Outside::error) return add(x, none, none, none, none);
    add(x, y, 0, 0, 0);
  };
  outside(data.x.front(), data.y.front());
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const quad h = data.x[i + 1] - data.x[i];
    const quad slope = (data.y[i + 1] - data.y[i]) / h;
    add(data.x[i], data.y[i], slope - h * (2 * m[i] + m[i + 1]) / 6, m[i] / 2, (m[i + 1] - m[i]) / (6 * h));
  }
  outside(data.x.back(), data.y.back());
  return entries;
}

void add_to(std::uint64_t& hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  hash ^= hash >> 29;
}

std::uint64_t fingerprint_of(const Table::Data& data) {
  std::uint64_t hash = 1;
  for (const char c : data.name) add_to(hash, static_cast<unsigned char>(c));
  add_to(hash, static_cast<std::uint64_t>(data.options.kind) * 2 + static_cast<std::uint64_t>(data.options.outside));
  for (const auto* numbers : {&data.x, &data.y}) {
    for (const quad number : *numbers) {
      const auto high = static_cast<double>(number);
      add_to(hash, std::bit_cast<std::uint64_t>(high));
      add_to(hash, std::bit_cast<std::uint64_t>(static_cast<double>(number - quad(high))));
    }
  }
  return hash;
}

bool fits(quad value) { return std::isfinite(static_cast<double>(value)); }

void check_points(const Table::Data& data) {
  const std::string who = fmt::format("table '{}'", data.name);
  if (const std::string reason = why_not_a_name(data.name); !reason.empty()) {
    throw InputError(fmt::format("a table cannot have this name: {}", reason), "choose another name");
  }
  if (data.x.size() != data.y.size()) {
    throw InputError(fmt::format("{} has {} arguments and {} values", who, data.x.size(), data.y.size()),
                     "give one value per argument");
  }
  if (data.x.size() < 2) {
    throw InputError(fmt::format("{} has {} point{}", who, data.x.size(), data.x.size() == 1 ? "" : "s"),
                     "give at least two points");
  }
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    if (!fits(data.x[i]) || !fits(data.y[i])) {
      throw InputError(fmt::format("point {} of {} is not finite: [{}, {}]", i + 1, who,
                                   to_text(static_cast<double>(data.x[i])), to_text(static_cast<double>(data.y[i]))),
                       "give numbers");
    }
    if (i == 0 || static_cast<double>(data.x[i - 1]) < static_cast<double>(data.x[i])) continue;
    const bool is_same = static_cast<double>(data.x[i - 1]) == static_cast<double>(data.x[i]);
    throw InputError(
        fmt::format("points {} and {} of {} {}: {} after {}", i, i + 1, who,
                    is_same ? "have the same argument" : "are out of order", to_text(static_cast<double>(data.x[i])),
                    to_text(static_cast<double>(data.x[i - 1]))),
        is_same ? "a table has one value at each argument; write a jump as if(t < 1, a, b)" : "sort them by argument");
  }
}

}  // namespace

Table::Table(std::string name, std::vector<quad> x, std::vector<quad> y, const TableOptions& options) {
  auto data = std::make_shared<Data>();
  data->name = std::move(name);
  data->options = options;
  data->x = std::move(x);
  data->y = std::move(y);
  check_points(*data);
  data->entries = entries_of(*data);
  data->rounded_x.assign(data->x.begin(), data->x.end());
  data->rounded_entries.assign(data->entries.begin(), data->entries.end());
  const auto first = data->rounded_entries.begin() + columns, last = data->rounded_entries.end() - columns;
  const auto wrong = std::find_if(first, last, [](double value) { return !std::isfinite(value); });
  if (wrong != last) {
    const auto point = (wrong - first) / columns + 1;
    throw InputError(fmt::format("between the points {} and {} of table '{}' the slope is beyond the largest number",
                                 point, point + 1, data->name),
                     "give points that are further apart");
  }
  data->fingerprint = fingerprint_of(*data);
  data_ = std::move(data);
}

Table::Table(std::string name, std::vector<quad> x, std::vector<quad> y)
    : Table(std::move(name), std::move(x), std::move(y), TableOptions{}) {}

Table::Table(std::string name, const std::vector<double>& x, const std::vector<double>& y, const TableOptions& options)
    : Table(std::move(name), std::vector<quad>(x.begin(), x.end()), std::vector<quad>(y.begin(), y.end()), options) {}

const std::string& Table::name() const { return data_->name; }
Table::Kind Table::kind() const { return data_->options.kind; }
Table::Outside Table::outside() const { return data_->options.outside; }
std::size_t Table::size() const { return data_->x.size(); }
quad Table::x(std::size_t i) const { return data_->x[i]; }
quad Table::y(std::size_t i) const { return data_->y[i]; }
std::uint64_t Table::fingerprint() const { return data_->fingerprint; }

template <class T>
T Table::interval(T x) const {
  if (!(x == x)) return x;
  std::size_t below = 0;  // points that are not above x
  if constexpr (std::is_same_v<T, double>) {
    const std::vector<double>& points = data_->rounded_x;
    below = static_cast<std::size_t>(std::upper_bound(points.begin(), points.end(), x) - points.begin());
  } else {
    const auto is_above = [](T value, quad point) { return value < static_cast<T>(point); };
    below =
        static_cast<std::size_t>(std::upper_bound(data_->x.begin(), data_->x.end(), x, is_above) - data_->x.begin());
  }
  const std::size_t n = data_->x.size();
  if (below == n && x == static_cast<T>(data_->x.back())) below = n - 1;
  return static_cast<T>(below);
}

template <class T>
T Table::entry(T interval, int column) const {
  const std::size_t n = data_->x.size();
  if (!(interval >= 0 && interval <= static_cast<T>(n))) return static_cast<T>(__builtin_nan(""));
  const std::size_t at = static_cast<std::size_t>(interval) * columns + static_cast<std::size_t>(column);
  if constexpr (std::is_same_v<T, double>) return data_->rounded_entries[at];
  return static_cast<T>(data_->entries[at]);
}

template <class T>
T Table::value(T x, int derivative) const {
  const T place = interval(x), distance = x - entry(place, 0);
  T sum = 0;
  for (int power = degree() - derivative; power >= 0; --power) {
    T coefficient = entry(place, 1 + power + derivative);
    for (int k = 0; k < derivative; ++k) coefficient *= static_cast<T>(power + derivative - k);
    sum = sum * distance + coefficient;
  }
  return sum;
}

template double Table::value(double, int) const;
template quad Table::value(quad, int) const;
template double Table::interval(double) const;
template long double Table::interval(long double) const;
template quad Table::interval(quad) const;
template double Table::entry(double, int) const;
template long double Table::entry(long double, int) const;
template quad Table::entry(quad, int) const;

Expr Table::operator()(Expr argument) const { return look_up(*this, argument); }

}  // namespace noslip

// When steps begin and end between two moments at which something happens.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include <noslip/core/scalar.hpp>

namespace noslip {

/// In the last place, that two times may differ by and still be one moment: both may have been written with 15 digits.
inline constexpr double units_of_moments = 64;

/// Times around t that differ by no more than this are one.
template <class T>
T moment(T t) {
  return T(units_of_moments) * epsilon<T>() * size_of(t);
}

/// Beyond this a double does not know how many steps there are; nobody makes them.
inline constexpr double most_whole_steps = 1LL << 53;

/// How many steps a span of time is, `span` / h, if that is a whole number to rounding error. The quotient is as exact
/// as the span and h are, relative to its own size; and the span is only as exact as the times between which it lies,
/// which may be far larger: `times` / h. These may be off by so many units in the last place.
inline std::optional<long long> whole_steps(double span_in_steps, double times_in_steps, double units) {
  const double rounding = units * std::numeric_limits<double>::epsilon() * std::max(span_in_steps, times_in_steps);
  const double nearest = std::round(span_in_steps);
  if (!(std::fabs(span_in_steps - nearest) <= std::min(0.25, rounding))) return std::nullopt;
  if (!(std::fabs(nearest) <= most_whole_steps)) return std::nullopt;
  return static_cast<long long>(nearest);
}

/// Steps of one size from `begin` to `end`.
template <class T>
struct StepGrid {
  T begin = 0, end = 0, h = 0;
  long long count = 0;
  bool is_divided = false;  ///< steps are smaller than asked for

  StepGrid() = default;
  /// So many.
  StepGrid(T from, T to, long long steps) : begin(from), end(to), h((to - from) / T(steps)), count(steps) {}
  /// Of the size asked for if the time between is a multiple of it, otherwise of the next smaller one that divides it.
  /// If `to` is too far away to be reached, of the size asked for.
  StepGrid(T from, T to, T step) : begin(from), end(to), h(step) {
    const auto ratio = static_cast<double>((to - from) / step);
    if (!(size_of(ratio) <= most_whole_steps)) {
      count = static_cast<long long>(most_whole_steps);
      return;
    }
    const auto times = static_cast<double>(std::max(size_of(from), size_of(to)) / step);
    const long long whole = whole_steps(ratio, times, units_of_moments).value_or(0);
    is_divided = whole < 1;
    count = is_divided ? static_cast<long long>(std::ceil(ratio)) : whole;
    // Beyond double, the times decide to the last digit.
    if (is_divided || !std::is_same_v<T, double>) h = (to - from) / T(count);
  }

  T time(long long i) const { return i == count ? end : begin + T(i) * h; }

  /// For core/archive.hpp.
  template <class To>
  void carry(To& archive) {
    archive(begin, end, h, count, is_divided);
  }
};

}  // namespace noslip

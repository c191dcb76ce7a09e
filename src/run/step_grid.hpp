// When steps begin and end between two moments at which something happens.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <noslip/core/scalar.hpp>

namespace noslip {

/// Times around t that differ by no more than this are one.
template <class T>
T moment(T t) {
  return T(64) * epsilon<T>() * size_of(t);
}

/// Steps of one size from `begin` to `end`: of the size asked for if the time between is a multiple of it, otherwise of
/// the next smaller one that divides it.
template <class T>
struct StepGrid {
  T begin = 0, end = 0, h = 0;
  long long count = 0;
  bool is_divided = false;  ///< steps are smaller than asked for

  StepGrid() = default;
  StepGrid(T from, T to, T step) : begin(from), end(to), h(step) {
    const auto ratio = static_cast<double>((to - from) / step), times = static_cast<double>(size_of(to) / step);
    const double nearest = std::round(ratio);
    const double rounding = 64 * epsilon<double>() * std::max(ratio, times);
    const bool is_whole = nearest >= 1 && std::fabs(ratio - nearest) <= rounding;
    count = static_cast<long long>(is_whole ? nearest : std::ceil(ratio));
    is_divided = !is_whole;
    // Beyond double, the times decide to the last digit.
    if (is_divided || !std::is_same_v<T, double>) h = (to - from) / T(count);
  }

  T time(long long i) const { return i == count ? end : begin + T(i) * h; }
};

}  // namespace noslip

#include "ensemble/draws.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace noslip {
namespace {

/// Coefficients of a power series, the first one first.
template <std::size_t size>
using Series = std::array<double, size>;

template <std::size_t size>
double sum_of(const Series<size>& series, double x) {
  double sum = series[size - 1];
  for (std::size_t i = size - 1; i-- > 0;) sum = sum * x + series[i];
  return sum;
}

/// atanh(s)/s in s^2, for s^2 up to 0.0295: what is left out is 1e-18 of the whole.
constexpr auto atanh_series = [] {
  Series<11> series{};
  for (std::size_t i = 0; i < series.size(); ++i) series[i] = 1 / static_cast<double>(2 * i + 1);
  return series;
}();

/// cos(x) and sin(x)/x in x^2, for x up to a quarter of pi: the same.
template <int first>
constexpr Series<9> circle_series() {
  Series<9> series{};
  double factorial = 1;  // exact up to 18!, with a sign
  for (std::size_t i = 0; i < series.size(); ++i) {
    series[i] = 1 / factorial;
    const auto n = static_cast<double>(2 * i + first);
    factorial *= -(n + 1) * (n + 2);
  }
  return series;
}
constexpr Series<9> cosine_series = circle_series<0>(), sine_series = circle_series<1>();

/// The logarithm of k 2^-53, 1 <= k <= 2^53.
double log_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFU) | 0x3FF0000000000000U);
  if (m > std::numbers::sqrt2) {
    m /= 2;
    ++exponent;
  }
  const double s = (m - 1) / (m + 1);
  return exponent * std::numbers::ln2 + 2 * s * sum_of(atanh_series, s * s);
}

/// cos(2 pi u), 0 <= u < 1. The differences are exact.
double cosine_of_turns(double u) {
  if (u > 0.5) u = 1 - u;
  double sign = 1;
  if (u > 0.25) {
    u = 0.5 - u;
    sign = -1;
  }
  if (u <= 0.125) {
    const double x = 2 * std::numbers::pi * u;
    return sign * sum_of(cosine_series, x * x);
  }
  const double x = 2 * std::numbers::pi * (0.25 - u);
  return sign * x * sum_of(sine_series, x * x);
}

}  // namespace

double uniform_draw(double a, double b, double unit) {
  if (a == b) return a;
  const double width = b - a;
  const double value = std::isfinite(width) ? std::fma(width, unit, a) : std::fma(b, unit, a * (1 - unit));
  return std::clamp(value, a, std::nextafter(b, a));
}

double normal_draw(std::uint64_t first_bits, std::uint64_t second_bits) {
  const double radius = std::sqrt(-2 * log_of(unit_draw(first_bits) + 0x1p-53));
  return radius * cosine_of_turns(unit_draw(second_bits));
}

}  // namespace noslip

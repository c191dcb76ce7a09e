#include <noslip/run/turns.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

#include <noslip/core/scalar.hpp>

namespace noslip {
namespace {

/// Beyond this a number has no digits left to tell where in its turn it is, or hardly any.
constexpr double largest_angle = 1e15;

template <class T>
constexpr int digits() {
  return std::is_same_v<T, quad> ? 113 : std::numeric_limits<T>::digits;
}

/// A sum or a product as it is rounded, and what rounding took from it.
template <class T>
struct Rounded {
  T value, error;
};

template <class T>
Rounded<T> sum_of(T a, T b) {
  const T value = a + b, other = value - a;
  return {value, (a - (value - other)) + (b - other)};
}

template <class T>
Rounded<T> product_of(T a, T b) {
  const auto upper_half = [](T x) {
    const T factor = T(1ULL << ((digits<T>() + 1) / 2)) + 1;
    const T large = factor * x;
    return large - (large - x);
  };
  const T value = a * b, a1 = upper_half(a), b1 = upper_half(b), a2 = a - a1, b2 = b - b1;
  return {value, ((a1 * b1 - value) + a1 * b2 + a2 * b1) + a2 * b2};
}

}  // namespace

template <class T>
FullTurn<T>::FullTurn() {
  // 2 pi in pieces that do not overlap: 53 digits each.
  for (const double piece : {0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52, -0x1.f1976b7ed8fbcp-108,
                             0x1.4cf98e804177dp-162, 0x1.31d89cd9128a5p-216}) {
    const Rounded<T> sum = sum_of(high, T(piece));
    high = sum.value;
    low += sum.error;
  }
}

template <class T>
Turns<T>::Turns(std::span<const int> angles, int lanes)
    : angles_(angles.begin(), angles.end()), lanes_(lanes), turns_(angles.size() * static_cast<std::size_t>(lanes)) {}

template <class T>
void Turns<T>::reset(int lane) {
  for (std::size_t i = static_cast<std::size_t>(lane); i < turns_.size(); i += lanes_) turns_[i] = 0;
}

template <class T>
void Turns<T>::move(std::size_t angle, int lane, T* values, T* lows) {
  const int slot = angles_[angle] * lanes_ + lane;
  const T value = values[slot];
  if (!(value < T(largest_angle) && value > -T(largest_angle))) return;
  const T half = value < 0 ? -T(0.5) : T(0.5);
  const T turns = T(static_cast<long long>(value / turn_.high + half));
  const Rounded<T> off = product_of(turns, turn_.high);
  // The difference is exact: both numbers are of about the same size.
  const Rounded<T> rest = sum_of(value - off.value, -(off.error + turns * turn_.low));
  values[slot] = rest.value;
  lows[slot] += rest.error;
  turns_[angle * lanes_ + lane] += turns;
}

template <class T>
T Turns<T>::unfolded(int index, int lane, T value, T low) const {
  const auto found = std::find(angles_.begin(), angles_.end(), index);
  if (found == angles_.end()) return value;
  const T turns = turns_[static_cast<std::size_t>(found - angles_.begin()) * lanes_ + lane];
  if (turns == 0) return value;
  const Rounded<T> off = product_of(turns, turn_.high);
  const Rounded<T> sum = sum_of(off.value, value);
  return sum.value + (sum.error + (off.error + turns * turn_.low + low));
}

template struct FullTurn<double>;
template struct FullTurn<long double>;
template struct FullTurn<quad>;
template class Turns<double>;
template class Turns<long double>;
template class Turns<quad>;

}  // namespace noslip

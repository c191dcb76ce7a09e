#include <noslip/lie/quaternion.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <quadmath.h>

namespace noslip {
namespace {

double square_root(double x) { return std::sqrt(x); }
long double square_root(long double x) { return std::sqrt(x); }
quad square_root(quad x) { return sqrtq(x); }

}  // namespace

template <class T>
std::array<T, 4> quaternion_of(std::span<const T> rotation) {
  assert(rotation.size() == 9);
  const auto r = [&](int i, int j) { return rotation[static_cast<std::size_t>(3 * i + j)]; };
  // Row k of 4 q q^T. The diagonal sums to 4: the row with the largest one is far from zero.
  const T wx = r(2, 1) - r(1, 2), wy = r(0, 2) - r(2, 0), wz = r(1, 0) - r(0, 1);
  const T xy = r(1, 0) + r(0, 1), xz = r(0, 2) + r(2, 0), yz = r(2, 1) + r(1, 2);
  const T ww = 1 + r(0, 0) + r(1, 1) + r(2, 2), xx = 1 + r(0, 0) - r(1, 1) - r(2, 2);
  const T yy = 1 - r(0, 0) + r(1, 1) - r(2, 2), zz = 1 - r(0, 0) - r(1, 1) + r(2, 2);
  const std::array<std::array<T, 4>, 4> rows{{{ww, wx, wy, wz}, {wx, xx, xy, xz}, {wy, xy, yy, yz}, {wz, xz, yz, zz}}};
  const std::array<T, 4> sizes{ww, xx, yy, zz};
  const auto largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  std::array<T, 4> q = rows[static_cast<std::size_t>(largest)];
  const T length = square_root(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const T divisor = q[0] < 0 ? -length : length;
  for (T& component : q) component /= divisor;
  return q;
}

template <class T>
std::array<T, 4> quaternion_of(std::span<const T> rotation, const std::array<T, 4>& near) {
  std::array<T, 4> q = quaternion_of(rotation);
  if (q[0] * near[0] + q[1] * near[1] + q[2] * near[2] + q[3] * near[3] < 0) {
    for (T& component : q) component = -component;
  }
  return q;
}

template <class T>
std::array<T, 9> rotation_of(const std::array<T, 4>& quaternion) {
  const auto& [w, x, y, z] = quaternion;
  const T s = 2 / (w * w + x * x + y * y + z * z);
  return {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
          s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
          s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
}

template std::array<double, 4> quaternion_of(std::span<const double>);
template std::array<double, 4> quaternion_of(std::span<const double>, const std::array<double, 4>&);
template std::array<double, 9> rotation_of(const std::array<double, 4>&);
template std::array<long double, 4> quaternion_of(std::span<const long double>);
template std::array<long double, 4> quaternion_of(std::span<const long double>, const std::array<long double, 4>&);
template std::array<long double, 9> rotation_of(const std::array<long double, 4>&);
template std::array<quad, 4> quaternion_of(std::span<const quad>);
template std::array<quad, 4> quaternion_of(std::span<const quad>, const std::array<quad, 4>&);
template std::array<quad, 9> rotation_of(const std::array<quad, 4>&);

}  // namespace noslip

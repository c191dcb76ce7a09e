// Rotations as unit quaternions (w, x, y, z), for output and for pictures: rotation matrices are what is computed with.
#pragma once

#include <array>
#include <span>

#include <noslip/core/scalar.hpp>

namespace noslip {

/// Of the rotation matrix given by its rows (9 numbers), with w >= 0; good to rounding for every rotation. Of a matrix
/// that is orthogonal only up to a small error: a unit quaternion that is as close.
template <class T>
std::array<T, 4> quaternion_of(std::span<const T> rotation);
/// Of the two quaternions of a rotation, q and -q, the one that is closer to `near`, so that a motion has no jumps.
template <class T>
std::array<T, 4> quaternion_of(std::span<const T> rotation, const std::array<T, 4>& near);

/// The matrix by rows. The length of the quaternion does not matter; zero has no rotation (the result is not finite).
template <class T>
std::array<T, 9> rotation_of(const std::array<T, 4>& quaternion);

extern template std::array<double, 4> quaternion_of(std::span<const double>);
extern template std::array<double, 4> quaternion_of(std::span<const double>, const std::array<double, 4>&);
extern template std::array<double, 9> rotation_of(const std::array<double, 4>&);
extern template std::array<long double, 4> quaternion_of(std::span<const long double>);
extern template std::array<long double, 4> quaternion_of(std::span<const long double>,
                                                         const std::array<long double, 4>&);
extern template std::array<long double, 9> rotation_of(const std::array<long double, 4>&);
extern template std::array<quad, 4> quaternion_of(std::span<const quad>);
extern template std::array<quad, 4> quaternion_of(std::span<const quad>, const std::array<quad, 4>&);
extern template std::array<quad, 9> rotation_of(const std::array<quad, 4>&);

}  // namespace noslip

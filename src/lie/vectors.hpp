// Vectors and matrices of three dimensions, of expressions. Zero entries cost nothing: they vanish on the way in.
#pragma once

#include <array>
#include <cstddef>

#include <noslip/expr/graph.hpp>

namespace noslip::lie {

using Vector3 = std::array<Expr, 3>;
using Matrix3 = std::array<Vector3, 3>;

inline Expr dot(const Vector3& a, const Vector3& b) { return noslip::dot(*a[0].graph, a, b); }

inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Vector3 operator*(Expr factor, const Vector3& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }
inline Vector3 operator*(const Number& factor, const Vector3& a) { return a[0].graph->constant(factor) * a; }
inline Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

inline Matrix3 operator*(Expr factor, const Matrix3& m) { return {factor * m[0], factor * m[1], factor * m[2]}; }
inline Matrix3 operator*(const Number& factor, const Matrix3& m) { return m[0][0].graph->constant(factor) * m; }
inline Matrix3 operator+(const Matrix3& a, const Matrix3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Matrix3 operator-(const Matrix3& a, const Matrix3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector3 operator*(const Matrix3& m, const Vector3& a) { return {dot(m[0], a), dot(m[1], a), dot(m[2], a)}; }

/// a^: a^ u = a x u
inline Matrix3 hat(const Vector3& a) {
  const Expr zero = a[0].graph->constant(0);
  return {{{zero, -a[2], a[1]}, {a[2], zero, -a[0]}, {-a[1], a[0], zero}}};
}

/// a b^T
inline Matrix3 outer(const Vector3& a, const Vector3& b) {
  Matrix3 m;
  for (std::size_t i = 0; i < 3; ++i) m[i] = a[i] * b;
  return m;
}

/// a^ b^ = b a^T - (a.b) 1, where the diagonal is made of the terms that do not cancel.
inline Matrix3 hats(const Vector3& a, const Vector3& b) {
  Matrix3 m = outer(b, a);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    m[i][i] = -(a[j] * b[j] + a[k] * b[k]);
  }
  return m;
}

/// a^ b^ + b^ a^, the derivative of the square of a^ in the direction b^.
inline Matrix3 symmetric_hats(const Vector3& a, const Vector3& b) { return hats(a, b) + hats(b, a); }

inline Matrix3 diagonal(Expr value) {
  const Expr zero = value.graph->constant(0);
  return {{{value, zero, zero}, {zero, value, zero}, {zero, zero, value}}};
}

}  // namespace noslip::lie

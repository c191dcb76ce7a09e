// Small dense matrices, in tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <quadmath.h>
#include <utility>
#include <vector>

#include <noslip/core/scalar.hpp>

namespace noslip::testing {

template <class T>
using Vector = std::vector<T>;
template <class T>
using Matrix = std::vector<std::vector<T>>;

inline double size_of(double x) { return std::fabs(x); }
inline long double size_of(long double x) { return std::fabs(x); }
inline quad size_of(quad x) { return fabsq(x); }

template <class T>
Matrix<T> zeros(std::size_t rows, std::size_t columns) {
  return Matrix<T>(rows, Vector<T>(columns));
}

template <class T>
Matrix<T> unit(std::size_t n) {
  Matrix<T> m = zeros<T>(n, n);
  for (std::size_t i = 0; i < n; ++i) m[i][i] = 1;
  return m;
}

/// a + factor b
template <class T>
Vector<T> sum(Vector<T> a, const Vector<T>& b, T factor = 1) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
  return a;
}

template <class T>
Matrix<T> sum(Matrix<T> a, const Matrix<T>& b, T factor = 1) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = sum(a[i], b[i], factor);
  return a;
}

template <class T>
Vector<T> scaled(T factor, Vector<T> a) {
  for (T& x : a) x *= factor;
  return a;
}

template <class T>
Matrix<T> multiplied(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> m = zeros<T>(a.size(), b.front().size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      for (std::size_t j = 0; j < m[i].size(); ++j) m[i][j] += a[i][k] * b[k][j];
    }
  }
  return m;
}

template <class T>
Vector<T> multiplied(const Matrix<T>& a, const Vector<T>& x) {
  Vector<T> y(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += a[i][j] * x[j];
  }
  return y;
}

/// a^-1 b, by elimination with pivots.
template <class T>
Matrix<T> solved(Matrix<T> a, Matrix<T> b) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (size_of(a[i][k]) > size_of(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const T factor = a[i][k] / a[k][k];
      a[i] = sum(a[i], a[k], -factor);
      b[i] = sum(b[i], b[k], -factor);
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] = scaled(1 / a[i][i], b[i]);
  return b;
}

/// The matrix exponential by scaling and squaring.
inline Matrix<quad> exponential(const Matrix<quad>& a) {
  constexpr int halvings = 10, terms = 20;
  const std::size_t n = a.size();
  const Matrix<quad> small = sum(zeros<quad>(n, n), a, quad(1) / (1 << halvings));
  // e^a - 1, so that squaring does not lose what is small.
  Matrix<quad> power = small, result = small;
  for (int k = 2; k <= terms; ++k) {
    power = sum(zeros<quad>(n, n), multiplied(power, small), quad(1) / k);
    result = sum(result, power);
  }
  for (int k = 0; k < halvings; ++k) result = sum(multiplied(result, result), result, quad(2));
  return sum(unit<quad>(n), result);
}

template <class T>
T largest(const Vector<T>& a) {
  T result = 0;
  for (const T x : a) result = size_of(x) <= result ? result : size_of(x);  // not a number stays
  return result;
}

template <class T>
T largest(const Matrix<T>& a) {
  Vector<T> rows;
  for (const Vector<T>& row : a) rows.push_back(largest(row));
  return largest(rows);
}

/// The largest difference of two entries.
template <class V>
double distance(const V& a, const V& b) {
  return a.size() == b.size() ? static_cast<double>(largest(sum(a, b, static_cast<decltype(largest(a))>(-1)))) : NAN;
}

}  // namespace noslip::testing

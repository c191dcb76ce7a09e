// Small vectors and matrices of the conditions on tableaux.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

#include <noslip/core/scalar.hpp>

namespace noslip {

/// Keeps the largest magnitude; something that is not a number stays, so that a broken tableau never looks perfect.
inline void take_larger(quad& largest, quad value) {
  const quad magnitude = value < 0 ? -value : value;
  if (largest == largest && !(magnitude <= largest)) largest = magnitude;
}

/// Entry by entry.
inline std::vector<quad> times(const std::vector<quad>& a, const std::vector<quad>& b) {
  std::vector<quad> product(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) product[i] = a[i] * b[i];
  return product;
}

inline quad dot(const std::vector<quad>& a, const std::vector<quad>& b) {
  assert(a.size() == b.size());
  quad sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline std::vector<quad> multiply(const std::vector<std::vector<quad>>& matrix, const std::vector<quad>& column) {
  std::vector<quad> product(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) product[i] = dot(matrix[i], column);
  return product;
}

inline std::vector<quad> multiply(const std::vector<quad>& row, const std::vector<std::vector<quad>>& matrix) {
  std::vector<quad> product(row.size(), 0);
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (std::size_t j = 0; j < row.size(); ++j) product[j] += row[i] * matrix[i][j];
  }
  return product;
}

}  // namespace noslip

#include "lie/coefficients.hpp"

#include <cassert>

namespace noslip::lie {
namespace {

constexpr std::size_t coefficient_count = 8;

/// Enough for the first term that is left out to be below the rounding of quadruple precision at |w| = 2 pi.
constexpr int terms = 28;

Number reciprocal_factorial(int n) {
  Number result = 1;
  for (int i = 2; i <= n; ++i) result = result / i;
  return result;
}

Expr series(Expr z, int k) {
  Expr result = z.graph->constant(reciprocal_factorial(2 * (terms - 1) + k));
  for (int j = terms - 2; j >= 0; --j) result = reciprocal_factorial(2 * j + k) - z * result;
  return result;
}

}  // namespace

std::vector<Expr> coefficients(Retraction map, Expr z) {
  if (map == Retraction::cay) return {z.graph->alias(1 / (z / 2 + 2))};
  // What depends on the series is differentiated by z once, not by every component of w.
  const Expr shared = z.graph->alias(z);
  std::vector<Expr> c(coefficient_count);
  for (std::size_t k = coefficient_count; k-- > 0;) {
    const int n = static_cast<int>(k);
    c[k] = k + 2 < coefficient_count ? reciprocal_factorial(n) - shared * c[k + 2] : series(shared, n);
  }
  return c;
}

Expr slope(Retraction map, std::span<const Expr> c, std::size_t k) {
  if (map == Retraction::cay) return -(powi(c[k], 2) / 2);
  assert(k + 2 < c.size());
  return (Number(static_cast<int>(k)) * c[k + 2] - c[k + 1]) / 2;
}

}  // namespace noslip::lie

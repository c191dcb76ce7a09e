// Gauss-Legendre collocation for any number of stages.
//
// With P_k the Legendre polynomials and x_i the zeros of P_s, on [0, 1] the nodes are c_i = (1 + x_i)/2 and the weights
// b_i = 1/((1 - x_i^2) P_s'(x_i)^2). The quadrature is exact up to degree 2s - 1, so the Lagrange polynomials of the
// nodes have the Legendre coefficients l_j = sum_{k < s} (2k + 1) b_j P_k(x_j) P_k, and the integral of P_k from -1 to
// x is (P_{k+1}(x) - P_{k-1}(x))/(2k + 1). Their sum, with P_s(x_i) = 0 and like products gathered, is
//
//   a_ij = b_j/2 (1 + S_ij),   S_ij = sum_{k=0}^{s-2} [P_{k+1}(x_i) P_k(x_j) - P_k(x_i) P_{k+1}(x_j)].
//
// S is antisymmetric, which is symplecticity, and changes sign with both x, which is symmetry: both hold to the last
// bit of the sums whatever rounding does. No linear system is solved, so nothing gets lost for many stages.
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

#include <noslip/core/error.hpp>
#include <noslip/tableau/tableau.hpp>

namespace noslip {
namespace {

constexpr int most_stages = 64;

/// P_0(x) ... P_n(x) by the three-term recurrence, which is stable on [-1, 1].
std::vector<quad> legendre(int n, quad x) {
  std::vector<quad> p(static_cast<std::size_t>(n) + 1);
  p[0] = 1;
  if (n > 0) p[1] = x;
  for (int k = 1; k < n; ++k) p[k + 1] = ((2 * k + 1) * x * p[k] - k * p[k - 1]) / (k + 1);
  return p;
}

/// P_n'(x) from P_{n-1}(x) and P_n(x), |x| < 1. At a zero of P_n that is off by d its relative error is of order d/(1 -
/// x^2) only, n times smaller than without the term with P_n.
quad legendre_derivative(int n, quad x, const std::vector<quad>& p) {
  return n * (p[n - 1] - x * p[n]) / ((1 - x) * (1 + x));
}

/// The i-th zero of P_n from the right, i = 0 ... n/2 - 1: Newton from an asymptotic estimate good to about n^-4.
quad legendre_zero(int n, int i) {
  const double angle = std::numbers::pi * (4.0 * i + 3) / (4.0 * n + 2);
  quad x = (1 - (n - 1) / (8.0 * n * n * n)) * std::cos(angle);
  for (int iteration = 0; iteration < 20; ++iteration) {
    const std::vector<quad> p = legendre(n, x);
    const quad correction = p[n] / legendre_derivative(n, x, p);
    x -= correction;
    // Convergence is quadratic: the error left is below the square of this, times at most a few thousand.
    if (correction < 1e-19 && correction > -1e-19) break;
  }
  return x;
}

}  // namespace

Tableau gauss(int stages) {
  if (stages < 1 || stages > most_stages) {
    throw InputError(
        "Gauss methods have 1 to " + std::to_string(most_stages) + " stages, not " + std::to_string(stages),
        "choose a number of stages in that range");
  }
  const int s = stages;
  const auto size = static_cast<std::size_t>(s);
  Tableau tableau;
  tableau.name = "Gauss, " + std::to_string(s) + (s == 1 ? " stage" : " stages");
  tableau.provenance =
      "Gauss-Legendre collocation (Hairer, Lubich & Wanner, Geometric Numerical Integration, II.1.3), computed from "
      "Legendre polynomials in quadruple precision";
  tableau.c.assign(size, quad(1) / 2);
  tableau.b.assign(size, 1);
  tableau.a.assign(size, std::vector<quad>(size, quad(1) / 2));

  std::vector<std::vector<quad>> p(size);  // P_0 ... P_s at the nodes
  for (int i = 0; 2 * i < s; ++i) {
    const int low = i, high = s - 1 - i;
    const quad x = low == high ? quad(0) : legendre_zero(s, i);
    p[high] = legendre(s, x);
    p[low] = legendre(s, -x);
    // 1 - c is exact for c >= 1/2, so the two nodes add up to one without rounding.
    tableau.c[high] = (1 + x) / 2;
    tableau.c[low] = 1 - tableau.c[high];
    const quad derivative = legendre_derivative(s, x, p[high]);
    tableau.b[low] = tableau.b[high] = 1 / ((1 - x) * (1 + x) * derivative * derivative);
  }
  for (int i = 0; i < s; ++i) {
    for (int j = 0; j < s; ++j) {
      quad antisymmetric = 0;
      for (int k = s - 2; k >= 0; --k) antisymmetric += p[i][k + 1] * p[j][k] - p[i][k] * p[j][k + 1];
      tableau.a[i][j] = tableau.b[j] * (1 + antisymmetric) / 2;
    }
  }
  return tableau;
}

}  // namespace noslip

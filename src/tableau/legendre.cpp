// Nodes by Newton's method, weights and matrices from sums of Legendre polynomials.
#include "legendre.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include <noslip/core/error.hpp>

namespace noslip {
namespace {

constexpr int most_stages = 64;

/// P_n'(x) from P_{n-1}(x) and P_n(x), |x| < 1, n > 0.
quad legendre_derivative(int n, quad x, const std::vector<quad>& p) {
  return n * (p[n - 1] - x * p[n]) / ((1 - x) * (1 + x));
}

/// Estimate of the k-th zero from the right, k = 1 ... n, of the Jacobi polynomial of degree n whose weight function is
/// (1 - x)^alpha (1 + x)^beta, good to about n^-4 inside (Gatteschi & Pittaluga 1985). The zeros asked for below are
/// such zeros: of P_s for alpha = beta = 0, P_s - P_{s-1} for 1 and 0, P_{n+1}' for 1 and 1.
quad jacobi_zero_estimate(int n, int alpha, int beta, int k) {
  const double m = 2 * n + alpha + beta + 1;
  const double angle = std::numbers::pi * (4 * k + 2 * alpha - 1) / (2 * m);
  const double t = std::tan(angle / 2);
  return std::cos(angle + ((0.25 - alpha * alpha) / t - (0.25 - beta * beta) * t) / (m * m));
}

/// Newton's method for one unknown; correction(x) is what x is too large by. (That of solve/newton.hpp is out of sight:
/// tableaux depend on expressions only.)
quad newton(quad x, const std::function<quad(quad)>& correction) {
  for (int iteration = 0; iteration < 20; ++iteration) {
    const quad step = correction(x);
    x -= step;
    // Convergence is quadratic: the error left is below the square of this, times at most a few thousand.
    if (step < 1e-19 && step > -1e-19) break;
  }
  return x;
}

/// Weights and values of polynomials for nodes that are known. The formula integrates P_k P_l exactly for k, l < s but
/// for, with Lobatto nodes, k = l = N. So the weights are 1/sum_k P_k(x_j)^2/g_k with g_k = 1/(2k + 1), the mean of
/// P_k^2 on [-1, 1], and what the formula gives for it, `1/last_inverse_norm`, for k = N. A sum of positive terms
/// that changes slowly with x: unlike the closed forms with P_N(x_j) or a derivative it does not magnify the rounding
/// of nodes near the ends.
LegendreGrid grid_on(std::vector<quad> x, int last_inverse_norm) {
  LegendreGrid grid;
  const int s = static_cast<int>(x.size());
  for (const quad node : x) {
    grid.p.push_back(legendre(s - 1, node));
    const std::vector<quad>& p = grid.p.back();
    quad sum = last_inverse_norm * p[s - 1] * p[s - 1];
    for (int k = s - 2; k >= 0; --k) sum += (2 * k + 1) * p[k] * p[k];
    grid.b.push_back(1 / sum);
  }
  grid.x = std::move(x);
  return grid;
}

/// c for x, so that those for x and -x add up to one exactly: 1 - c is exact for c >= 1/2.
quad to_unit_interval(quad x) { return x < 0 ? 1 - (1 - x) / 2 : (1 + x) / 2; }

/// b (1 + excess)/2, so that those for an excess and its negative add up to b exactly: b - a is exact for a in
/// [b/2, 2b], and no excess is above 3.
quad coefficient(quad b, quad excess) { return excess < 0 ? b - b * (1 - excess) / 2 : b * (1 + excess) / 2; }

}  // namespace

std::vector<quad> legendre(int n, quad x) {
  std::vector<quad> p(static_cast<std::size_t>(n) + 1);
  // The three-term recurrence is stable on [-1, 1].
  p[0] = 1;
  if (n > 0) p[1] = x;
  for (int k = 1; k < n; ++k) p[k + 1] = ((2 * k + 1) * x * p[k] - k * p[k - 1]) / (k + 1);
  return p;
}

LegendreGrid gauss_grid(int s) {
  std::vector<quad> x(static_cast<std::size_t>(s), 0);
  for (int k = 1; 2 * k <= s; ++k) {
    x[s - k] = newton(jacobi_zero_estimate(s, 0, 0, k), [s](quad at) {
      const std::vector<quad> p = legendre(s, at);
      return p[s] / legendre_derivative(s, at, p);
    });
    x[k - 1] = -x[s - k];
  }
  return grid_on(std::move(x), 2 * s - 1);
}

LegendreGrid radau_right_grid(int s) {
  std::vector<quad> x(static_cast<std::size_t>(s), 1);
  for (int k = 1; k < s; ++k) {
    x[s - 1 - k] = newton(jacobi_zero_estimate(s - 1, 1, 0, k), [s](quad at) {
      const std::vector<quad> p = legendre(s, at);
      return (p[s] - p[s - 1]) / (legendre_derivative(s, at, p) - legendre_derivative(s - 1, at, p));
    });
  }
  return grid_on(std::move(x), 2 * s - 1);
}

LegendreGrid radau_left_grid(int s) {
  std::vector<quad> x = radau_right_grid(s).x;
  std::reverse(x.begin(), x.end());
  for (quad& node : x) node = -node;
  return grid_on(std::move(x), 2 * s - 1);
}

LegendreGrid lobatto_grid(int s) {
  const int n = s - 1;
  std::vector<quad> x(static_cast<std::size_t>(s), 0);
  x.front() = -1;
  x.back() = 1;
  for (int k = 1; 2 * k < n; ++k) {
    x[n - k] = newton(jacobi_zero_estimate(n - 1, 1, 1, k), [n](quad at) {
      // P_n'/P_n'', with P_n'' from the differential equation of P_n.
      const std::vector<quad> p = legendre(n, at);
      const quad derivative = legendre_derivative(n, at, p);
      return derivative * (1 - at) * (1 + at) / (2 * at * derivative - n * (n + 1) * p[n]);
    });
    x[k] = -x[n - k];
  }
  return grid_on(std::move(x), n);
}

quad antisymmetric_sum(const LegendreGrid& grid, int terms, int i, int j) {
  const std::vector<quad>&p = grid.p[i], &q = grid.p[j];
  quad sum = 0;
  for (int k = terms - 1; k >= 0; --k) sum += p[k + 1] * q[k] - p[k] * q[k + 1];
  return sum;
}

void check_stages(const std::string& family, int least, int stages) {
  if (stages >= least && stages <= most_stages) return;
  throw InputError(family + " methods have " + std::to_string(least) + " to " + std::to_string(most_stages) +
                       " stages, not " + std::to_string(stages),
                   "choose a number of stages in that range");
}

Tableau make_tableau(const std::string& family, const std::string& provenance, const LegendreGrid& grid,
                     const std::function<quad(int, int)>& excess) {
  const int s = grid.size();
  Tableau tableau;
  tableau.name = family + ", " + std::to_string(s) + (s == 1 ? " stage" : " stages");
  tableau.provenance = provenance + ", computed from Legendre polynomials in quadruple precision";
  tableau.b = grid.b;
  for (int i = 0; i < s; ++i) {
    tableau.c.push_back(to_unit_interval(grid.x[i]));
    tableau.a.emplace_back();
    for (int j = 0; j < s; ++j) tableau.a[i].push_back(coefficient(grid.b[j], excess(i, j)));
  }
  return tableau;
}

}  // namespace noslip

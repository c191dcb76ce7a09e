// Lobatto quadrature, and integrals of the Lagrange polynomials on Gauss nodes up to other nodes. With the Legendre
// coefficients of legendre.hpp,
//
//   int_0^c l_j = b_j/2 [1 + x + sum_{k=1}^{s-1} P_k(x_j) (P_{k+1}(x) - P_{k-1}(x))],   c = (1 + x)/2.
//
// At the ends of the interval these are 0 and b_j, and are set to that.
#include <noslip/tableau/tableau.hpp>

#include "tableau/legendre.hpp"

namespace noslip {

Tableau lobatto_quadrature(int nodes) {
  check_stages("Lobatto", 1, nodes - 1);
  Tableau result{"Lobatto quadrature", "zeros of (1 - x^2) P'(x) with the Legendre polynomial P", {}, {}, {}};
  const LegendreGrid grid = lobatto_grid(nodes);
  result.b = grid.b;
  for (int i = 0; i < nodes; ++i) {
    // Sums of a node and its mirror image are one without rounding.
    result.c.push_back(grid.x[i] < 0 ? (1 + grid.x[i]) / 2 : 1 - (1 - grid.x[i]) / 2);
  }
  return result;
}

std::vector<std::vector<quad>> gauss_integrals(int stages, const std::vector<quad>& nodes) {
  check_stages("Gauss", 1, stages);
  const LegendreGrid grid = gauss_grid(stages);
  std::vector<std::vector<quad>> rows;
  for (const quad c : nodes) {
    const quad x = 2 * c - 1;
    const std::vector<quad> p = legendre(stages, x);
    rows.emplace_back();
    for (int j = 0; j < stages; ++j) {
      quad sum = 1 + x;
      for (int k = 1; k < stages; ++k) sum += grid.p[j][k] * (p[k + 1] - p[k - 1]);
      rows.back().push_back(c == 0 ? quad(0) : c == 1 ? grid.b[j] : grid.b[j] / 2 * sum);
    }
  }
  return rows;
}

}  // namespace noslip

// Gauss-Legendre collocation for any number of stages.
//
// The excess of legendre.hpp is the antisymmetric sum alone: the term that the integral of P_N leaves has the factor
// P_s(x_i) = 0. That it is antisymmetric is symplecticity, that it changes sign with both x is symmetry.
#include "legendre.hpp"

namespace noslip {

Tableau gauss(int stages) {
  check_stages("Gauss", 1, stages);
  const LegendreGrid grid = gauss_grid(stages);
  return make_tableau("Gauss",
                      "Gauss-Legendre collocation (Hairer, Lubich & Wanner, Geometric Numerical Integration, II.1.3)",
                      grid, [&](int i, int j) { return antisymmetric_sum(grid, stages - 1, i, j); });
}

}  // namespace noslip

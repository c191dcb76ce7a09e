// Radau IA and IIA for any number of stages.
//
// IIA is collocation at the zeros of P_s - P_N: the integral of P_N leaves a term with P_s(x_i) = P_N(x_i), and the
// excess of legendre.hpp is e_ij = S_ij + P_N(x_i) P_N(x_j). The condition D(s) that defines IA gives the same formula
// at the zeros of P_s + P_N. Where a factor P_k is taken at the end of the interval the sums telescope to one: the last
// row of IIA and the first column of IA, which are set to what they are.
#include "legendre.hpp"

namespace noslip {
namespace {

quad excess(const LegendreGrid& grid, int i, int j) {
  const int n = grid.size() - 1;
  return antisymmetric_sum(grid, n, i, j) + grid.p[i][n] * grid.p[j][n];
}

}  // namespace

Tableau radau_ia(int stages) {
  check_stages("Radau IA", 1, stages);
  const LegendreGrid grid = radau_left_grid(stages);
  return make_tableau("Radau IA",
                      "Radau nodes with c_1 = 0 and condition D(s) (Ehle 1969; Hairer & Wanner, Solving Ordinary "
                      "Differential Equations II, IV.5)",
                      grid, [&](int i, int j) { return j == 0 ? quad(1) : excess(grid, i, j); });
}

Tableau radau_iia(int stages) {
  check_stages("Radau IIA", 1, stages);
  const LegendreGrid grid = radau_right_grid(stages);
  return make_tableau("Radau IIA",
                      "collocation at Radau nodes with c_s = 1 (Ehle 1969; Hairer & Wanner, Solving Ordinary "
                      "Differential Equations II, IV.5)",
                      grid, [&](int i, int j) { return i + 1 == stages ? quad(1) : excess(grid, i, j); });
}

}  // namespace noslip

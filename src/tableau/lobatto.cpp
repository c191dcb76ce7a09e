// Lobatto IIIA, IIIB, IIIC, IIIC* and IIID for any number of stages.
//
// On Lobatto nodes the integral of P_N vanishes (P_s(x_i) = P_{N-1}(x_i)), and so the excess of legendre.hpp is, with R
// the antisymmetric sum up to k = N - 2 and S = R + P_N(x_i) P_{N-1}(x_j) - P_{N-1}(x_i) P_N(x_j) the one up to N - 1,
//
//   IIIA, collocation, C(s):           e_ij = R_ij + P_N(x_i) P_{N-1}(x_j)
//   IIIB, D(s):                        e_ij = R_ij - P_{N-1}(x_i) P_N(x_j)
//   IIIC, a_i1 = b_1 and C(s - 1):     e_ij = S_ij + P_N(x_i) P_N(x_j)
//   IIIC*, a_is = 0 and C(s - 1):      e_ij = S_ij - P_N(x_i) P_N(x_j)
//   IIID, mean of IIIC and IIIC*:      e_ij = S_ij
//
// In this form one sees the rest: partners of a symplectic pair have e_ij and -e_ji, adjoint methods change the sign of
// e when both x change theirs. At the ends of the interval the sums telescope to 1 or -1, and those entries are set to
// what they are: a row or column of b or of zeros.
#include "legendre.hpp"

namespace noslip {
namespace {

constexpr const char* jay =
    "Jay 1998, Structure preservation for constrained dynamics with super partitioned additive Runge-Kutta methods";

/// R_ij + P_N(x_i) P_{N-1}(x_j). The ends are rows: 0 and b.
quad excess_a(const LegendreGrid& grid, int i, int j) {
  const int n = grid.size() - 1;
  if (i == 0 || i == n) return i == 0 ? -1 : 1;
  return antisymmetric_sum(grid, n - 1, i, j) + grid.p[i][n] * grid.p[j][n - 1];
}

quad excess_d(const LegendreGrid& grid, int i, int j) { return antisymmetric_sum(grid, grid.size() - 1, i, j); }

/// S_ij + P_N(x_i) P_N(x_j). The first column is b_1, the last row b.
quad excess_c(const LegendreGrid& grid, int i, int j) {
  const int n = grid.size() - 1;
  if (j == 0 || i == n) return 1;
  return excess_d(grid, i, j) + grid.p[i][n] * grid.p[j][n];
}

}  // namespace

Tableau lobatto_iiia(int stages) {
  check_stages("Lobatto IIIA", 2, stages);
  const LegendreGrid grid = lobatto_grid(stages);
  return make_tableau("Lobatto IIIA",
                      "collocation at Lobatto nodes (Hairer, Lubich & Wanner, Geometric Numerical Integration, II.1.3)",
                      grid, [&](int i, int j) { return excess_a(grid, i, j); });
}

Tableau lobatto_iiib(int stages) {
  check_stages("Lobatto IIIB", 2, stages);
  const LegendreGrid grid = lobatto_grid(stages);
  return make_tableau(
      "Lobatto IIIB",
      "Lobatto nodes and condition D(s) (Hairer, Lubich & Wanner, Geometric Numerical Integration, II.1.4)", grid,
      [&](int i, int j) { return -excess_a(grid, j, i); });
}

Tableau lobatto_iiic(int stages) {
  check_stages("Lobatto IIIC", 2, stages);
  const LegendreGrid grid = lobatto_grid(stages);
  return make_tableau("Lobatto IIIC",
                      "Lobatto nodes, a_i1 = b_1 and condition C(s-1) (Chipman 1971; Hairer & Wanner, Solving Ordinary "
                      "Differential Equations II, IV.5)",
                      grid, [&](int i, int j) { return excess_c(grid, i, j); });
}

Tableau lobatto_iiic_star(int stages) {
  check_stages("Lobatto IIIC*", 2, stages);
  const LegendreGrid grid = lobatto_grid(stages);
  return make_tableau("Lobatto IIIC*", std::string("the adjoint of Lobatto IIIC (") + jay + ")", grid,
                      [&](int i, int j) { return -excess_c(grid, j, i); });
}

Tableau lobatto_iiid(int stages) {
  check_stages("Lobatto IIID", 2, stages);
  const LegendreGrid grid = lobatto_grid(stages);
  return make_tableau("Lobatto IIID", std::string("the mean of Lobatto IIIC and IIIC* (") + jay + ")", grid,
                      [&](int i, int j) { return excess_d(grid, i, j); });
}

}  // namespace noslip

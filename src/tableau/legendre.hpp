// Legendre polynomials on the nodes of a quadrature formula, and the Runge-Kutta matrices that they make.
//
// Legend: x in [-1, 1], c = (1 + x)/2 in [0, 1]; s nodes x_i with weights b_i that add up to one; P_k Legendre
// polynomials; N = s - 1.
//
// All families here are written as a_ij = b_j/2 (1 + e_ij). What they have in common is the antisymmetric
//
//   S_ij = sum_{k=0}^{N-1} [P_{k+1}(x_i) P_k(x_j) - P_k(x_i) P_{k+1}(x_j)],
//
// which comes from the integrals of P_k from -1 to x, (P_{k+1}(x) - P_{k-1}(x))/(2k + 1), and the Legendre coefficients
// (2k + 1) b_j P_k(x_j) of the Lagrange polynomials of the nodes. The families differ in terms with P_N. (This is the
// W-transformation of Hairer & Wanner, Solving Ordinary Differential Equations II, IV.5, multiplied out.) No linear
// system is solved, so nothing gets lost for many stages.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <noslip/tableau/tableau.hpp>

namespace noslip {

/// P_0(x) ... P_n(x) for x in [-1, 1].
std::vector<quad> legendre(int n, quad x);

/// The nodes of a quadrature formula on [-1, 1], increasing; its weights on [0, 1]; and p[i][k] = P_k(x_i), k < s.
struct LegendreGrid {
  std::vector<quad> x, b;
  std::vector<std::vector<quad>> p;

  int size() const { return static_cast<int>(x.size()); }
};

/// Grids with s nodes: zeros of P_s; of P_s - P_{s-1} (with x_s = 1); of P_s + P_{s-1} (x_1 = -1); of (1 - x^2) P_N'.
/// Symmetric ones are symmetric to the last bit, and the left Radau grid is the mirror image of the right one.
LegendreGrid gauss_grid(int s);
LegendreGrid radau_right_grid(int s);
LegendreGrid radau_left_grid(int s);
LegendreGrid lobatto_grid(int s);

/// sum_{k < terms} [P_{k+1}(x_i) P_k(x_j) - P_k(x_i) P_{k+1}(x_j)], antisymmetric to the last bit.
quad antisymmetric_sum(const LegendreGrid& grid, int terms, int i, int j);

/// InputError unless `stages` is from `least` to 64; `family` as in "Gauss".
void check_stages(const std::string& family, int least, int stages);

/// The tableau with a_ij = b_j/2 (1 + excess(i, j)). Values for an excess and its negative add up to b_j without
/// rounding, as do c for x and -x to one: symmetric grids with an excess that changes sign under reflection give
/// symmetric tableaux to the last bit.
Tableau make_tableau(const std::string& family, const std::string& provenance, const LegendreGrid& grid,
                     const std::function<quad(int, int)>& excess);

}  // namespace noslip

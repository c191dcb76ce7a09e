// Coefficients of Runge-Kutta families, computed for any number of stages in quadruple precision.
#pragma once

#include <string>
#include <vector>

#include <noslip/core/scalar.hpp>

namespace noslip {

struct Tableau {
  std::string name;        ///< "Gauss, 3 stages"
  std::string provenance;  ///< where the construction comes from
  std::vector<quad> c, b;
  std::vector<std::vector<quad>> a;

  int stages() const { return static_cast<int>(b.size()); }
};

/// Gauss-Legendre collocation, order 2s: B(2s), C(s), D(s). Symmetric, symplectic. `stages` from 1 to 64 (InputError
/// otherwise).
Tableau gauss(int stages);

/// Radau methods of order 2s - 1, 1 to 64 stages (InputError otherwise).
/// IA: c_1 = 0, a_i1 = b_1; B(2s-1), C(s-1), D(s).  IIA: c_s = 1, a_sj = b_j, collocation; B(2s-1), C(s), D(s-1).
Tableau radau_ia(int stages);
Tableau radau_iia(int stages);

/// Lobatto methods of order 2s - 2: c_1 = 0, c_s = 1, B(2s-2), and the same b for all. 2 to 64 stages (InputError
/// otherwise). What is said to be zero or equal to some b is so to the last bit, symmetric ones are symmetric to it.
/// IIIA: collocation, C(s), D(s-2); a_1j = 0, a_sj = b_j; symmetric.
/// IIIB: C(s-2), D(s); a_i1 = b_1, a_is = 0; symmetric. A symplectic pair with IIIA.
/// IIIC: C(s-1), D(s-1); a_i1 = b_1, a_sj = b_j.
/// IIIC*: C(s-1), D(s-1); a_1j = 0, a_is = 0. The adjoint b_j - a_{s+1-i,s+1-j} of IIIC and a symplectic pair with it.
/// IIID: (IIIC + IIIC*)/2; C(s-1), D(s-1); symmetric, symplectic.
Tableau lobatto_iiia(int stages);
Tableau lobatto_iiib(int stages);
Tableau lobatto_iiic(int stages);
Tableau lobatto_iiic_star(int stages);
Tableau lobatto_iiid(int stages);

/// Largest residuals of the simplifying assumptions (Hairer, Lubich & Wanner, Geometric Numerical Integration, II.1):
/// B(p): sum_i b_i c_i^(k-1) = 1/k                        for k = 1 ... p
/// C(q): sum_j a_ij c_j^(k-1) = c_i^k/k                   for k = 1 ... q
/// D(r): sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k)/k     for k = 1 ... r
quad defect_b(const Tableau& tableau, int p);
quad defect_c(const Tableau& tableau, int q);
quad defect_d(const Tableau& tableau, int r);
/// Largest residuals of the mixed simplifying assumptions of a pair with the same nodes c and weights b (assert), where
/// ahat belongs to the partner (Jay 1996, SIAM J. Numer. Anal. 33, 368-387; Martin de Diego and Sato 2022, app. A.3.1):
/// CChat(q): sum_jl a_ij ahat_jl c_l^(k-2) = c_i^k/(k (k-1))                                  for k = 2 ... q
/// DDhat(r): sum_ij b_i c_i^(k-2) a_ij ahat_jl = b_l (k - 1 - k c_l + c_l^k)/(k (k-1))        for k = 2 ... r
/// Symplectic pairs of which the first satisfies B(p) and D(r) satisfy CChat(p - r) and DDhat(p - r) (same place).
quad defect_cc(const Tableau& tableau, const Tableau& partner, int q);
quad defect_dd(const Tableau& tableau, const Tableau& partner, int r);

/// The largest p, q, r for which B(p), C(q), D(r) hold, counted up to 2s, s, s; 0 for one that never holds.
struct SimplifyingAssumptions {
  int p = 0, q = 0, r = 0;
  bool operator==(const SimplifyingAssumptions&) const = default;
};
/// "Holds" means that the residuals, with Legendre polynomials on [0, 1] in the place of powers of c, are at most
/// `tolerance`. Powers hardly tell a high degree from the next one: with 30 stages every defect_b looks like rounding.
/// With Legendre polynomials the families above stay below 1e-33 where an assumption holds, and are above 1e-6 where
/// one fails for the first time. Coefficients that are right to double precision only need a larger tolerance.
SimplifyingAssumptions simplifying_assumptions(const Tableau& tableau, double tolerance = 1e-30);

/// The same for the largest q and r of CChat(q) and DDhat(r), counted up to s + 1; 1, which says nothing, for one that
/// never holds.
struct MixedAssumptions {
  int q = 1, r = 1;
  bool operator==(const MixedAssumptions&) const = default;
};
MixedAssumptions mixed_assumptions(const Tableau& tableau, const Tableau& partner, double tolerance = 1e-30);

/// The order of a method is at least `least` and at most `most`.
struct OrderRange {
  int least = 0, most = 0;
  bool operator==(const OrderRange&) const = default;
};
/// So high are orders known from the conditions of all rooted trees, of one or of two colours; then least == most.
inline constexpr int most_order_by_trees = 12, most_order_of_pairs_by_trees = 8;
/// The order of a Runge-Kutta method, and of a pair of which the first moves some variables and the partner the others.
/// Above what trees tell, `most` is from the quadrature, B(p), and `least`, for one method, from the simplifying
/// assumptions. A condition holds if its residual is at most `tolerance`. Nodes c have no part in the conditions of
/// trees: for time-dependent equations sums of rows of the first method must be c. Cost: up to 1e4 trees of one colour
/// and 3e4 of two, with s^2 multiplications each.
OrderRange order_of(const Tableau& tableau, double tolerance = 1e-30);
OrderRange order_of(const Tableau& tableau, const Tableau& partner, double tolerance = 1e-30);

/// Largest |b_i ahat_ij + bhat_j a_ji - b_i bhat_j|: zero for symplectic pairs (Jay 2009, eq. (6.2b)).
quad defect_symplectic(const Tableau& tableau, const Tableau& partner);
/// Largest defect of the symmetry conditions (Jay 2009, eq. (6.3)).
quad defect_symmetric(const Tableau& tableau);

/// Values at x of the Lagrange polynomials on the nodes (distinct; assert). Each is a product of quotients and so right
/// to a few units in the last place per node, inside the nodes, at a node and far outside.
std::vector<quad> lagrange_weights(const std::vector<quad>& nodes, quad x);

/// Nodes and weights of the Lobatto quadrature on [0, 1], of order 2 nodes - 2; 2 to 65 nodes (InputError otherwise),
/// so that Gauss methods of all numbers of stages s have s + 1 of them. `a` stays empty.
Tableau lobatto_quadrature(int nodes);

/// Integrals from 0 to c of the Lagrange polynomials on the nodes of gauss(stages): one row per c in [0, 1], one column
/// per stage. They satisfy C(s) with these c on the right-hand side (Jay 2007, sec. 3.3).
std::vector<std::vector<quad>> gauss_integrals(int stages, const std::vector<quad>& nodes);

/// The inverse of a square matrix, by elimination with pivoting; empty where it is singular to rounding.
std::vector<std::vector<quad>> inverse_matrix(std::vector<std::vector<quad>> matrix);

}  // namespace noslip

// Which simplifying assumptions a tableau or a pair satisfies.
//
// For a polynomial f in the place of c^(k-1), or of c^(k-2) in mixed ones, they read
//
//   B:      sum_i b_i f(c_i) = int_0^1 f(t) dt
//   C:      sum_j a_ij f(c_j) = int_0^c_i f(t) dt
//   D:      sum_i b_i f(c_i) a_ij = b_j int_c_j^1 f(t) dt
//   CChat:  sum_jl a_ij ahat_jl f(c_l) = int_0^c_i (c_i - t) f(t) dt
//   DDhat:  sum_ij b_i f(c_i) a_ij ahat_jl = b_l int_c_l^1 (t - c_l) f(t) dt
//
// f = P_k(2t - 1) is taken here. Its integral from 0 to c is I_k = (P_{k+1} - P_{k-1})/(2 (2k + 1)) and the integral of
// that J_k = (I_{k+1} - I_{k-1})/(2 (2k + 1)). Integrals up to 1 are those from 0 to 1 - c, with the sign of (-1)^k.
#include <cassert>

#include <noslip/tableau/tableau.hpp>

#include "legendre.hpp"
#include "vectors.hpp"

namespace noslip {
namespace {

using Rows = std::vector<std::vector<quad>>;

/// I_k(x) and J_k(x), x = 2c - 1, from p = P_0(x) ... P_{k+2}(x).
quad integral(const std::vector<quad>& p, int k) {
  return k == 0 ? (p[0] + p[1]) / 2 : (p[k + 1] - p[k - 1]) / (2 * (2 * k + 1));
}

quad double_integral(const std::vector<quad>& p, int k) {
  return k == 0 ? integral(p, 0) * integral(p, 0) / 2 : (integral(p, k + 1) - integral(p, k - 1)) / (2 * (2 * k + 1));
}

/// Legendre polynomials at the nodes: polynomials[k][i] = P_k(x_i); below[i] and above[i] hold P_0 ... at x_i and -x_i.
struct Values {
  Rows polynomials, below, above;

  Values(const std::vector<quad>& c, int highest) : polynomials(static_cast<std::size_t>(highest) + 1) {
    for (const quad node : c) {
      below.push_back(legendre(highest, 2 * node - 1));
      above.push_back(legendre(highest, 1 - 2 * node));
      for (int k = 0; k <= highest; ++k) polynomials[k].push_back(below.back()[k]);
    }
  }
};

quad sign(int k) { return k % 2 == 0 ? 1 : -1; }

/// How many of k = 0 ... most - 1 hold, counted to the first whose residual is above the tolerance or not a number.
template <class Residual>
int count(int most, double tolerance, const Residual& residual) {
  int k = 0;
  while (k < most && residual(k) <= quad(tolerance)) ++k;
  return k;
}

}  // namespace

SimplifyingAssumptions simplifying_assumptions(const Tableau& tableau, double tolerance) {
  const int s = tableau.stages();
  const Values at(tableau.c, 2 * s + 1);
  SimplifyingAssumptions found;
  found.p = count(2 * s, tolerance, [&](int k) {
    quad largest = 0;
    take_larger(largest, dot(tableau.b, at.polynomials[k]) - (k == 0 ? 1 : 0));
    return largest;
  });
  found.q = count(s, tolerance, [&](int k) {
    const std::vector<quad> sums = multiply(tableau.a, at.polynomials[k]);
    quad largest = 0;
    for (int i = 0; i < s; ++i) take_larger(largest, sums[i] - integral(at.below[i], k));
    return largest;
  });
  found.r = count(s, tolerance, [&](int k) {
    const std::vector<quad> sums = multiply(times(tableau.b, at.polynomials[k]), tableau.a);
    quad largest = 0;
    for (int j = 0; j < s; ++j) take_larger(largest, sums[j] - tableau.b[j] * sign(k) * integral(at.above[j], k));
    return largest;
  });
  return found;
}

MixedAssumptions mixed_assumptions(const Tableau& tableau, const Tableau& partner, double tolerance) {
  assert(tableau.c == partner.c && tableau.b == partner.b);
  const int s = tableau.stages();
  const Values at(tableau.c, s + 1);
  MixedAssumptions found;
  found.q = 1 + count(s, tolerance, [&](int k) {
              const std::vector<quad> sums = multiply(tableau.a, multiply(partner.a, at.polynomials[k]));
              quad largest = 0;
              for (int i = 0; i < s; ++i) take_larger(largest, sums[i] - double_integral(at.below[i], k));
              return largest;
            });
  found.r = 1 + count(s, tolerance, [&](int k) {
              const std::vector<quad> sums =
                  multiply(multiply(times(tableau.b, at.polynomials[k]), tableau.a), partner.a);
              quad largest = 0;
              for (int l = 0; l < s; ++l) {
                take_larger(largest, sums[l] - tableau.b[l] * sign(k) * double_integral(at.above[l], k));
              }
              return largest;
            });
  return found;
}

}  // namespace noslip

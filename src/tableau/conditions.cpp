// How far a tableau is from the conditions that decide its order and what it preserves; Lagrange interpolation on
// nodes.
#include <cassert>
#include <cstddef>

#include <noslip/tableau/tableau.hpp>

namespace noslip {
namespace {

/// Keeps the largest magnitude; something that is not a number stays, so that a broken tableau never looks perfect.
void take_larger(quad& largest, quad value) {
  const quad magnitude = value < 0 ? -value : value;
  if (largest == largest && !(magnitude <= largest)) largest = magnitude;
}

std::vector<quad> times(const std::vector<quad>& a, const std::vector<quad>& b) {
  std::vector<quad> product(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) product[i] = a[i] * b[i];
  return product;
}

}  // namespace

quad defect_b(const Tableau& tableau, int p) {
  quad largest = 0;
  std::vector<quad> power(tableau.c.size(), 1);  // c^(k-1)
  for (int k = 1; k <= p; ++k) {
    quad sum = 0;
    for (std::size_t i = 0; i < power.size(); ++i) sum += tableau.b[i] * power[i];
    take_larger(largest, sum - quad(1) / k);
    power = times(power, tableau.c);
  }
  return largest;
}

quad defect_c(const Tableau& tableau, int q) {
  quad largest = 0;
  std::vector<quad> power(tableau.c.size(), 1);  // c^(k-1)
  for (int k = 1; k <= q; ++k) {
    for (std::size_t i = 0; i < power.size(); ++i) {
      quad sum = 0;
      for (std::size_t j = 0; j < power.size(); ++j) sum += tableau.a[i][j] * power[j];
      take_larger(largest, sum - power[i] * tableau.c[i] / k);
    }
    power = times(power, tableau.c);
  }
  return largest;
}

quad defect_d(const Tableau& tableau, int r) {
  quad largest = 0;
  std::vector<quad> power(tableau.c.size(), 1);  // c^(k-1)
  for (int k = 1; k <= r; ++k) {
    for (std::size_t j = 0; j < power.size(); ++j) {
      quad sum = 0;
      for (std::size_t i = 0; i < power.size(); ++i) sum += tableau.b[i] * power[i] * tableau.a[i][j];
      take_larger(largest, sum - tableau.b[j] * (1 - power[j] * tableau.c[j]) / k);
    }
    power = times(power, tableau.c);
  }
  return largest;
}

quad defect_symplectic(const Tableau& tableau, const Tableau& partner) {
  assert(tableau.stages() == partner.stages());
  quad largest = 0;
  for (std::size_t i = 0; i < tableau.b.size(); ++i) {
    for (std::size_t j = 0; j < tableau.b.size(); ++j) {
      take_larger(largest,
                  tableau.b[i] * partner.a[i][j] + partner.b[j] * tableau.a[j][i] - tableau.b[i] * partner.b[j]);
    }
  }
  return largest;
}

quad defect_symmetric(const Tableau& tableau) {
  quad largest = 0;
  const std::size_t s = tableau.b.size();
  for (std::size_t i = 0; i < s; ++i) {
    take_larger(largest, tableau.c[s - 1 - i] + tableau.c[i] - 1);
    take_larger(largest, tableau.b[s - 1 - i] - tableau.b[i]);
    for (std::size_t j = 0; j < s; ++j) {
      take_larger(largest, tableau.a[s - 1 - i][s - 1 - j] + tableau.a[i][j] - tableau.b[j]);
    }
  }
  return largest;
}

std::vector<quad> lagrange_weights(const std::vector<quad>& nodes, quad x) {
  // Quotients of differences lose no digits, and pairing them keeps every factor and product in range.
  std::vector<quad> weights(nodes.size(), 1);
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (k == j) continue;
      assert(nodes[j] != nodes[k]);
      weights[j] *= (x - nodes[k]) / (nodes[j] - nodes[k]);
    }
  }
  return weights;
}

}  // namespace noslip

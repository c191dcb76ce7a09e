// How far a tableau is from the conditions that decide its order and what it preserves.
#include <cassert>
#include <cstddef>

#include <noslip/tableau/tableau.hpp>

#include "vectors.hpp"

namespace noslip {

quad defect_b(const Tableau& tableau, int p) {
  quad largest = 0;
  std::vector<quad> power(tableau.c.size(), 1);  // c^(k-1)
  for (int k = 1; k <= p; ++k) {
    take_larger(largest, dot(tableau.b, power) - quad(1) / k);
    power = times(power, tableau.c);
  }
  return largest;
}

quad defect_c(const Tableau& tableau, int q) {
  quad largest = 0;
  std::vector<quad> power(tableau.c.size(), 1);  // c^(k-1)
  for (int k = 1; k <= q; ++k) {
    const std::vector<quad> sums = multiply(tableau.a, power);
    for (std::size_t i = 0; i < power.size(); ++i) take_larger(largest, sums[i] - power[i] * tableau.c[i] / k);
    power = times(power, tableau.c);
  }
  return largest;
}

quad defect_d(const Tableau& tableau, int r) {
  quad largest = 0;
  std::vector<quad> power(tableau.c.size(), 1);  // c^(k-1)
  for (int k = 1; k <= r; ++k) {
    const std::vector<quad> sums = multiply(times(tableau.b, power), tableau.a);
    for (std::size_t j = 0; j < power.size(); ++j) {
      take_larger(largest, sums[j] - tableau.b[j] * (1 - power[j] * tableau.c[j]) / k);
    }
    power = times(power, tableau.c);
  }
  return largest;
}

quad defect_cc(const Tableau& tableau, const Tableau& partner, int q) {
  assert(tableau.c == partner.c && tableau.b == partner.b);
  quad largest = 0;
  std::vector<quad> power(tableau.c.size(), 1);  // c^(k-2)
  for (int k = 2; k <= q; ++k) {
    const std::vector<quad> sums = multiply(tableau.a, multiply(partner.a, power));
    for (std::size_t i = 0; i < power.size(); ++i) {
      take_larger(largest, sums[i] - power[i] * tableau.c[i] * tableau.c[i] / (k * (k - 1)));
    }
    power = times(power, tableau.c);
  }
  return largest;
}

quad defect_dd(const Tableau& tableau, const Tableau& partner, int r) {
  assert(tableau.c == partner.c && tableau.b == partner.b);
  quad largest = 0;
  std::vector<quad> power(tableau.c.size(), 1);  // c^(k-2)
  for (int k = 2; k <= r; ++k) {
    const std::vector<quad> sums = multiply(multiply(times(tableau.b, power), tableau.a), partner.a);
    for (std::size_t l = 0; l < power.size(); ++l) {
      const quad c = tableau.c[l];
      take_larger(largest, sums[l] - tableau.b[l] * (k - 1 - k * c + power[l] * c * c) / (k * (k - 1)));
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

}  // namespace noslip

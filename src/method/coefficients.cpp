#include "method/coefficients.hpp"

#include <algorithm>

namespace noslip {

std::vector<quad> row_sums(const Tableau& tableau) {
  std::vector<quad> sums;
  for (const std::vector<quad>& row : tableau.a) {
    quad total = 0;
    for (const quad entry : row) total += entry;
    sums.push_back(total);
  }
  return sums;
}

std::vector<quad> continuation(const std::vector<quad>& nodes, quad x) {
  constexpr std::size_t most = 8;
  const quad coincide = quad(1e-20);
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool is_new = std::none_of(distinct.begin(), distinct.end(), [&](std::size_t k) {
      const quad gap = nodes[i] - nodes[k];
      return gap < coincide && gap > -coincide;
    });
    if (is_new) distinct.push_back(i);
  }
  std::sort(distinct.begin(), distinct.end(), [&](std::size_t i, std::size_t k) { return nodes[i] < nodes[k]; });
  if (distinct.size() > most) distinct.erase(distinct.begin(), distinct.end() - most);
  std::vector<quad> used;
  for (const std::size_t i : distinct) used.push_back(nodes[i]);
  const std::vector<quad> at_used = lagrange_weights(used, x);
  std::vector<quad> weights(nodes.size(), quad(0));
  for (std::size_t k = 0; k < distinct.size(); ++k) weights[distinct[k]] = at_used[k];
  return weights;
}

std::vector<quad> next_increment(const std::vector<quad>& times, quad x) {
  std::vector<quad> nodes = {0, 1};
  nodes.insert(nodes.end(), times.begin(), times.end());
  const std::vector<quad> at_nodes = continuation(nodes, 1 + x);
  std::vector<quad> weights(at_nodes.begin() + 2, at_nodes.end());
  weights.push_back(at_nodes[1] - 1);  // the next increment counts from the end of this step
  return weights;
}

std::vector<std::vector<quad>> next_impulses(const Tableau& tableau) {
  const std::size_t s = tableau.b.size();
  const std::vector<quad> times = row_sums(tableau);
  const std::vector<std::vector<quad>> inverse = inverse_matrix(tableau.a);
  std::vector<std::vector<quad>> next(s, std::vector<quad>(s, quad(0)));
  for (std::size_t i = 0; i < s; ++i) {
    if (inverse.empty()) {
      next[i] = continuation(tableau.c, 1 + tableau.c[i]);
      continue;
    }
    const std::vector<quad> weights = next_increment(times, times[i]);
    for (std::size_t l = 0; l < s; ++l) {
      quad increment = weights[s] * tableau.b[l];
      for (std::size_t j = 0; j < s; ++j) increment += weights[j] * tableau.a[j][l];
      for (std::size_t k = 0; k < s; ++k) next[k][l] += inverse[k][i] * increment;
    }
  }
  return next;
}

std::vector<std::vector<quad>> moments(const Tableau& tableau, int rows) {
  const std::size_t s = tableau.b.size();
  std::vector<std::vector<quad>> omega;
  std::vector<quad> before(s, quad(0)), legendre(s, quad(1));
  for (int i = 0; i < rows; ++i) {
    omega.emplace_back();
    for (std::size_t j = 0; j < s; ++j) {
      omega[i].push_back(tableau.b[j] * legendre[j]);
      const quad x = 2 * tableau.c[j] - 1;
      const quad next = ((2 * i + 1) * x * legendre[j] - i * before[j]) / (i + 1);
      before[j] = legendre[j];
      legendre[j] = next;
    }
  }
  return omega;
}

}  // namespace noslip

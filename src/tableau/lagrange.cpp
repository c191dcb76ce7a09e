// Lagrange interpolation on nodes.
#include <cassert>
#include <cstddef>

#include <noslip/tableau/tableau.hpp>

namespace noslip {

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

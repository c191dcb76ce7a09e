// Gauss-Jordan elimination of a small matrix.
#include <utility>

#include <noslip/tableau/tableau.hpp>

namespace noslip {

namespace {

quad size_of(quad x) { return x < 0 ? -x : x; }

}  // namespace

std::vector<std::vector<quad>> inverse_matrix(std::vector<std::vector<quad>> matrix) {
  const std::size_t n = matrix.size();
  const quad negligible = quad(1e-25);
  std::vector<std::vector<quad>> inverse(n, std::vector<quad>(n, quad(0)));
  for (std::size_t i = 0; i < n; ++i) inverse[i][i] = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (size_of(matrix[i][k]) > size_of(matrix[pivot][k])) pivot = i;
    }
    if (size_of(matrix[pivot][k]) < negligible) return {};
    std::swap(matrix[k], matrix[pivot]);
    std::swap(inverse[k], inverse[pivot]);
    const quad scale = 1 / matrix[k][k];
    for (std::size_t j = 0; j < n; ++j) {
      matrix[k][j] *= scale;
      inverse[k][j] *= scale;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const quad factor = matrix[i][k];
      for (std::size_t j = 0; j < n; ++j) {
        matrix[i][j] -= factor * matrix[k][j];
        inverse[i][j] -= factor * inverse[k][j];
      }
    }
  }
  return inverse;
}

}  // namespace noslip

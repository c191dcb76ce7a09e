// Inverses of small matrices.
#include <gtest/gtest.h>

#include <noslip/tableau/tableau.hpp>

namespace noslip {
namespace {

using Matrix = std::vector<std::vector<quad>>;

double largest_defect(const Matrix& a, const Matrix& inverse) {
  quad largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      quad sum = i == j ? -1 : 0;
      for (std::size_t k = 0; k < a.size(); ++k) sum += a[i][k] * inverse[k][j];
      if (sum < 0) sum = -sum;
      if (sum > largest) largest = sum;
    }
  }
  return static_cast<double>(largest);
}

TEST(InverseMatrix, OfGaussMatrices) {
  for (const int s : {1, 2, 3, 6, 12, 24, 64}) {
    const Matrix a = gauss(s).a;
    const Matrix inverse = inverse_matrix(a);
    ASSERT_EQ(inverse.size(), a.size());
    EXPECT_LT(largest_defect(a, inverse), 1e-31) << s << " stages";
  }
}

TEST(InverseMatrix, NeedsPivoting) {
  const Matrix inverse = inverse_matrix({{0, 2}, {quad(1) / 2, 0}});
  EXPECT_TRUE(inverse == (Matrix{{0, 2}, {quad(1) / 2, 0}}));
}

TEST(InverseMatrix, OfANearlySingularMatrixHasTheDigitsThatAreLeft) {
  for (const double apart : {1e-6, 1e-12, 1e-20}) {
    const Matrix a = {{1, 1}, {1, 1 + quad(apart)}};
    const Matrix inverse = inverse_matrix(a);
    ASSERT_EQ(inverse.size(), 2U) << apart;
    EXPECT_LT(largest_defect(a, inverse), 1e-32 / apart);
    const quad expected = 1 / (a[1][1] - 1);
    EXPECT_NEAR(static_cast<double>(inverse[1][1] / expected), 1, 1e-13) << apart;
  }
}

TEST(InverseMatrix, OfASingularMatrixIsEmpty) {
  EXPECT_TRUE(inverse_matrix({{1, 2}, {2, 4}}).empty());
  EXPECT_TRUE(inverse_matrix({{0}}).empty());
}

}  // namespace
}  // namespace noslip

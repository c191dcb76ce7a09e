// Gauss coefficients: closed forms, order conditions and what they preserve.
#include <quadmath.h>

#include <gtest/gtest.h>

#include <noslip/tableau/tableau.hpp>

namespace noslip {
namespace {

double magnitude(quad x) { return static_cast<double>(x < 0 ? -x : x); }

TEST(Gauss, OneStageIsTheMidpointRule) {
  const Tableau tableau = gauss(1);
  EXPECT_TRUE(tableau.c == std::vector<quad>{quad(1) / 2});
  EXPECT_TRUE(tableau.b == std::vector<quad>{1});
  EXPECT_TRUE(tableau.a[0] == std::vector<quad>{quad(1) / 2});
  EXPECT_EQ(tableau.stages(), 1);
  EXPECT_EQ(tableau.name, "Gauss, 1 stage");
}

TEST(Gauss, TwoStagesInClosedForm) {
  const Tableau tableau = gauss(2);
  const quad r = sqrtq(3) / 6;
  const quad half = quad(1) / 2, quarter = quad(1) / 4;
  EXPECT_LT(magnitude(tableau.c[0] - (half - r)), 1e-33);
  EXPECT_LT(magnitude(tableau.c[1] - (half + r)), 1e-33);
  const quad a[2][2] = {{quarter, quarter - r}, {quarter + r, quarter}};
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT(magnitude(tableau.b[i] - half), 1e-33);
    for (int j = 0; j < 2; ++j) EXPECT_LT(magnitude(tableau.a[i][j] - a[i][j]), 1e-33);
  }
  EXPECT_EQ(tableau.name, "Gauss, 2 stages");
}

TEST(Gauss, ThreeStagesInClosedForm) {
  const Tableau tableau = gauss(3);
  const quad r = sqrtq(15);
  const quad c[3] = {quad(1) / 2 - r / 10, quad(1) / 2, quad(1) / 2 + r / 10};
  const quad b[3] = {quad(5) / 18, quad(4) / 9, quad(5) / 18};
  const quad a[3][3] = {{quad(5) / 36, quad(2) / 9 - r / 15, quad(5) / 36 - r / 30},
                        {quad(5) / 36 + r / 24, quad(2) / 9, quad(5) / 36 - r / 24},
                        {quad(5) / 36 + r / 30, quad(2) / 9 + r / 15, quad(5) / 36}};
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(magnitude(tableau.c[i] - c[i]), 1e-33);
    EXPECT_LT(magnitude(tableau.b[i] - b[i]), 1e-33);
    for (int j = 0; j < 3; ++j) EXPECT_LT(magnitude(tableau.a[i][j] - a[i][j]), 1e-33);
  }
}

TEST(Gauss, HasExactlyOrderTwiceItsStages) {
  // The first condition that fails does so by the quadrature error of x^(2s) on [0, 1]: (s!)^4 / ((2s + 1) ((2s)!)^2).
  for (int s = 1; s <= 20; ++s) {
    quad expected = quad(1) / (2 * s + 1);
    for (int k = 1; k <= s; ++k) expected *= quad(k) * k / (quad(s + k) * (s + k));
    const Tableau tableau = gauss(s);
    EXPECT_NEAR(magnitude(defect_b(tableau, 2 * s + 1) / expected), 1, 1e-6) << s << " stages";
    EXPECT_GT(magnitude(defect_c(tableau, s + 1)), magnitude(expected)) << s << " stages";
  }
}

class GaussOfAnySize : public testing::TestWithParam<int> {};

TEST_P(GaussOfAnySize, SatisfiesTheOrderConditions) {
  const int s = GetParam();
  const Tableau tableau = gauss(s);
  // Sums of s products with coefficients up to one: rounding grows like s at most.
  const double bound = s <= 20 ? 1e-33 : 1e-33 * s / 20;
  EXPECT_LT(magnitude(defect_b(tableau, 2 * s)), bound);
  EXPECT_LT(magnitude(defect_c(tableau, s)), bound);
  EXPECT_LT(magnitude(defect_d(tableau, s)), bound);
  EXPECT_LT(magnitude(defect_symplectic(tableau, tableau)), bound);
  EXPECT_LT(magnitude(defect_symmetric(tableau)), bound);
}

TEST_P(GaussOfAnySize, NodesIncreaseInsideAndPairExactly) {
  const int s = GetParam();
  const Tableau tableau = gauss(s);
  for (int i = 0; i < s; ++i) {
    EXPECT_TRUE(tableau.c[i] > 0 && tableau.c[i] < 1 && tableau.b[i] > 0);
    EXPECT_TRUE(i == 0 || tableau.c[i] > tableau.c[i - 1]);
    EXPECT_TRUE(1 - tableau.c[i] == tableau.c[s - 1 - i]);
    EXPECT_TRUE(tableau.b[i] == tableau.b[s - 1 - i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Stages, GaussOfAnySize,
                         testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 19, 20, 25, 32, 40, 51, 63, 64));

}  // namespace
}  // namespace noslip

// Lagrange polynomials on nodes, and defects that notice what is wrong.
#include <gtest/gtest.h>

#include <noslip/tableau/tableau.hpp>

namespace noslip {
namespace {

double magnitude(quad x) { return static_cast<double>(x < 0 ? -x : x); }

quad power(quad x, int n) {
  quad result = 1;
  for (int i = 0; i < n; ++i) result *= x;
  return result;
}

TEST(LagrangeWeights, AreUnitVectorsAtTheNodes) {
  const std::vector<quad> nodes = gauss(7).c;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::vector<quad> weights = lagrange_weights(nodes, nodes[i]);
    for (std::size_t j = 0; j < nodes.size(); ++j) EXPECT_TRUE(weights[j] == quad(i == j ? 1 : 0));
  }
}

TEST(LagrangeWeights, ReproducePolynomials) {
  for (const int s : {1, 2, 3, 8, 20, 64}) {
    const std::vector<quad> nodes = gauss(s).c;
    for (const double x : {0.0, 0.3, 0.5, 1.0}) {
      const std::vector<quad> weights = lagrange_weights(nodes, x);
      for (int degree = 0; degree < s; ++degree) {
        quad value = 0;
        for (int j = 0; j < s; ++j) value += weights[j] * power(nodes[j], degree);
        EXPECT_LT(magnitude(value - power(x, degree)), 1e-31) << s << " nodes, x = " << x << ", degree " << degree;
      }
    }
  }
}

TEST(LagrangeWeights, ExtrapolateToTheNextStep) {
  // Exact in rationals: nodes 0, 1/2, 1 at x = 2 give 3, -8, 6.
  const std::vector<quad> weights = lagrange_weights({0, quad(1) / 2, 1}, 2);
  EXPECT_TRUE(weights[0] == 3);
  EXPECT_TRUE(weights[1] == -8);
  EXPECT_TRUE(weights[2] == 6);
}

TEST(LagrangeWeights, OfOneNodeIsOne) { EXPECT_TRUE(lagrange_weights({quad(1) / 2}, 17) == std::vector<quad>{1}); }

TEST(LagrangeWeights, IntegrateToTheMatrix) {
  // The tableau is the integral of the Lagrange polynomials; Gauss quadrature on [0, c_i] is exact for them.
  const int s = 6;
  const Tableau tableau = gauss(s);
  for (int i = 0; i < s; ++i) {
    std::vector<quad> integral(s, 0);
    for (int k = 0; k < s; ++k) {
      const std::vector<quad> weights = lagrange_weights(tableau.c, tableau.c[i] * tableau.c[k]);
      for (int j = 0; j < s; ++j) integral[j] += tableau.c[i] * tableau.b[k] * weights[j];
    }
    for (int j = 0; j < s; ++j) EXPECT_LT(magnitude(integral[j] - tableau.a[i][j]), 1e-33);
  }
}

TEST(Defects, MeasureKnownTableaux) {
  // Explicit Euler: only B(1) and, since its node is 0, C(1).
  Tableau euler;
  euler.c = {0};
  euler.b = {1};
  euler.a = {{0}};
  EXPECT_TRUE(defect_b(euler, 1) == 0);
  EXPECT_TRUE(defect_b(euler, 2) == quad(1) / 2);
  EXPECT_TRUE(defect_c(euler, 1) == 0);
  EXPECT_TRUE(defect_d(euler, 1) == 1);
  EXPECT_TRUE(defect_symplectic(euler, euler) == 1);
  EXPECT_TRUE(defect_symmetric(euler) == 1);
  // Explicit and implicit Euler are a symplectic pair.
  Tableau implicit = euler;
  implicit.c = {1};
  implicit.a = {{1}};
  EXPECT_TRUE(defect_symplectic(euler, implicit) == 0);
  EXPECT_TRUE(defect_symplectic(implicit, euler) == 0);
}

TEST(Defects, SeeEveryCoefficient) {
  const quad change = 1e-20;
  for (int k = 0; k < 3; ++k) {
    Tableau tableau = gauss(3);
    tableau.b[k] += change;
    EXPECT_GT(magnitude(defect_b(tableau, 6)), 0.9e-20);
    for (int j = 0; j < 3; ++j) {
      tableau = gauss(3);
      tableau.a[k][j] += change;
      EXPECT_GT(magnitude(defect_c(tableau, 3)), 0.9e-20);
      EXPECT_GT(magnitude(defect_d(tableau, 3)), 0.2e-20);
      EXPECT_GT(magnitude(defect_symplectic(tableau, tableau)), 0.2e-20);
      EXPECT_GT(magnitude(defect_symmetric(tableau)), 0.9e-20);
    }
  }
}

TEST(Defects, DoNotHideWhatIsNotANumber) {
  Tableau tableau = gauss(2);
  tableau.a[0][1] = __builtin_nan("");
  EXPECT_FALSE(defect_c(tableau, 2) < 1);
  EXPECT_FALSE(defect_d(tableau, 2) < 1);
  EXPECT_FALSE(defect_symplectic(tableau, tableau) < 1);
  EXPECT_FALSE(defect_symmetric(tableau) < 1);
}

}  // namespace
}  // namespace noslip

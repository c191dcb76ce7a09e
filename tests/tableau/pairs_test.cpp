// What the families have to do with each other: symplectic pairs, adjoints, mixed assumptions, and what SPARK methods
// for constraints ask for.
#include <gtest/gtest.h>

#include "families.hpp"

namespace noslip {
namespace {

/// b_i ahat_ij + b_j a_ji = b_i b_j solved for ahat.
Tableau symplectic_partner(Tableau tableau) {
  const std::vector<std::vector<quad>> a = tableau.a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) tableau.a[i][j] = tableau.b[j] * (1 - a[j][i] / tableau.b[i]);
  }
  return tableau;
}

TEST(Pairs, AreSymplectic) {
  for (const int s : sizes()) {
    if (s < 2) continue;
    // Residuals are products of two coefficients of size 1/s, each right to about a unit relative to that.
    const double bound = 4.0 / (s * s);
    const Tableau a = lobatto_iiia(s), b = lobatto_iiib(s), c = lobatto_iiic(s), star = lobatto_iiic_star(s);
    const Tableau d = lobatto_iiid(s);
    EXPECT_LT(units(defect_symplectic(a, b)), bound) << s;
    EXPECT_LT(units(defect_symplectic(b, a)), bound) << s;
    EXPECT_LT(units(defect_symplectic(c, star)), bound) << s;
    EXPECT_LT(units(defect_symplectic(star, c)), bound) << s;
    EXPECT_LT(units(defect_symplectic(d, d)), bound) << s;
    EXPECT_TRUE(defect_symplectic(a, a) > 1e-8 && defect_symplectic(c, c) > 1e-8) << s;
  }
}

TEST(Pairs, AdjointsAndMeansAreWhatTheyAreCalled) {
  for (const int s : sizes()) {
    if (s < 2) continue;
    const Tableau c = lobatto_iiic(s), star = lobatto_iiic_star(s), d = lobatto_iiid(s);
    for (int i = 0; i < s; ++i) {
      for (int j = 0; j < s; ++j) {
        EXPECT_TRUE(star.a[i][j] + c.a[s - 1 - i][s - 1 - j] == c.b[j]) << s << " stages, " << i << ", " << j;
        // Three coefficients, each up to 2 b_j and rounded a few times on the way.
        EXPECT_LE(units(d.a[i][j] - (c.a[i][j] + star.a[i][j]) / 2), static_cast<double>(4 * d.b[j]))
            << s << " stages, " << i << ", " << j;
      }
    }
  }
}

TEST(Pairs, RadauFamiliesAreMirrorImages) {
  // Mirrored nodes, and the adjoint of the symplectic partner: b_j - a_{s+1-i,s+1-j} of IIA's partner is IA.
  for (const int s : sizes()) {
    const Tableau ia = radau_ia(s), iia = radau_iia(s), partner = symplectic_partner(iia);
    for (int i = 0; i < s; ++i) {
      EXPECT_LE(units(ia.c[i] + iia.c[s - 1 - i] - 1), 0.5) << s;
      EXPECT_TRUE(ia.b[i] == iia.b[s - 1 - i]) << s;
      for (int j = 0; j < s; ++j) {
        EXPECT_LE(units(ia.a[i][j] + partner.a[s - 1 - i][s - 1 - j] - ia.b[j]), 8.0 / s) << s;
      }
    }
  }
}

TEST(MixedAssumptions, OfLobattoPairs) {
  // Martin de Diego and Sato 2022, app. A.3.1: CChat(s), DDhat(s) for IIIA-IIIB and s - 2 the other way round; of s - 2
  // < 1 nothing is left but 1.
  for (const int s : sizes()) {
    if (s < 2) continue;
    const Tableau a = lobatto_iiia(s), b = lobatto_iiib(s), c = lobatto_iiic(s), star = lobatto_iiic_star(s);
    const Tableau d = lobatto_iiid(s);
    const int low = s > 2 ? s - 2 : 1;
    EXPECT_EQ(mixed_assumptions(a, b), (MixedAssumptions{s, s})) << s;
    EXPECT_EQ(mixed_assumptions(b, a), (MixedAssumptions{low, low})) << s;
    EXPECT_EQ(mixed_assumptions(c, star), (MixedAssumptions{s - 1, s - 1})) << s;
    EXPECT_EQ(mixed_assumptions(star, c), (MixedAssumptions{s - 1, s - 1})) << s;
    EXPECT_EQ(mixed_assumptions(d, d), (MixedAssumptions{s - 1, s - 1})) << s;
    // The pairs of SPARK methods that are not symplectic.
    EXPECT_EQ(mixed_assumptions(a, c), (MixedAssumptions{s, s})) << s;
    EXPECT_EQ(mixed_assumptions(a, star), (MixedAssumptions{s, s})) << s;
    EXPECT_EQ(mixed_assumptions(a, d), (MixedAssumptions{s, s})) << s;
  }
}

TEST(MixedAssumptions, FollowFromThoseOfSymplecticPairs) {
  // p - r for any symplectic pair, here also with partners that have no name.
  for (const TableauFamily& family : families()) {
    for (const int s : {2, 3, 4, 7, 12, 40}) {
      const Tableau tableau = family.make(s);
      const int expected = 2 * s + family.p - (s + family.r);
      const MixedAssumptions found = mixed_assumptions(tableau, symplectic_partner(tableau));
      EXPECT_EQ(found, (MixedAssumptions{expected > 1 ? expected : 1, expected > 1 ? expected : 1})) << tableau.name;
    }
  }
}

TEST(MixedAssumptions, HaveSmallResiduals) {
  for (const int s : sizes()) {
    if (s < 2) continue;
    const double bound = 3 + s / 16.0;
    const Tableau a = lobatto_iiia(s), b = lobatto_iiib(s), g = gauss(s);
    EXPECT_LT(units(defect_cc(a, b, s)), bound) << s;
    EXPECT_LT(units(defect_dd(a, b, s)), bound / s) << s;
    EXPECT_LT(units(defect_cc(b, a, s - 2)), bound) << s;
    EXPECT_LT(units(defect_dd(b, a, s - 2)), bound / s) << s;
    EXPECT_LT(units(defect_cc(g, g, s)), bound) << s;
    EXPECT_LT(units(defect_dd(g, g, s)), bound / s) << s;
  }
}

TEST(MixedAssumptions, MeasureKnownPairs) {
  // Trapezoidal rule twice: A A e = (0, 1/2) = c^2/2, and A A c = (0, 1/4) where c^3/6 = (0, 1/6);
  // b A A = (1/8, 1/8), where (1 - 2 c + c^2)/4 = (1/4, 0).
  const Tableau a = lobatto_iiia(2);
  EXPECT_TRUE(defect_cc(a, a, 1) == 0 && defect_dd(a, a, 1) == 0);
  EXPECT_TRUE(defect_cc(a, a, 2) == 0);
  EXPECT_LE(units(defect_cc(a, a, 3) - quad(1) / 12), 1);
  EXPECT_TRUE(defect_dd(a, a, 2) == quad(1) / 8);
  EXPECT_EQ(mixed_assumptions(a, a), (MixedAssumptions{2, 1}));
}

TEST(MixedAssumptions, SeeEveryCoefficientAndWhatIsNotANumber) {
  const Tableau a = lobatto_iiia(4), b = lobatto_iiib(4);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      Tableau wrong = b;
      wrong.a[i][j] += 1e-20;
      EXPECT_GT(static_cast<double>(defect_cc(a, wrong, 4)), 1e-22) << i << ", " << j;
      EXPECT_GT(static_cast<double>(defect_dd(a, wrong, 4)), 1e-23) << i << ", " << j;
      EXPECT_LT(mixed_assumptions(a, wrong).q, 4) << i << ", " << j;
      EXPECT_LT(mixed_assumptions(a, wrong).r, 4) << i << ", " << j;
      wrong.a[i][j] = __builtin_nan("");
      EXPECT_FALSE(defect_cc(a, wrong, 4) < 1);
      EXPECT_FALSE(defect_dd(a, wrong, 4) < 1);
      EXPECT_EQ(mixed_assumptions(a, wrong), (MixedAssumptions{1, 1}));
    }
  }
}

TEST(SimplifyingAssumptions, OfKnownTableaux) {
  // Explicit Euler: B(1) and C(1). Its node is 0, where C(q) holds for all q; counted up to the number of stages.
  Tableau euler;
  euler.c = {0};
  euler.b = {1};
  euler.a = {{0}};
  EXPECT_EQ(simplifying_assumptions(euler), (SimplifyingAssumptions{1, 1, 0}));
  // The classical method of Kutta: B(4), C(1) and D(1).
  const quad half = quad(1) / 2;
  Tableau kutta;
  kutta.c = {0, half, half, 1};
  kutta.b = {quad(1) / 6, quad(1) / 3, quad(1) / 3, quad(1) / 6};
  kutta.a = {{0, 0, 0, 0}, {half, 0, 0, 0}, {0, half, 0, 0}, {0, 0, 1, 0}};
  EXPECT_EQ(simplifying_assumptions(kutta), (SimplifyingAssumptions{4, 1, 1}));
  kutta.b[0] = __builtin_nan("");
  EXPECT_EQ(simplifying_assumptions(kutta), (SimplifyingAssumptions{0, 1, 0}));
}

TEST(SimplifyingAssumptions, OfRoundedCoefficientsNeedATolerance) {
  Tableau rounded = gauss(4);
  for (quad& c : rounded.c) c = static_cast<double>(c);
  for (quad& b : rounded.b) b = static_cast<double>(b);
  for (auto& row : rounded.a) {
    for (quad& a : row) a = static_cast<double>(a);
  }
  EXPECT_LT(simplifying_assumptions(rounded).p, 8);
  EXPECT_EQ(simplifying_assumptions(rounded, 1e-14), (SimplifyingAssumptions{8, 4, 4}));
}

/// The product of two matrices.
std::vector<std::vector<quad>> product(const std::vector<std::vector<quad>>& a,
                                       const std::vector<std::vector<quad>>& b) {
  std::vector<std::vector<quad>> result(a.size(), std::vector<quad>(a.size(), 0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      for (std::size_t j = 0; j < a.size(); ++j) result[i][j] += a[i][k] * b[k][j];
    }
  }
  return result;
}

TEST(Spark, ConditionsOnLobattoMatrices) {
  // Hilden 2009, eq. (2.18): A_1 A_m has a first row of zeros and the same other rows N for all m, and (N; b) is
  // invertible.
  for (const int s : {2, 3, 4, 5, 8, 13, 20}) {
    const Tableau a = lobatto_iiia(s);
    const std::vector<std::vector<quad>> reference = product(a.a, lobatto_iiib(s).a);
    for (const auto family : {lobatto_iiib, lobatto_iiic, lobatto_iiic_star, lobatto_iiid}) {
      std::vector<std::vector<quad>> n = product(a.a, family(s).a);
      for (int j = 0; j < s; ++j) {
        EXPECT_TRUE(n[0][j] == 0) << family(s).name;
        for (int i = 1; i < s; ++i) EXPECT_LE(units(n[i][j] - reference[i][j]), 2) << family(s).name;
      }
      n.erase(n.begin());
      n.push_back(a.b);
      EXPECT_FALSE(inverse_matrix(n).empty()) << family(s).name;
    }
  }
}

}  // namespace
}  // namespace noslip

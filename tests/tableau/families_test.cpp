// What every family promises, for up to 64 stages: conditions to rounding, ends of the interval exactly, refusals.
#include <string>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>

#include "families.hpp"

namespace noslip {
namespace {

class EveryFamily : public testing::TestWithParam<TableauFamily> {};

TEST_P(EveryFamily, SatisfiesItsConditionsToRounding) {
  const TableauFamily& family = GetParam();
  for (const int s : sizes()) {
    if (s < family.least_stages) continue;
    const Tableau tableau = family.make(s);
    // Every coefficient is right to about a unit, and sums with weights b average; what grows slowly are the errors of
    // the recurrence and the sums behind the coefficients. The residuals of D have the size of b, that is 1/s.
    const double bound = 3 + s / 16.0;
    EXPECT_LT(units(defect_b(tableau, 2 * s + family.p)), bound) << tableau.name;
    EXPECT_LT(units(defect_c(tableau, s + family.q)), bound) << tableau.name;
    EXPECT_LT(units(defect_d(tableau, s + family.r)), bound / s) << tableau.name;
  }
}

TEST_P(EveryFamily, SatisfiesNoMoreThanThat) {
  const TableauFamily& family = GetParam();
  for (const int s : sizes()) {
    if (s < family.least_stages) continue;
    const Tableau tableau = family.make(s);
    const SimplifyingAssumptions expected{2 * s + family.p, s + family.q, s + family.r};
    EXPECT_EQ(simplifying_assumptions(tableau, 1e-33), expected) << tableau.name;
    EXPECT_EQ(simplifying_assumptions(tableau, 1e-6), expected) << tableau.name;
  }
  EXPECT_EQ(simplifying_assumptions(family.make(5)),
            (SimplifyingAssumptions{10 + family.p, 5 + family.q, 5 + family.r}));
}

TEST_P(EveryFamily, IsSymmetricToTheLastBitOrNotAtAll) {
  const TableauFamily& family = GetParam();
  for (const int s : sizes()) {
    if (s < family.least_stages) continue;
    const quad defect = defect_symmetric(family.make(s));
    EXPECT_TRUE(family.symmetric ? defect == 0 : defect > 1e-3) << family.name << ", " << s;
  }
}

TEST_P(EveryFamily, HasIncreasingNodesAndPositiveWeights) {
  const TableauFamily& family = GetParam();
  for (const int s : sizes()) {
    if (s < family.least_stages) continue;
    const Tableau tableau = family.make(s);
    ASSERT_EQ(tableau.stages(), s);
    ASSERT_EQ(tableau.c.size(), tableau.b.size());
    ASSERT_EQ(tableau.a.size(), tableau.b.size());
    for (int i = 0; i < s; ++i) {
      ASSERT_EQ(tableau.a[i].size(), tableau.b.size());
      EXPECT_TRUE(tableau.c[i] >= 0 && tableau.c[i] <= 1 && tableau.b[i] > 0) << tableau.name;
      EXPECT_TRUE(i == 0 || tableau.c[i] > tableau.c[i - 1]) << tableau.name;
    }
  }
}

TEST_P(EveryFamily, SaysWhatItIsAndWhereItComesFrom) {
  const TableauFamily& family = GetParam();
  const Tableau tableau = family.make(3);
  EXPECT_EQ(tableau.name, std::string(family.name) + ", 3 stages");
  EXPECT_NE(tableau.provenance.find('('), std::string::npos);
  if (family.least_stages == 1) {
    EXPECT_EQ(family.make(1).name, std::string(family.name) + ", 1 stage");
  }
}

TEST_P(EveryFamily, RefusesStagesOutOfRange) {
  const TableauFamily& family = GetParam();
  for (const int stages : {-3, 0, family.least_stages - 1, 65, 1000}) {
    try {
      family.make(stages);
      FAIL() << family.name << ": " << stages << " stages were accepted";
    } catch (const InputError& error) {
      ASSERT_EQ(error.problems().size(), 1U);
      EXPECT_EQ(error.problems()[0].what, std::string(family.name) + " methods have " +
                                              std::to_string(family.least_stages) + " to 64 stages, not " +
                                              std::to_string(stages));
      EXPECT_FALSE(error.problems()[0].remedy.empty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tableau, EveryFamily, testing::ValuesIn(families()), [](const auto& instance) {
  std::string name;
  for (const char letter : std::string(instance.param.name)) {
    if (letter == '*') name += "Star";
    if (letter != '*' && letter != ' ') name += letter;
  }
  return name;
});

TEST(Lobatto, HasTheSameNodesAndWeightsInEveryFamily) {
  for (const int s : sizes()) {
    if (s < 2) continue;
    const Tableau first = lobatto_iiia(s);
    EXPECT_TRUE(first.c.front() == 0 && first.c.back() == 1);
    for (const auto other : {lobatto_iiib, lobatto_iiic, lobatto_iiic_star, lobatto_iiid}) {
      const Tableau second = other(s);
      EXPECT_TRUE(first.c == second.c && first.b == second.b) << second.name;
    }
  }
}

TEST(Lobatto, RowsAndColumnsAtTheEndsAreExact) {
  for (const int s : sizes()) {
    if (s < 2) continue;
    const Tableau a = lobatto_iiia(s), b = lobatto_iiib(s), c = lobatto_iiic(s), star = lobatto_iiic_star(s);
    const std::vector<quad> zeros(a.b.size(), 0);
    EXPECT_TRUE(a.a.front() == zeros && a.a.back() == a.b) << s;
    EXPECT_TRUE(c.a.back() == c.b) << s;
    EXPECT_TRUE(star.a.front() == zeros) << s;
    for (int i = 0; i < s; ++i) {
      EXPECT_TRUE(b.a[i].front() == b.b.front() && b.a[i].back() == 0) << s;
      EXPECT_TRUE(c.a[i].front() == c.b.front()) << s;
      EXPECT_TRUE(star.a[i].back() == 0) << s;
    }
  }
}

TEST(Radau, RowsAndColumnsAtTheEndsAreExact) {
  for (const int s : sizes()) {
    const Tableau ia = radau_ia(s), iia = radau_iia(s);
    EXPECT_TRUE(ia.c.front() == 0 && iia.c.back() == 1) << s;
    EXPECT_TRUE(iia.a.back() == iia.b) << s;
    for (int i = 0; i < s; ++i) EXPECT_TRUE(ia.a[i].front() == ia.b.front()) << s;
  }
}

}  // namespace
}  // namespace noslip

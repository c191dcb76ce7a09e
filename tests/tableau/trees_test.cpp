// Orders by rooted trees.
#include <gtest/gtest.h>

#include <noslip/tableau/tableau.hpp>

namespace noslip {
namespace {

/// With sums of rows as nodes.
Tableau tableau_of(std::vector<quad> b, std::vector<std::vector<quad>> a) {
  Tableau tableau{"", "", {}, std::move(b), std::move(a)};
  for (const std::vector<quad>& row : tableau.a) {
    quad sum = 0;
    for (const quad entry : row) sum += entry;
    tableau.c.push_back(sum);
  }
  return tableau;
}

const quad one = 1;

TEST(OrderByTrees, OfExplicitMethods) {
  EXPECT_EQ(order_of(tableau_of({1}, {{0}})), (OrderRange{1, 1}));
  EXPECT_EQ(order_of(tableau_of({0, 1}, {{0, 0}, {one / 2, 0}})), (OrderRange{2, 2}));
  const Tableau rk4 = tableau_of({one / 6, one / 3, one / 3, one / 6},
                                 {{0, 0, 0, 0}, {one / 2, 0, 0, 0}, {0, one / 2, 0, 0}, {0, 0, 1, 0}});
  EXPECT_EQ(order_of(rk4), (OrderRange{4, 4}));
  // Simplifying assumptions would prove three.
  EXPECT_EQ(simplifying_assumptions(rk4), (SimplifyingAssumptions{4, 1, 1}));
  // The fifth order of Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19.
  const Tableau dp5 =
      tableau_of({35 * one / 384, 0, 500 * one / 1113, 125 * one / 192, -2187 * one / 6784, 11 * one / 84},
                 {{0, 0, 0, 0, 0, 0},
                  {one / 5, 0, 0, 0, 0, 0},
                  {3 * one / 40, 9 * one / 40, 0, 0, 0, 0},
                  {44 * one / 45, -56 * one / 15, 32 * one / 9, 0, 0, 0},
                  {19372 * one / 6561, -25360 * one / 2187, 64448 * one / 6561, -212 * one / 729, 0, 0},
                  {9017 * one / 3168, -355 * one / 33, 46732 * one / 5247, 49 * one / 176, -5103 * one / 18656, 0}});
  EXPECT_EQ(order_of(dp5), (OrderRange{5, 5}));
  // The two middle nodes are equal: what moves from one to the other is seen by the tall tree of order four alone.
  Tableau wrong = rk4;
  wrong.a[3][1] = one / 1000;
  wrong.a[3][2] -= one / 1000;
  EXPECT_EQ(order_of(wrong), (OrderRange{3, 3}));
}

TEST(OrderByTrees, OfFamilies) {
  for (int s = 1; s <= 5; ++s) {
    EXPECT_EQ(order_of(gauss(s)), (OrderRange{2 * s, 2 * s}));
    EXPECT_EQ(order_of(radau_iia(s)), (OrderRange{2 * s - 1, 2 * s - 1}));
  }
  // Beyond the trees by assumptions.
  EXPECT_EQ(order_of(gauss(6)), (OrderRange{12, 12}));
  EXPECT_EQ(order_of(gauss(9)), (OrderRange{18, 18}));
}

TEST(OrderByTrees, OfPairs) {
  for (int s = 2; s <= 4; ++s) {
    EXPECT_EQ(order_of(lobatto_iiia(s), lobatto_iiib(s)), (OrderRange{2 * s - 2, 2 * s - 2})) << s;
    EXPECT_EQ(order_of(lobatto_iiib(s), lobatto_iiia(s)), (OrderRange{2 * s - 2, 2 * s - 2})) << s;
  }
  EXPECT_EQ(order_of(lobatto_iiia(6), lobatto_iiib(6)), (OrderRange{8, 10}));
  EXPECT_EQ(order_of(gauss(3), gauss(3)), (OrderRange{6, 6}));
  // Both have order two, together they have one: the mixed tree of order two fails.
  const Tableau first = tableau_of({one / 2, one / 2}, {{0, 0}, {1, 0}}),
                second = tableau_of({one / 4, 3 * one / 4}, {{0, 0}, {2 * one / 3, 0}});
  EXPECT_EQ(order_of(first), (OrderRange{2, 2}));
  EXPECT_EQ(order_of(second), (OrderRange{2, 2}));
  EXPECT_EQ(order_of(first, second), (OrderRange{1, 1}));
}

TEST(OrderByTrees, RoundedCoefficientsNeedATolerance) {
  Tableau rounded = gauss(2);
  for (auto* values : {&rounded.b, &rounded.c, &rounded.a[0], &rounded.a[1]}) {
    for (quad& value : *values) value = static_cast<double>(value);
  }
  EXPECT_LT(order_of(rounded).most, 4);
  EXPECT_EQ(order_of(rounded, 1e-14), (OrderRange{4, 4}));
  rounded.a[0][1] = quad(1) / quad(0);
  EXPECT_EQ(order_of(rounded, 1e-14).most, 1);
}

}  // namespace
}  // namespace noslip

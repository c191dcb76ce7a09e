// Tableaux as they are printed: Hilden 2009, app. B, and Jay 2009, sec. 7.
#include <quadmath.h>

#include <gtest/gtest.h>

#include "families.hpp"

namespace noslip {
namespace {

using Matrix = std::vector<std::vector<quad>>;

/// Numerators over one denominator.
std::vector<quad> over(quad denominator, std::vector<quad> numerators) {
  for (quad& entry : numerators) entry /= denominator;
  return numerators;
}

Matrix over(quad denominator, Matrix numerators) {
  for (auto& row : numerators) row = over(denominator, row);
  return numerators;
}

void expect_tableau(const Tableau& tableau, const std::vector<quad>& c, const std::vector<quad>& b, const Matrix& a) {
  ASSERT_EQ(tableau.b.size(), b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    EXPECT_LE(units(tableau.c[i] - c[i]), 1) << tableau.name << ", c " << i;
    EXPECT_LE(units(tableau.b[i] - b[i]), 1) << tableau.name << ", b " << i;
    for (std::size_t j = 0; j < b.size(); ++j) {
      EXPECT_LE(units(tableau.a[i][j] - a[i][j]), 1) << tableau.name << ", a " << i << ", " << j;
    }
  }
}

TEST(Printed, RadauIa) {
  expect_tableau(radau_ia(1), {0}, {1}, {{1}});
  expect_tableau(radau_ia(2), over(3, {0, 2}), over(4, {1, 3}), over(12, Matrix{{3, -3}, {3, 5}}));
  const quad r = sqrtq(6);
  expect_tableau(
      radau_ia(3), over(10, {0, 6 - r, 6 + r}), over(36, {4, 16 + r, 16 - r}),
      over(360,
           Matrix{{40, -20 - 20 * r, -20 + 20 * r}, {40, 88 + 7 * r, 88 - 43 * r}, {40, 88 + 43 * r, 88 - 7 * r}}));
}

TEST(Printed, RadauIia) {
  // Hairer & Wanner II, table IV.5.5 and 5.6.
  expect_tableau(radau_iia(1), {1}, {1}, {{1}});
  expect_tableau(radau_iia(2), over(3, {1, 3}), over(4, {3, 1}), over(12, Matrix{{5, -1}, {9, 3}}));
  const quad r = sqrtq(6);
  expect_tableau(radau_iia(3), over(10, {4 - r, 4 + r, 10}), over(36, {16 - r, 16 + r, 4}),
                 over(1800, Matrix{{440 - 35 * r, 296 - 169 * r, -16 + 24 * r},
                                   {296 + 169 * r, 440 + 35 * r, -16 - 24 * r},
                                   {800 - 50 * r, 800 + 50 * r, 200}}));
}

TEST(Printed, LobattoOfTwoStages) {
  const std::vector<quad> c = {0, 1}, b = over(2, {1, 1});
  expect_tableau(lobatto_iiia(2), c, b, over(2, Matrix{{0, 0}, {1, 1}}));
  expect_tableau(lobatto_iiib(2), c, b, over(2, Matrix{{1, 0}, {1, 0}}));
  expect_tableau(lobatto_iiic(2), c, b, over(2, Matrix{{1, -1}, {1, 1}}));
  expect_tableau(lobatto_iiic_star(2), c, b, Matrix{{0, 0}, {1, 0}});
  expect_tableau(lobatto_iiid(2), c, b, over(4, Matrix{{1, -1}, {3, 1}}));
}

TEST(Printed, LobattoOfThreeStages) {
  const std::vector<quad> c = over(2, {0, 1, 2}), b = over(6, {1, 4, 1});
  expect_tableau(lobatto_iiia(3), c, b, over(24, Matrix{{0, 0, 0}, {5, 8, -1}, {4, 16, 4}}));
  expect_tableau(lobatto_iiib(3), c, b, over(6, Matrix{{1, -1, 0}, {1, 2, 0}, {1, 5, 0}}));
  expect_tableau(lobatto_iiic(3), c, b, over(12, Matrix{{2, -4, 2}, {2, 5, -1}, {2, 8, 2}}));
  expect_tableau(lobatto_iiic_star(3), c, b, over(4, Matrix{{0, 0, 0}, {1, 1, 0}, {0, 4, 0}}));
  expect_tableau(lobatto_iiid(3), c, b, over(24, Matrix{{2, -4, 2}, {5, 8, -1}, {2, 20, 2}}));
  // A zero that no rule for rows or columns foretells, but exact all the same.
  EXPECT_TRUE(lobatto_iiic_star(3).a[2][0] == 0);
}

TEST(Printed, LobattoOfFourStages) {
  const quad r = sqrtq(5);
  const std::vector<quad> c = over(10, {0, 5 - r, 5 + r, 10}), b = over(12, {1, 5, 5, 1});
  expect_tableau(lobatto_iiia(4), c, b,
                 over(120, Matrix{{0, 0, 0, 0},
                                  {11 + r, 25 - r, 25 - 13 * r, -1 + r},
                                  {11 - r, 25 + 13 * r, 25 + r, -1 - r},
                                  {10, 50, 50, 10}}));
  expect_tableau(lobatto_iiib(4), c, b,
                 over(120, Matrix{{10, -5 - 5 * r, -5 + 5 * r, 0},
                                  {10, 25 + r, 25 - 13 * r, 0},
                                  {10, 25 + 13 * r, 25 - r, 0},
                                  {10, 55 - 5 * r, 55 + 5 * r, 0}}));
}

}  // namespace
}  // namespace noslip

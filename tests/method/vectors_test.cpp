// The vector language of methods, against sums that are written out.
#include <gtest/gtest.h>

#include "method/vectors.hpp"

namespace noslip {
namespace {

class VectorLanguage : public ::testing::Test {
 protected:
  Graph graph;
  const Vector a = new_symbols(graph, "a", 2), b = new_symbols(graph, "b", 2), c = new_symbols(graph, "c", 2);
  const Expr f = graph.symbol("f"), g = graph.symbol("g");
  const Vector zero = {};
};

TEST_F(VectorLanguage, OperatorsGoByComponents) {
  EXPECT_EQ(a + b, (Vector{a[0] + b[0], a[1] + b[1]}));
  EXPECT_EQ(a - b, (Vector{a[0] - b[0], a[1] - b[1]}));
  EXPECT_EQ(-a, (Vector{-a[0], -a[1]}));
  EXPECT_EQ(f * a, (Vector{f * a[0], f * a[1]}));
  EXPECT_EQ(2 * a, (Vector{Number(2) * a[0], Number(2) * a[1]}));
  EXPECT_EQ(a / f, (Vector{a[0] / f, a[1] / f}));
  EXPECT_EQ(a / 2, (Vector{a[0] / Number(2), a[1] / Number(2)}));
  EXPECT_EQ(alias(a + b)[1], graph.alias(a[1] + b[1]));
}

TEST_F(VectorLanguage, TheEmptyVectorIsZero) {
  EXPECT_EQ(a + zero, a);
  EXPECT_EQ(zero + a, a);
  EXPECT_EQ(a - zero, a);
  EXPECT_EQ(zero - a, -a);
  EXPECT_EQ(f * zero, zero);
  EXPECT_EQ(2 * zero, zero);
  EXPECT_EQ(sum(Weights{}, Vectors{}), zero);
  EXPECT_EQ(sum(Weights{1, 2}, Vectors{zero, zero}), zero);
  EXPECT_EQ(sum(Weights{2, 1}, Vectors{zero, a}), a);
  EXPECT_EQ(sum(Weights{1, 2}, Vectors{a, zero}), a);
  EXPECT_EQ(sum(Vector{}, Vectors{}), zero);
}

TEST_F(VectorLanguage, SumsHaveTheWeightsOfARow) {
  EXPECT_EQ(sum(Weights{0.5, 0, -3}, Vectors{a, b, c}),
            (Vector{a[0] / Number(2) - Number(3) * c[0], a[1] / Number(2) - Number(3) * c[1]}));
  for (const Expr& x : sum(Weights{0.5, 0, -3}, Vectors{a, b, c})) {
    for (const Expr& y : b) EXPECT_FALSE(depends_on(x, y));
  }
  EXPECT_TRUE(sum(Weights{0, 0}, Vectors{a, b})[1].is_zero());
}

TEST_F(VectorLanguage, MatricesAndTheirTransposes) {
  const Vectors rows = {a, b};
  EXPECT_EQ(rows * c, (Vector{a[0] * c[0] + a[1] * c[1], b[0] * c[0] + b[1] * c[1]}));
  EXPECT_EQ(sum(Vector{f, g}, rows), (Vector{f * a[0] + g * b[0], f * a[1] + g * b[1]}));
}

TEST_F(VectorLanguage, PartsAndReplacements) {
  const Vector both = joined(a, b);
  EXPECT_EQ(head(both, 2), a);
  EXPECT_EQ(tail(both, 2), b);
  EXPECT_EQ(head(both, 0), zero);
  EXPECT_EQ(tail(both, 4), zero);
  EXPECT_EQ(a + zeros(graph, 2), a);
  EXPECT_EQ(a[1].name(), "step.a2");
  Substitution put(graph);
  replace(put, both, {f, g});  // b stays
  EXPECT_EQ(put(a[0] * a[1] + b[1]), f * g + b[1]);
}

}  // namespace
}  // namespace noslip

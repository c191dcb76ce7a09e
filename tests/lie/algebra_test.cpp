// Tangents, adjoints and commutators, against matrices and against each other.
#include "lie/help.hpp"

namespace noslip::testing {
namespace {

class EveryAlgebra : public ::testing::TestWithParam<Case> {
 protected:
  const Case& given_ = GetParam();
  Maps<double> in_double_{*given_.group, given_.map};
  Maps<quad> in_quad_{*given_.group, given_.map};
  Vectors vectors_{given_};

  Vector<quad> any() { return to<quad>(vectors_.any()); }
};

TEST_P(EveryAlgebra, TheTangentIsTheDerivativeOfTheRetraction) {
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const Vector<quad> x = to<quad>(xi), eta = any();
    const Matrix<quad> g = given_.tau(x), back = solved(g, unit<quad>(g.size()));
    const auto moved = [&](quad s) { return given_.coordinates(multiplied(back, given_.tau(sum(x, eta, s)))); };
    const Vector<quad> expected = derivative_at_zero(moved);
    const double size = 1 + static_cast<double>(largest(g));
    EXPECT_LT(distance(multiplied(in_quad_.tangent(x), eta), expected), 1e-27 * size);
    EXPECT_LT(distance(multiplied(to_quad(in_double_.tangent(xi)), eta), expected), 2e-15 * size);
  }
}

TEST_P(EveryAlgebra, TheTangentOfExpIsItsSeries) {
  if (given_.map != Retraction::exp) return;
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const Vector<quad> x = to<quad>(xi);
    const Matrix<quad> ad = in_quad_.ad(x);
    Matrix<quad> power = unit<quad>(ad.size()), expected = power;  // the sum of (-ad)^k / (k + 1)!
    for (int k = 1; k < 60; ++k) {
      power = multiplied(sum(zeros<quad>(ad.size(), ad.size()), ad, quad(-1) / (k + 1)), power);
      expected = sum(expected, power);
    }
    EXPECT_LT(distance(in_quad_.tangent(x), expected), 2e-32);
  }
}

TEST_P(EveryAlgebra, TheInverseTangentIsTheInverse) {
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const Matrix<quad> tangent = in_quad_.tangent(to<quad>(xi)), inverse = in_quad_.inverse_tangent(to<quad>(xi));
    const double size = 1 + static_cast<double>(largest(inverse));  // the tangent is good to rounding of one
    EXPECT_LT(distance(multiplied(tangent, inverse), unit<quad>(xi.size())), 2e-32 * size);
    EXPECT_LT(distance(multiplied(in_double_.tangent(xi), in_double_.inverse_tangent(xi)), unit<double>(xi.size())),
              4e-15 * size);
  }
}

TEST_P(EveryAlgebra, TheAdjointIsThatOfMatrices) {
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const Vector<quad> eta = any();
    const Matrix<quad> g = given_.tau(to<quad>(xi)), back = solved(g, unit<quad>(g.size()));
    const Vector<quad> expected = given_.coordinates(multiplied(multiplied(g, given_.matrix(eta)), back));
    const double size = 1 + static_cast<double>(largest(g));
    EXPECT_LT(distance(multiplied(in_quad_.adjoint(to<quad>(xi)), eta), expected), 2e-32 * size);
    EXPECT_LT(distance(multiplied(to_quad(in_double_.adjoint(xi)), eta), expected), 4e-15 * size);
  }
}

TEST_P(EveryAlgebra, TheAdjointLeadsFromOneTangentToTheOther) {
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const Vector<quad> x = to<quad>(xi), opposite = scaled(quad(-1), x);
    const double size = 1 + static_cast<double>(largest(x));
    EXPECT_LT(distance(multiplied(in_quad_.adjoint(x), in_quad_.tangent(x)), in_quad_.tangent(opposite)), 1e-32 * size);
    EXPECT_LT(distance(multiplied(in_quad_.adjoint(x), in_quad_.adjoint(opposite)), unit<quad>(x.size())),
              1e-32 * size * size);
  }
}

TEST_P(EveryAlgebra, TheAdjointOfAProductIsTheProduct) {
  for (int k = 0; k < 10; ++k) {
    const Vector<quad> x = any(), y = any();
    const Vector<quad> z = in_quad_.between(in_quad_.identity(), in_quad_.moved(in_quad_.tau(x), y));
    EXPECT_LT(distance(in_quad_.adjoint(z), multiplied(in_quad_.adjoint(x), in_quad_.adjoint(y))), 1e-31);
  }
}

TEST_P(EveryAlgebra, TheCommutatorIsThatOfMatrices) {
  for (int k = 0; k < 10; ++k) {
    const Vector<quad> x = any(), y = any();
    const Matrix<quad> a = given_.matrix(x), b = given_.matrix(y);
    EXPECT_LT(
        distance(multiplied(in_quad_.ad(x), y), given_.coordinates(sum(multiplied(a, b), multiplied(b, a), quad(-1)))),
        1e-33);
  }
}

TEST_P(EveryAlgebra, TheCommutatorIsTheDerivativeOfTheAdjoint) {
  for (int k = 0; k < 10; ++k) {
    const Vector<quad> x = any(), y = any();
    const auto turned = [&](quad s) { return multiplied(in_quad_.adjoint(scaled(s, x)), y); };
    EXPECT_LT(distance(multiplied(in_quad_.ad(x), y), derivative_at_zero(turned)), 1e-28);
  }
}

TEST_P(EveryAlgebra, TheCommutatorIsThatOfTheFrame) {
  // Of the vector fields X(g) = frame(g) x and Y: [X, Y] = DY X - DX Y.
  const Vector<quad> g = in_quad_.moved(in_quad_.tau(any()), any()), x = any(), y = any();
  const Vector<quad> along_x = multiplied(in_quad_.frame(g), x), along_y = multiplied(in_quad_.frame(g), y);
  const auto y_along_x = [&](quad s) { return multiplied(in_quad_.frame(sum(g, along_x, s)), y); };
  const auto x_along_y = [&](quad s) { return multiplied(in_quad_.frame(sum(g, along_y, s)), x); };
  const Vector<quad> bracket = sum(derivative_at_zero(y_along_x), derivative_at_zero(x_along_y), quad(-1));
  EXPECT_LT(distance(multiplied(in_quad_.frame(g), multiplied(in_quad_.ad(x), y)), bracket), 1e-28);
}

TEST_P(EveryAlgebra, CommutatorsAreALieAlgebra) {
  const Vector<quad> x = any(), y = any(), z = any();
  const auto bracket = [&](const Vector<quad>& a, const Vector<quad>& b) { return multiplied(in_quad_.ad(a), b); };
  const Vector<quad> jacobi = sum(sum(bracket(x, bracket(y, z)), bracket(y, bracket(z, x))), bracket(z, bracket(x, y)));
  EXPECT_LT(largest(jacobi), quad(1e-33));
  EXPECT_EQ(distance(bracket(x, y), scaled(quad(-1), bracket(y, x))), 0);
}

TEST_P(EveryAlgebra, TheGradientIsTheDerivativeOfTheTangent) {
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const Vector<quad> x = to<quad>(xi), eta = any(), p = any(), delta = any();
    const auto paired = [&](quad s) { return multiplied({p}, multiplied(in_quad_.tangent(sum(x, delta, s)), eta)); };
    const quad expected = derivative_at_zero(paired)[0];
    const Vector<quad> gradient = in_quad_.tangent_gradient(x, eta, p);
    EXPECT_LT(distance(multiplied({gradient}, delta), Vector<quad>{expected}), 1e-27);
    const Vector<double> rounded = in_double_.tangent_gradient(xi, to_double(eta), to_double(p));
    EXPECT_LT(distance(to<quad>(rounded), gradient), 4e-15);
  }
}

TEST_P(EveryAlgebra, TheSecondTangentIsTheDerivativeOfTheTangent) {
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const Vector<quad> x = to<quad>(xi), eta = any(), delta = any();
    const auto pushed = [&](quad s) { return multiplied(in_quad_.tangent(sum(x, delta, s)), eta); };
    const Vector<quad> second = in_quad_.second_tangent(x, eta, delta);
    EXPECT_LT(distance(multiplied(in_quad_.tangent(x), second), derivative_at_zero(pushed)), 1e-27);
    const double size = 1 + static_cast<double>(largest(second));
    EXPECT_LT(distance(to<quad>(in_double_.second_tangent(xi, to_double(eta), to_double(delta))), second),
              1e-14 * size);
  }
}

INSTANTIATE_TEST_SUITE_P(Lie, EveryAlgebra, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return name_of(instance.param); });

TEST(Products, OfMatricesWithVectors) {
  Graph graph;
  const auto m = symbols(graph, "m", 6), x = symbols(graph, "x", 3), y = symbols(graph, "y", 2);
  const ExprMatrix matrix{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}};
  const ExprMatrix square{{m[0], m[1]}, {m[2], m[3]}};
  const Vector<double> numbers{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(Function<double>({m, x}, times(matrix, x))(numbers, Vector<double>{1, 10, 100}),
            (Vector<double>{321, 654}));
  EXPECT_EQ(Function<double>({m, y}, transposed_times(matrix, y))(numbers, Vector<double>{1, 10}),
            (Vector<double>{41, 52, 63}));
  EXPECT_EQ(Function<double>({m, y}, plus_times(y, square))(numbers, Vector<double>{1, 10}), (Vector<double>{22, 53}));
  EXPECT_EQ(Function<double>({m, y}, plus_transposed_times(y, square))(numbers, Vector<double>{1, 10}),
            (Vector<double>{32, 52}));
}

}  // namespace
}  // namespace noslip::testing

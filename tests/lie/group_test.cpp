// Elements and retractions, against the matrices that define them.
#include "lie/help.hpp"

namespace noslip::testing {
namespace {

class EveryGroup : public ::testing::TestWithParam<Case> {
 protected:
  const Case& given_ = GetParam();
  Maps<double> in_double_{*given_.group, given_.map};
  Maps<quad> in_quad_{*given_.group, given_.map};
  Vectors vectors_{given_};

  /// How many units of rounding an increment may have: it is made for steps of a radian or less (lie/group.hpp).
  double rounding_at(const Vector<double>& xi) const {
    double square = 0;
    for (const double x : xi) square += x * x;
    return given_.map == Retraction::cay ? 1 + square / 4 : 1;
  }

  /// An element far from the identity.
  Vector<quad> element() { return in_quad_.moved(in_quad_.tau(to<quad>(vectors_.any())), to<quad>(vectors_.any())); }
};

TEST_P(EveryGroup, RetractionsAreThoseOfMatrices) {
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const Matrix<quad> expected = given_.tau(to<quad>(xi));
    const double size = (1 + static_cast<double>(largest(expected))) * rounding_at(xi);
    EXPECT_LT(distance(given_.element(in_quad_.tau(to<quad>(xi))), expected), 2e-32 * size);
    EXPECT_LT(distance(given_.element(to<quad>(in_double_.tau(xi))), expected), 2e-15 * size);
  }
}

TEST_P(EveryGroup, IncrementsLeadToTheProduct) {
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const Vector<quad> g = element();
    const Matrix<quad> expected = multiplied(given_.element(g), given_.tau(to<quad>(xi)));
    const double size = (1 + static_cast<double>(largest(expected))) * rounding_at(xi);
    EXPECT_LT(distance(given_.element(in_quad_.moved(g, to<quad>(xi))), expected), 2e-32 * size);
    EXPECT_LT(distance(given_.element(to<quad>(in_double_.moved(to_double(g), xi))), expected), 4e-15 * size);
  }
}

TEST_P(EveryGroup, TheOppositeVectorLeadsBack) {
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const double size = (1 + static_cast<double>(largest(in_double_.tau(xi)))) * rounding_at(xi);
    EXPECT_LT(distance(in_double_.moved(in_double_.tau(xi), scaled(-1.0, xi)), in_double_.identity()), 2e-15 * size);
    const Vector<quad> x = to<quad>(xi);
    EXPECT_LT(distance(in_quad_.moved(in_quad_.tau(x), scaled(quad(-1), x)), in_quad_.identity()), 2e-33 * size);
  }
}

TEST_P(EveryGroup, ElementsStayElements) {
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const Vector<quad> g = element();
    const double size = rounding_at(xi);
    EXPECT_LT(largest(in_quad_.defect(in_quad_.moved(g, to<quad>(xi)))), quad(3e-33) * size);
    EXPECT_LT(largest(in_double_.defect(in_double_.moved(to_double(g), xi))), 3e-15 * size);
  }
  EXPECT_EQ(largest(in_double_.defect(in_double_.identity())), 0);
}

TEST_P(EveryGroup, BetweenIsTheInverseOfTheRetraction) {
  for (const Vector<double>& xi : vectors_.of_all_lengths()) {
    const Vector<quad> g = element(), x = to<quad>(xi), moved = in_quad_.moved(g, x);
    // Far away, cay moves little: a small error of the element is a large one of the vector.
    const double length = static_cast<double>(largest(x)),
                 size = 1 + (given_.map == Retraction::cay ? length * length * length : length);
    EXPECT_LT(distance(in_quad_.between(g, moved), x), 2e-32 * size);
    EXPECT_LT(distance(in_double_.between(to_double(g), to_double(moved)), xi), 1e-14 * size);
  }
}

TEST_P(EveryGroup, BetweenKeepsTheDigitsOfSmallSteps) {
  // The two elements are rounded; what is between these two is found with all digits.
  for (const double length : {1e-9, 1e-6, 1e-3}) {
    const Vector<double> g = to_double(element()), moved = in_double_.moved(g, vectors_.of_length(length));
    const Vector<quad> expected = in_quad_.between(to<quad>(g), to<quad>(moved));
    EXPECT_LT(distance(to<quad>(in_double_.between(g, moved)), expected), 2e-15 * length);
  }
  EXPECT_EQ(largest(in_double_.between(in_double_.identity(), in_double_.identity())), 0);
}

TEST_P(EveryGroup, TheFrameIsTheDerivativeOfTheIncrement) {
  for (int k = 0; k < 5; ++k) {
    const Vector<quad> g = element(), eta = to<quad>(vectors_.any());
    const Vector<quad> expected = derivative_at_zero([&](quad s) { return in_quad_.increment(g, scaled(s, eta)); });
    EXPECT_LT(distance(multiplied(in_quad_.frame(g), eta), expected), 1e-28);
  }
}

TEST_P(EveryGroup, SaysWhatItIs) {
  const Group& group = *given_.group;
  EXPECT_EQ(static_cast<std::size_t>(group.dimension()), given_.dimension());
  EXPECT_EQ(static_cast<std::size_t>(group.size()), in_double_.identity().size());
  EXPECT_EQ(group.is_vector_space(), group.name() == "R^3");
  EXPECT_EQ(in_double_.frame(in_double_.identity()).size(), in_double_.identity().size());
}

INSTANTIATE_TEST_SUITE_P(Lie, EveryGroup, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return name_of(instance.param); });

TEST(Groups, AreNamed) {
  EXPECT_EQ(vector_space(4)->name(), "R^4");
  EXPECT_EQ(product({se3(), vector_space(1), so2()})->name(), "SE(3) x R^1 x SO(2)");
  EXPECT_EQ(product({se2()})->name(), "SE(2)");
  EXPECT_TRUE(product({vector_space(1), vector_space(2)})->is_vector_space());
  EXPECT_FALSE(product({vector_space(1), so2()})->is_vector_space());
  EXPECT_STREQ(to_text(Retraction::cay), "cay");
  EXPECT_STREQ(to_text(Retraction::exp), "exp");
}

TEST(Groups, NoticeWhatIsNoElement) {
  const Maps<double> turns(*so3(), Retraction::cay);
  // The upper triangle of R^T R - 1 by rows, of a matrix with columns of lengths 1, 2 and 3 that are not orthogonal.
  EXPECT_EQ(turns.defect({1, 2, 0, 0, 0, 3, 0, 0, 0}), (Vector<double>{0, 2, 0, 3, 0, 8}));
  const Maps<double> motions(*se3(), Retraction::cay);
  EXPECT_EQ(motions.defect({1, 2, 0, 7, 0, 0, 3, 8, 0, 0, 0, 9}), (Vector<double>{0, 2, 0, 3, 0, 8}));
}

}  // namespace
}  // namespace noslip::testing

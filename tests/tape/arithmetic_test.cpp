// Functions in extended precision.
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/core/scalar.hpp>

#include "tape/arithmetic.hpp"

namespace noslip {
namespace {

template <class T>
class Extended : public testing::Test {};
using ExtendedTypes = testing::Types<long double, quad>;
TYPED_TEST_SUITE(Extended, ExtendedTypes);

/// Zeros are told apart.
template <class T>
bool are_same(T a, T b) {
  if (a != a || b != b) return a != a && b != b;
  return a == b && (a != 0 || 1 / a == 1 / b);
}

TYPED_TEST(Extended, SineAndCosineTogetherAreThoseAlone) {
  std::vector<TypeParam> arguments = {0, -TypeParam(0), 1, 1e30, -1e-30, INFINITY, -INFINITY, NAN, 1e4000L};
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    const TypeParam fine = TypeParam(unit(random)) * 1e-18;
    arguments.push_back((TypeParam(unit(random)) + fine) * TypeParam(std::pow(10.0, 9 * unit(random))));
  }
  for (const TypeParam x : arguments) {
    TypeParam sine = 7, cosine = 7;
    extended::sincos(x, sine, cosine);
    ASSERT_TRUE(are_same(sine, extended::sin(x))) << static_cast<double>(x);
    ASSERT_TRUE(are_same(cosine, extended::cos(x))) << static_cast<double>(x);
  }
}

}  // namespace
}  // namespace noslip

// Rotation matrices and quaternions, there and back.
#include <limits>

#include <noslip/lie/quaternion.hpp>

#include "lie/help.hpp"

namespace noslip::testing {
namespace {

template <class T>
using Quaternion = std::array<T, 4>;

template <class T>
T far(const Quaternion<T>& a, const Quaternion<T>& b) {
  T result = 0;
  for (std::size_t i = 0; i < 4; ++i) result = std::max(result, size_of(a[i] - b[i]));
  return result;
}

template <class T>
Quaternion<T> quaternion(const std::array<T, 9>& rotation) {
  return quaternion_of(std::span<const T>(rotation));
}

template <class T>
T squares(const Quaternion<T>& q) {
  return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

template <class T>
class Quaternions : public ::testing::Test {};
using Scalars = ::testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(Quaternions, Scalars);

template <class T>
constexpr double rounding = 0;
template <>
constexpr double rounding<double> = 2.3e-16;
template <>
constexpr double rounding<long double> = 1.1e-19;
template <>
constexpr double rounding<quad> = 2e-34;

TYPED_TEST(Quaternions, ComeBackFromTheirRotation) {
  using T = TypeParam;
  std::mt19937 generator(4);
  std::normal_distribution<double> distribution;
  for (int k = 0; k < 400; ++k) {
    // Each component in turn is the largest, by far, or almost alone: all four branches.
    const double others = k % 3 == 0 ? 1 : k % 3 == 1 ? 1e-3 : 1e-12;
    Quaternion<T> q;
    for (T& component : q) component = static_cast<T>(others * distribution(generator));
    q[static_cast<std::size_t>(k / 3 % 4)] += 1;
    const Quaternion<T> found = quaternion(rotation_of(q));
    EXPECT_GE(found[0], T(0));
    EXPECT_LT(static_cast<double>(size_of(squares(found) - 1)), 4 * rounding<T>);
    // The same up to length and sign: the scalar product with it is the length.
    T product = 0;
    for (std::size_t i = 0; i < 4; ++i) product += found[i] * q[i];
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_LT(static_cast<double>(size_of(found[i] * product - q[i])),
                20 * rounding<T> * static_cast<double>(squares(q) + 1));
    }
  }
}

TYPED_TEST(Quaternions, OfHalfTurns) {
  using T = TypeParam;
  EXPECT_EQ(quaternion<T>({1, 0, 0, 0, 1, 0, 0, 0, 1}), (Quaternion<T>{1, 0, 0, 0}));
  EXPECT_EQ(quaternion<T>({1, 0, 0, 0, -1, 0, 0, 0, -1}), (Quaternion<T>{0, 1, 0, 0}));
  EXPECT_EQ(quaternion<T>({-1, 0, 0, 0, 1, 0, 0, 0, -1}), (Quaternion<T>{0, 0, 1, 0}));
  EXPECT_EQ(quaternion<T>({-1, 0, 0, 0, -1, 0, 0, 0, 1}), (Quaternion<T>{0, 0, 0, 1}));
}

TYPED_TEST(Quaternions, DoNotJumpAlongAMotion) {
  using T = TypeParam;
  const int steps = 400;  // two full turns about an axis through no corner
  const double axis[] = {2.0 / 7, -3.0 / 7, 6.0 / 7};
  Quaternion<T> last{1, 0, 0, 0};
  for (int k = 0; k <= steps; ++k) {
    const double half_angle = 2 * M_PI * k / steps;
    const Quaternion<T> expected{static_cast<T>(std::cos(half_angle)), static_cast<T>(std::sin(half_angle) * axis[0]),
                                 static_cast<T>(std::sin(half_angle) * axis[1]),
                                 static_cast<T>(std::sin(half_angle) * axis[2])};
    const std::array<T, 9> rotation = rotation_of(expected);
    const Quaternion<T> found = quaternion_of(std::span<const T>(rotation), last);
    EXPECT_LT(far(found, expected), T(1e-15)) << k;
    last = found;
  }
  EXPECT_LT(far(last, {1, 0, 0, 0}), T(1e-15));
}

TYPED_TEST(Quaternions, TurnAsTheAxisSays) {
  // A third of a turn about (1, 1, 1) takes x to y, y to z and z to x.
  const std::array<TypeParam, 9> expected{0, 0, 1, 1, 0, 0, 0, 1, 0};
  EXPECT_EQ(rotation_of<TypeParam>({3, 3, 3, 3}), expected);
  EXPECT_EQ(quaternion(expected), (Quaternion<TypeParam>{0.5, 0.5, 0.5, 0.5}));
}

TYPED_TEST(Quaternions, OfMatricesThatAreAlmostRotations) {
  using T = TypeParam;
  const Quaternion<T> q{T(0.1), T(0.7), T(-0.7), T(0.1)};
  std::array<T, 9> rotation = rotation_of(q);
  for (std::size_t i = 0; i < 9; ++i) rotation[i] += (i % 2 == 0 ? T(1e-9) : T(-1e-9));
  const Quaternion<T> found = quaternion(rotation);
  EXPECT_LT(static_cast<double>(size_of(squares(found) - 1)), 4 * rounding<T>);
  EXPECT_LT(far(found, q), T(2e-9));
}

}  // namespace
}  // namespace noslip::testing

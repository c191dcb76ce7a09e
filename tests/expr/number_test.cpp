#include <cmath>
#include <limits>
#include <quadmath.h>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <noslip/expr/number.hpp>

namespace noslip {
namespace {

Number ratio(long long a, long long b) { return Number::rational(a, b); }

quad quad_tenth() { return static_cast<quad>(1) / 10; }

TEST(Number, RationalsAreInLowestTermsWithAPositiveDenominator) {
  const Number half = ratio(-3, -6);
  EXPECT_EQ(half.numerator(), 1);
  EXPECT_EQ(half.denominator(), 2);
  EXPECT_EQ(ratio(2, -4), ratio(-1, 2));
  EXPECT_EQ(ratio(0, -7), Number());
  EXPECT_TRUE(Number(7).is_integer());
  EXPECT_FALSE(half.is_integer());
}

TEST(Number, ArithmeticIsExact) {
  EXPECT_EQ(ratio(1, 3) + ratio(1, 6), ratio(1, 2));
  EXPECT_EQ(ratio(1, 3) - ratio(1, 3), Number(0));
  EXPECT_EQ(ratio(2, 3) * ratio(3, 4), ratio(1, 2));
  EXPECT_EQ(ratio(2, 3) / ratio(-4, 9), ratio(-3, 2));
  EXPECT_EQ(-ratio(2, 3), ratio(-2, 3));
  EXPECT_TRUE((-Number(0)).value() == 0 && signbitq((-Number(0)).value()) == 0);
}

TEST(Number, OverflowGoesToQuadruplePrecision) {
  const Number big = std::numeric_limits<long long>::max();
  const Number square = big * big;
  EXPECT_FALSE(square.is_rational());
  EXPECT_TRUE(square.value() == big.value() * big.value());
  EXPECT_FALSE((big + Number(1)).is_rational());
  EXPECT_EQ(square / big, big) << "a quadruple that is a 64-bit rational again becomes one";
  const Number lowest = std::numeric_limits<long long>::min();
  EXPECT_TRUE(lowest.value() == -scalbnq(1, 63));
  EXPECT_TRUE((-lowest).value() == scalbnq(1, 63));
  EXPECT_TRUE((-(-lowest)).value() == lowest.value());
}

TEST(Number, RandomRationalArithmeticAgreesWithQuadruple) {
  std::mt19937_64 random(2);
  const auto any = [&] {
    const auto shift = random() % 60;
    return ratio(static_cast<long long>(random() >> (1 + shift)) - static_cast<long long>(random() >> (1 + shift)),
                 static_cast<long long>(random() >> (1 + random() % 60)) | 1);
  };
  for (int i = 0; i < 20000; ++i) {
    const Number a = any(), b = any();
    const auto near = [](const Number& n, quad value, quad scale) {
      return fabsq(n.value() - value) <= static_cast<quad>(4e-34) * scale;
    };
    ASSERT_TRUE(near(a + b, a.value() + b.value(), fabsq(a.value()) + fabsq(b.value())));
    ASSERT_TRUE(near(a - b, a.value() - b.value(), fabsq(a.value()) + fabsq(b.value())));
    ASSERT_TRUE(near(a * b, a.value() * b.value(), fabsq(a.value() * b.value())));
    if (!b.is_zero()) {
      ASSERT_TRUE(near(a / b, a.value() / b.value(), fabsq(a.value() / b.value())));
    }
  }
}

TEST(Number, RealOfADoubleIsItsExactRational) {
  EXPECT_EQ(Number::real(0.5), ratio(1, 2));
  EXPECT_EQ(Number::real(-3), Number(-3));
  EXPECT_EQ(Number::real(0.1), ratio(3602879701896397, 36028797018963968));
  EXPECT_FALSE(Number::real(quad_tenth()).is_rational());
  EXPECT_FALSE(Number::real(static_cast<quad>(1e-300)).is_rational());
  EXPECT_EQ(Number::real(-0.0), Number(0));
  EXPECT_FALSE(Number::real(static_cast<quad>(HUGE_VAL)).is_rational());
}

TEST(Number, ParseIsExactWhere64BitsHoldIt) {
  EXPECT_EQ(Number::parse("12"), Number(12));
  EXPECT_EQ(Number::parse("0.1"), ratio(1, 10));
  EXPECT_EQ(Number::parse(".5"), ratio(1, 2));
  EXPECT_EQ(Number::parse("2."), Number(2));
  EXPECT_EQ(Number::parse("1e-3"), ratio(1, 1000));
  EXPECT_EQ(Number::parse("1.50E+2"), Number(150));
  EXPECT_EQ(Number::parse("0.000"), Number(0));
  EXPECT_EQ(Number::parse("0e99999999999999999999"), Number(0));
  EXPECT_EQ(Number::parse("-2.5"), ratio(-5, 2));
  EXPECT_EQ(Number::parse("0.0000000000000000000025e22"), Number(25));
  EXPECT_EQ(Number::parse("9223372036854775807"), Number(std::numeric_limits<long long>::max()));
}

TEST(Number, ParseOfWhatIsTooLongRoundsToQuadruple) {
  const auto number = Number::parse("6.62607015e-34");
  ASSERT_TRUE(number);
  EXPECT_FALSE(number->is_rational());
  EXPECT_TRUE(number->value() == strtoflt128("6.62607015e-34", nullptr));
}

TEST(Number, ParseRefusesWhatIsNoDecimal) {
  for (const char* text : {"", ".", "-", "e5", "1e", "1e+", "1.2.3", "x", "1x", "0x10", "1 ", " 1", "1/2", "inf", "nan",
                           "1e5000", "1e-6000", "1e99999999999999999999"}) {
    EXPECT_FALSE(Number::parse(text)) << text;
  }
}

TEST(Number, Text) {
  EXPECT_EQ(to_text(Number(3)), "3");
  EXPECT_EQ(to_text(ratio(-1, 2)), "-1/2");
  EXPECT_EQ(to_text(ratio(1, 10)), "0.1");
  EXPECT_EQ(to_text(ratio(-981, 100)), "-9.81");
  EXPECT_EQ(to_text(ratio(1, 1000)), "0.001");
  EXPECT_EQ(to_text(ratio(1, 3)), "1/3");
  EXPECT_EQ(to_text(*Number::parse("1e30")), "1e+30");
}

TEST(Number, TextOfInexactNumbersReadsBack) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {
    const Number n = Number::real(scalbnq(static_cast<quad>(random()) / 3, static_cast<int>(random() % 200) - 150));
    if (n.is_rational()) continue;
    const auto again = Number::parse(to_text(n));
    ASSERT_TRUE(again) << to_text(n);
    ASSERT_EQ(*again, n) << to_text(n);
  }
  const Number tenth = Number::real(quad_tenth());
  EXPECT_EQ(Number::parse(to_text(tenth)), tenth) << "0.1 in quadruple precision is not 1/10";
}

TEST(Number, TextOfNumbersNearShortDecimalsReadsBack) {
  // Among the quotients there are some whose 36 digits end in zeros: they are not the decimals that they look like.
  int with_zeros = 0;
  for (int i = 1; i < 4000; ++i) {
    const Number n = Number::real(static_cast<quad>(i) / 1000);
    if (n.is_rational()) continue;
    const std::string text = to_text(n);
    with_zeros += text.ends_with("000000000000000000000000") ? 1 : 0;
    ASSERT_EQ(Number::parse(text), n) << text;
  }
  EXPECT_GT(with_zeros, 0);
}

TEST(Number, DecimalsBecomeTheNearestDouble) {
  // They pass through quadruple precision: two roundings, which make one for all that people write.
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; ++i) {
    const int digits = 1 + static_cast<int>(random() % 19);
    std::string text = std::to_string(1 + random() % 9);
    for (int d = 1; d < digits; ++d) text += std::to_string(random() % 10);
    text += "e" + std::to_string(static_cast<int>(random() % 60) - 40);
    ASSERT_EQ(static_cast<double>(Number::parse(text)->value()), std::stod(text)) << text;
  }
}

TEST(Number, EqualNumbersHaveEqualHashes) {
  EXPECT_EQ(ratio(1, 2).hash(), Number::real(0.5).hash());
  EXPECT_NE(ratio(1, 2), Number::real(quad_tenth()));
}

}  // namespace
}  // namespace noslip

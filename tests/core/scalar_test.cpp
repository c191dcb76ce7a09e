#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <quadmath.h>
#include <random>

#include <gtest/gtest.h>

#include <noslip/core/scalar.hpp>
#include <noslip/core/status.hpp>

namespace noslip {
namespace {

TEST(Scalar, DoubleIsTheShortestTextThatReadsBack) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1.0), "1");
  EXPECT_EQ(to_text(-2.5), "-2.5");
  EXPECT_EQ(to_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(to_text(1e300), "1e+300");
}

TEST(Scalar, RandomBitsReadBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::bit_cast<double>(random());
    if (x - x != 0) continue;
    ASSERT_EQ(std::strtod(to_text(x).c_str(), nullptr), x);
    const long double l = static_cast<long double>(x) / 3;
    ASSERT_EQ(std::strtold(to_text(l).c_str(), nullptr), l);
    const quad q = static_cast<quad>(x) / 7;
    ASSERT_TRUE(strtoflt128(to_text(q).c_str(), nullptr) == q) << to_text(q);
  }
}

TEST(Scalar, WhatIsNotFinite) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(to_text(inf), "inf");
  EXPECT_EQ(to_text(-inf), "-inf");
  EXPECT_EQ(to_text(nan), "nan");
  EXPECT_EQ(to_text(-nan), "nan");
  EXPECT_EQ(to_text(static_cast<long double>(-inf)), "-inf");
  EXPECT_EQ(to_text(static_cast<quad>(nan)), "nan");
  EXPECT_EQ(to_short_text(inf), "inf");
}

TEST(Scalar, ShortText) {
  EXPECT_EQ(to_short_text(3.14159265358979), "3.14159");
  EXPECT_EQ(to_short_text(3.14159265358979, 3), "3.14");
  EXPECT_EQ(to_short_text(1e-15), "1e-15");
}

TEST(Scalar, StatusText) {
  EXPECT_STREQ(to_text(Status::done), "done");
  EXPECT_STREQ(to_text(Status::stopped), "stopped");
  EXPECT_STREQ(to_text(Status::interrupted), "interrupted");
  EXPECT_STREQ(to_text(Status::failed), "failed");
}

}  // namespace
}  // namespace noslip

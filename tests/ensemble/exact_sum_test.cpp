// Sums and squares against whole numbers of any length, on what breaks floating-point sums.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include "ensemble/exact_sum.hpp"

namespace noslip {
namespace {

using boost::multiprecision::cpp_int;

constexpr double largest = std::numeric_limits<double>::max(), smallest = std::numeric_limits<double>::denorm_min();

/// x 2^1074
cpp_int whole(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  cpp_int mantissa = static_cast<long long>(std::ldexp(fraction, 53));
  exponent += 1074 - 53;
  if (exponent >= 0) return mantissa << exponent;
  return mantissa / (cpp_int(1) << -exponent);  // exact: the number is a multiple of 2^-1074
}

/// numerator/denominator 2^exponent to nearest, ties to even; numerator >= 0.
double rounded(cpp_int numerator, cpp_int denominator, int exponent) {
  if (numerator == 0) return 0;
  // 2^lowest is the last digit of the result.
  const int size = static_cast<int>(msb(numerator)) - static_cast<int>(msb(denominator)) + exponent;
  int lowest = std::max(size - 53, -1074);
  const auto quotient_at = [&](int place) {
    cpp_int n = numerator, d = denominator;
    if (exponent >= place) {
      n <<= exponent - place;
    } else {
      d <<= place - exponent;
    }
    return std::pair<cpp_int, cpp_int>(n, d);
  };
  auto [n, d] = quotient_at(lowest);
  if (n / d >= (cpp_int(1) << 53)) std::tie(n, d) = quotient_at(++lowest);
  cpp_int q = n / d;
  const cpp_int twice = 2 * (n - q * d);
  if (twice > d || (twice == d && q % 2 != 0)) ++q;
  return std::ldexp(static_cast<double>(static_cast<long long>(q)), lowest);
}

struct Exact {
  double mean = 0, variance = 0;
};

Exact exact(const std::vector<double>& values) {
  cpp_int sum = 0, squares = 0;
  for (const double x : values) {
    sum += whole(x);
    squares += whole(x) * whole(x);
  }
  const cpp_int n = values.size();
  Exact result;
  const double mean = rounded(abs(sum), n, -1074);
  result.mean = sum < 0 ? -mean : mean;
  if (n > 1) result.variance = rounded(n * squares - sum * sum, n * (n - 1), -2148);
  return result;
}

struct Sums {
  ExactSum sum, squares;
  std::uint64_t n = 0;

  void add(double x) { sum.add(x), squares.add_square(x), ++n; }
  void add(const Sums& other) { sum.add(other.sum), squares.add(other.squares), n += other.n; }
  std::string bytes() const {
    Sums copy = *this;
    return saved_bytes(copy.sum) + saved_bytes(copy.squares);
  }
};

void expect_exact(const std::vector<double>& values, const char* what) {
  Sums sums;
  for (const double x : values) sums.add(x);
  const Exact wanted = exact(values);
  EXPECT_EQ(mean_of(sums.sum, sums.n), wanted.mean) << what;
  if (sums.n < 2) return;
  const Spread spread = spread_of(sums.sum, sums.squares, sums.n);
  EXPECT_EQ(spread.variance, wanted.variance) << what;
  if (spread.variance > 1e-290 && spread.variance < largest) {
    EXPECT_NEAR(spread.deviation / std::sqrt(spread.variance), 1, 3e-16) << what;
  }
}

using Maker = std::function<double(std::mt19937_64&)>;

double any_double(std::mt19937_64& random) {
  for (;;) {
    const auto x = std::bit_cast<double>(random());
    if (std::isfinite(x)) return x;
  }
}

TEST(ExactSum, IsExactOnHostileNumbers) {
  expect_exact({1e300, 1, -1e300}, "cancellation");
  expect_exact({largest, largest, largest, -largest}, "sums beyond the largest number");
  expect_exact({largest, -largest}, "squares beyond the largest number");
  expect_exact({smallest, smallest, 0}, "a mean that is no multiple of the smallest number");
  expect_exact({smallest, 0, 0}, "less than half of the smallest number");
  expect_exact({smallest, 0}, "half of the smallest number, to even");
  expect_exact({3 * smallest, 0}, "the same, upwards");
  expect_exact({1, std::nextafter(1, 2)}, "a tie");
  expect_exact({0.1, 0.1, 0.1}, "equal numbers");
  expect_exact({1e15 + 0.25, 1e15 + 0.5, 1e15 + 0.75}, "a small spread of large numbers");
  expect_exact({-1, 1}, "zero");
  expect_exact({0, 0, 0}, "zeros");
  expect_exact({-7.5}, "one number");
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const std::vector<std::pair<const char*, Maker>> makers{
      {"all bits", any_double},
      {"normal", [&](auto& bits) { return normal(bits); }},
      {"far from zero", [&](auto& bits) { return 1e8 + 1e-8 * normal(bits); }},
      {"subnormal", [&](auto& bits) { return static_cast<double>(bits() % 1000) * smallest; }},
      {"1e300", [&](auto& bits) { return 1e300 * normal(bits); }},
      {"1e-200", [&](auto& bits) { return 1e-200 * normal(bits); }},
      {"negative", [&](auto& bits) { return -std::exp(normal(bits)); }},
  };
  for (const auto& [what, make] : makers) {
    for (int round = 0; round < 30; ++round) {
      std::vector<double> values(1 + random() % 40);
      for (double& x : values) x = make(random);
      if (round % 3 == 0) {  // all but a little cancels
        const std::size_t count = values.size();
        for (std::size_t i = 0; i < count; ++i) values.push_back(-values[i]);
        values.push_back(make(random) * 1e-12);
        std::shuffle(values.begin(), values.end(), random);
      }
      expect_exact(values, what);
    }
  }
}

/// More than can wait for their carries, of one sign and of both.
TEST(ExactSum, CarriesInTime) {
  for (const double x : {largest, -largest, 1 - 0x1p-53, -(1 - 0x1p-53), smallest * ((1LL << 52) - 1)}) {
    Sums sums;
    constexpr int n = 20'000;
    for (int i = 0; i < n; ++i) sums.add(x);
    EXPECT_EQ(mean_of(sums.sum, n), x);
    EXPECT_EQ(spread_of(sums.sum, sums.squares, n).variance, 0);
    sums.add(-x);
    for (int i = 1; i < n; ++i) sums.sum.add(-x);
    EXPECT_EQ(mean_of(sums.sum, n), 0);
    EXPECT_EQ(sums.sum.digits().digits.size(), 0U);
  }
}

TEST(ExactSum, DeviationsOfLargeAndSmallNumbers) {
  Sums large, small;
  for (const double x : {1.0, 3.0}) large.add(x * 1e200), small.add(x * 1e-200);
  EXPECT_EQ(spread_of(large.sum, large.squares, 2).variance, std::numeric_limits<double>::infinity());
  EXPECT_NEAR(spread_of(large.sum, large.squares, 2).deviation / 1e200, std::sqrt(2), 1e-15);
  EXPECT_EQ(spread_of(small.sum, small.squares, 2).variance, 0);
  EXPECT_NEAR(spread_of(small.sum, small.squares, 2).deviation / 1e-200, std::sqrt(2), 1e-15);
}

TEST(ExactSum, DoesNotDependOnTheOrder) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> values(200);
    for (double& x : values)
      x = round % 2 == 0 ? any_double(random) : std::ldexp(std::sin(x + 1), static_cast<int>(random() % 60));
    Sums all;
    for (const double x : values) all.add(x);
    std::shuffle(values.begin(), values.end(), random);
    std::vector<Sums> parts(1 + random() % 7);
    for (const double x : values) parts[random() % parts.size()].add(x);
    std::shuffle(parts.begin(), parts.end(), random);
    Sums merged;
    for (Sums& part : parts) {
      const std::string bytes = saved_bytes(part.sum);
      load_bytes(part.sum, bytes);
      merged.add(part);
    }
    EXPECT_EQ(merged.bytes(), all.bytes());
  }
}

TEST(ExactSum, RefusesBytesOfNoSum) {
  const auto loads = [](bool is_negative, std::int32_t first, std::vector<std::uint32_t> digits) {
    ExactSum::Digits saved{is_negative, first, std::move(digits)};
    ExactSum sum;
    load_bytes(sum, saved_bytes(saved));
  };
  EXPECT_NO_THROW(loads(true, 3, {1, 0, 2}));
  EXPECT_THROW(loads(false, -1, {1}), InputError);
  EXPECT_THROW(loads(false, 3, {0, 1}), InputError);
  EXPECT_THROW(loads(false, 3, {1, 0}), InputError);
  EXPECT_THROW(loads(true, 0, {}), InputError);
  EXPECT_THROW(loads(false, 139, {1, 1}), InputError);
  EXPECT_THROW(loads(false, 2'000'000'000, {1, 1}), InputError);
}

}  // namespace
}  // namespace noslip

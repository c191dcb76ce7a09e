// Members from lists, grids and samples: known answers, statistics, independence of who asks, and what is refused.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <quadmath.h>
#include <random>

#include <gtest/gtest.h>

#include <noslip/core/scalar.hpp>
#include <noslip/ensemble/members.hpp>

#include "ensemble/draws.hpp"
#include "ensemble/philox.hpp"
#include "ensemble/spaced.hpp"

namespace noslip {
namespace {

using Kind = Variation::Kind;

std::vector<double> all_of(const Members& members) {
  std::vector<double> values(members.count() * members.names().size());
  members.read(0, members.count(), values.data());
  return values;
}

template <class Make>
std::string said(Make make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The known answers of Random123, the program of Salmon et al. 2011.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

/// Which bits become which value is a promise: samples have to be the same in every version.
TEST(SampleMembers, StayAsTheyAre) {
  const auto members = sample_members(3, 42, {{"x", Kind::uniform, -1, 1}, {"y", Kind::normal, 10, 2}});
  const std::uint64_t large = (std::uint64_t{1} << 40) + 5;
  const auto many = sample_members(large + 1, (std::uint64_t{7} << 32) + 1, {{"x", Kind::uniform, 0, 1}});
  std::vector<double> values = all_of(*members);
  values.resize(7);
  many->read(large, 1, &values[6]);
  const auto bits = philox({5, 1 << 8, 0, 0}, {1, 7});
  EXPECT_EQ(values[6], std::ldexp(static_cast<double>((bits[0] | std::uint64_t{bits[1]} << 32) >> 11), -53));
  EXPECT_EQ(members->identity(), "sample of 3 members, seed 42: x=uniform(-1,1) y=normal(10,2)");
  const auto first = philox({0, 0, 1, 0}, {42, 0});
  EXPECT_EQ(values[1],
            10 + 2 * normal_draw(first[0] | std::uint64_t{first[1]} << 32, first[2] | std::uint64_t{first[3]} << 32));
  EXPECT_EQ(values[0], -0x1.0156d88c62a2p-4);
  EXPECT_EQ(values[1], 0x1.20e6226b71d8p+3);
}

TEST(SampleMembers, DependOnTheirNumberAlone) {
  const std::vector<Variation> variations{
      {"a", Kind::normal, 0, 1}, {"b", Kind::uniform, 3, 4}, {"c", Kind::normal, 5, 0}};
  const auto many = sample_members(1000, 1, variations);
  const std::vector<double> values = all_of(*many);
  EXPECT_EQ(all_of(*sample_members(10, 1, variations)), std::vector<double>(values.begin(), values.begin() + 30));
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const std::size_t first = random() % 1000, count = random() % (1001 - first);
    std::vector<double> piece(count * 3);
    many->read(first, count, piece.data());
    EXPECT_TRUE(std::equal(piece.begin(), piece.end(), values.begin() + static_cast<std::ptrdiff_t>(first) * 3));
  }
  EXPECT_NE(all_of(*sample_members(1000, 2, variations)), values);
  EXPECT_EQ(values[2], 5);
  std::fesetround(FE_UPWARD);
  const std::vector<double> upward = all_of(*many);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(upward, values) << "the arithmetic of the host";
}

/// Largest distance of the distribution function from that of a sorted sample, times the root of its size.
double kolmogorov(std::vector<double> sample, double (*distribution)(double)) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double f = distribution(sample[i]);
    distance = std::max({distance, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  return distance * std::sqrt(n);
}

TEST(SampleMembers, HaveTheirDistribution) {
  constexpr std::size_t n = 200'000;
  const auto members = sample_members(n, 2024, {{"u", Kind::uniform, 0, 1}, {"z", Kind::normal, 0, 1}});
  const std::vector<double> values = all_of(*members);
  double u_sum = 0, u_squares = 0, z_sum = 0, z_squares = 0, z_fourth = 0, product = 0, next = 0;
  std::vector<double> u(n), z(n);
  for (std::size_t i = 0; i < n; ++i) {
    u[i] = values[2 * i];
    z[i] = values[2 * i + 1];
    u_sum += u[i] - 0.5;
    u_squares += (u[i] - 0.5) * (u[i] - 0.5);
    z_sum += z[i];
    z_squares += z[i] * z[i];
    z_fourth += std::pow(z[i], 4);
    product += (u[i] - 0.5) * z[i];
    if (i > 0) next += z[i] * z[i - 1];
  }
  // Four standard deviations of each.
  const double root = std::sqrt(double{n});
  EXPECT_LT(std::abs(u_sum), 4 * root * std::sqrt(1 / 12.0));
  EXPECT_LT(std::abs(u_squares - n / 12.0), 4 * root * std::sqrt(1 / 180.0));
  EXPECT_LT(std::abs(z_sum), 4 * root);
  EXPECT_LT(std::abs(z_squares - n), 4 * root * std::sqrt(2.0));
  EXPECT_LT(std::abs(z_fourth - 3.0 * n), 4 * root * std::sqrt(96.0));
  EXPECT_LT(std::abs(product), 4 * root * std::sqrt(1 / 12.0));
  EXPECT_LT(std::abs(next), 4 * root);
  // Larger than 1.95 in one case of 1000.
  EXPECT_LT(kolmogorov(u, [](double x) { return x; }), 1.95);
  EXPECT_LT(kolmogorov(z, [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }), 1.95);
}

/// The exact value from the same bits, in quadruple precision.
TEST(Draws, NormalValuesAreAccurate) {
  std::mt19937_64 random(1);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cases{
      {0, 0}, {~0ULL, ~0ULL}, {~0ULL, 0}, {1ULL << 63, 1ULL << 62}};
  for (int i = 0; i < 20'000; ++i) cases.emplace_back(random(), random());
  for (const auto& [first, second] : cases) {
    const quad u = static_cast<quad>((first >> 11) + 1) * 0x1p-53;
    const quad angle = 2 * acosq(-1) * static_cast<quad>(second >> 11) * 0x1p-53;
    const quad exact = sqrtq(-2 * logq(u)) * cosq(angle);
    EXPECT_LE(std::abs(static_cast<double>(normal_draw(first, second) - exact)),
              4 * epsilon<double>() * std::abs(static_cast<double>(exact)) + 1e-30)
        << first << " " << second;
  }
  EXPECT_LT(normal_draw(0, 0), 8.6);
  EXPECT_GT(normal_draw(0, 0), 8.5);
}

TEST(Draws, UniformValuesStayInside) {
  const double most = unit_draw(~0ULL);
  EXPECT_EQ(unit_draw(0), 0);
  EXPECT_LT(most, 1);
  const double largest = std::numeric_limits<double>::max(), smallest = std::numeric_limits<double>::denorm_min();
  const std::vector<std::pair<double, double>> limits{
      {0, 1}, {1e16, 1e16 + 2}, {-largest, largest}, {1, 1 + 3e-16}, {0, smallest}, {-0.1, 0.2}, {5, 5}};
  for (const auto& [a, b] : limits) {
    EXPECT_EQ(uniform_draw(a, b, 0), a);
    for (const double unit : {0x1p-53, 0.3, 0.5, 0.9, most}) {
      EXPECT_GE(uniform_draw(a, b, unit), a);
      EXPECT_TRUE(a == b || uniform_draw(a, b, unit) < b) << a << " " << b << " " << unit;
    }
  }
  EXPECT_EQ(uniform_draw(-largest, largest, 0.5), 0);
}

TEST(GridMembers, LastNameVariesFastest) {
  const auto members = grid_members({{"m", 1, 2, 3}, {"a", 7, 9, 1}, {"theta'", 0, 1, 2}});
  EXPECT_EQ(members->names(), (std::vector<std::string>{"m", "a", "theta'"}));
  EXPECT_EQ(all_of(*members), (std::vector<double>{1, 7, 0, 1, 7, 1, 1.5, 7, 0, 1.5, 7, 1, 2, 7, 0, 2, 7, 1}));
  EXPECT_EQ(members->identity(), "grid m=1:2:3 a=7:9:1 theta'=0:1:2");
  EXPECT_EQ(members->name_of(3), "member 3");
  const auto large = grid_members({{"x", 0, 1, 1001}, {"y", 0, 1, 11}, {"z", -1, 1, 7}});
  const std::vector<double> values = all_of(*large);
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const std::size_t first = random() % large->count(),
                      count = random() % std::min<std::size_t>(large->count() - first, 40);
    std::vector<double> piece(count * 3);
    large->read(first, count, piece.data());
    EXPECT_TRUE(std::equal(piece.begin(), piece.end(), values.begin() + static_cast<std::ptrdiff_t>(first) * 3));
  }
}

TEST(Spaced, IsExactAndSymmetric) {
  EXPECT_EQ(Spaced(0, 1, 11)[3], 0.3);
  EXPECT_EQ(Spaced(0, 1, 11)[7], 0.7);
  const double largest = std::numeric_limits<double>::max();
  const std::vector<std::pair<double, double>> ends{
      {0, 1},         {0.1, 0.7}, {-1, 1}, {1e-3, 1e300}, {-largest, largest}, {3e-320, 1e-310}, {-1e-5, 1e-5 + 1e-20},
      {1, 1 + 1e-15}, {-7, -0.3}};
  std::mt19937_64 random(9);
  int off = 0;
  for (const auto& [first, last] : ends) {
    for (const std::uint64_t n : {2ULL, 3ULL, 10ULL, 12345ULL, (1ULL << 53) - 1}) {
      const Spaced there(first, last, n), back(last, first, n), opposite(-first, -last, n);
      EXPECT_EQ(there[0], first);
      EXPECT_EQ(there[n - 1], last);
      for (int i = 0; i < 200; ++i) {
        const std::uint64_t k = random() % n;
        const double value = there[k];
        EXPECT_EQ(back[n - 1 - k], value);
        EXPECT_EQ(opposite[k], -value);
        const quad exact = (quad(n - 1 - k) * quad(first) + quad(k) * quad(last)) / quad(n - 1);
        off += value != static_cast<double>(exact) ? 1 : 0;
        EXPECT_LE(value, std::nextafter(static_cast<double>(exact), INFINITY));
        EXPECT_GE(value, std::nextafter(static_cast<double>(exact), -INFINITY));
      }
    }
  }
  EXPECT_LE(off, 20) << "numbers below 2^-1022 are rounded twice";
}

TEST(ListMembers, GivesWhatItWasGiven) {
  const auto members = list_members({"x", "y"}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(members->count(), 3U);
  std::vector<double> values(2);
  members->read(1, 1, values.data());
  EXPECT_EQ(values, (std::vector<double>{3, 4}));
  EXPECT_EQ(members->identity(), list_members({"x", "y"}, {1, 2, 3, 4, 5, 6})->identity());
  EXPECT_EQ(members->identity().find("values of x, y for 3 members, checksum "), 0U);
  EXPECT_NE(members->identity(), list_members({"x", "y"}, {1, 2, 3, 4, 5, -6})->identity());
  EXPECT_NE(members->identity(), list_members({"x", "y"}, {1, 2, 3, 4, -5, -6})->identity());
}

TEST(Members, RefuseWhatMakesNoSense) {
  EXPECT_EQ(said([] { list_members({}, {}); }), "nothing varies\n  give at least one name");
  EXPECT_EQ(said([] {
              list_members({"x", "x", ""}, {1, 2, 3});
            }),
            "'x' varies twice\n  give it once\na name is empty\n  name an initial value, a parameter or an input");
  EXPECT_EQ(said([] { list_members({"x"}, {}); }), "there are no members\n  give the values of at least one");
  EXPECT_EQ(said([] {
              list_members({"x", "y"}, {1, 2, NAN});
            }),
            "3 values for members of 2 each\n  give each member a value for every name\n"
            "member 1: the value of 'x' is nan\n  give a finite number");
  EXPECT_EQ(said([] {
              grid_members({{"x", 0, INFINITY, 2}, {"y", 1, 1, 5}, {"z", 0, 1, 0}, {"x", 0, 1, 2}});
            }),
            "'x' varies twice\n  give it once\n'x' goes from 0 to inf\n  give finite numbers\n"
            "all 5 values of 'y' are 1\n  give different ends, or one value\n"
            "'z' has no values\n  give a number of at least 1");
  EXPECT_EQ(said([] {
              grid_members({{"x", 0, 1, 1ULL << 40}, {"y", 0, 1, 1ULL << 40}, {"z", 0, 1, 1ULL << 40}});
            }),
            "there are more than 2^53 members\n  give fewer");
  EXPECT_EQ(said([] {
              sample_members(0, 1, {{"x", Kind::uniform, 2, 1}, {"y", Kind::normal, 0, -1}});
            }),
            "there are no members\n  give at least one\n'x' goes from 2 down to 1\n  give the lower limit first\n"
            "'y' has the standard deviation -1\n  give one that is not negative");
  EXPECT_EQ(said([] {
              sample_members(1, 1, {{"x", Kind::uniform, NAN, 1}, {"y", Kind::normal, 0, 1e308}});
            }),
            "'x' has limits nan and 1\n  give finite numbers\n"
            "values of 'y' may be too large for a double\n  give a smaller deviation");
}

}  // namespace
}  // namespace noslip

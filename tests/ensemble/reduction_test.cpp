// Reductions: equal to what their definitions say, whatever the order and division of members; errors of quantiles;
// what is saved; what a text of reductions may be.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <noslip/ensemble/reduction.hpp>

namespace noslip {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string bytes_of_reducer(const Reducer& reducer) {
  Reducer copy = reducer;
  return saved_bytes(copy);
}

/// By a straight line between neighbours in the sorted list, as the header says.
double exact_quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const double place = p * static_cast<double>(values.size() - 1);
  const auto before = static_cast<std::size_t>(place);
  const double low = values[before], high = values[std::min(before + 1, values.size() - 1)];
  const double weight = place - static_cast<double>(before);
  return low * (1 - weight) + high * weight;
}

TEST(Reducer, GivesWhatItsNamesSay) {
  Reducer reducer(
      read_reductions("mean(x), variance(x), deviation(x), min(x), max(x), count(x), median(x), quantile(x, 0.25), "
                      "mean(y), histogram(x,0,4,4)"),
      2);
  EXPECT_EQ(reducer.expressions(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(reducer.expression_of(8), 1U);
  EXPECT_EQ(reducer.row_count(), 2U);
  const std::vector<double> values{4, nan, 1, 2, 5, -1, std::numeric_limits<double>::infinity(), 3};
  reducer.add(1, 0, values);
  reducer.add(1, 1, 7);
  EXPECT_EQ(reducer.columns(),
            (std::vector<std::string>{"mean(x)", "variance(x)", "deviation(x)", "min(x)", "max(x)", "count(x)",
                                      "median(x)", "quantile(x, 0.25)", "mean(y)", "histogram(x,0,4,4)[below]",
                                      "histogram(x,0,4,4)[0]", "histogram(x,0,4,4)[1]", "histogram(x,0,4,4)[2]",
                                      "histogram(x,0,4,4)[3]", "histogram(x,0,4,4)[above]"}));
  EXPECT_EQ(reducer.values(1),
            (std::vector<double>{14 / 6.0, (56 - 14 * 14 / 6.0) / 5, std::sqrt((56 - 14 * 14 / 6.0) / 5), -1, 5, 6, 2.5,
                                 1.25, 7, 1, 0, 1, 1, 2, 1}));
  EXPECT_EQ(reducer.left_out(1, 0), 2U);
  EXPECT_EQ(reducer.finite_count(1, 0), 6U);
  EXPECT_EQ(reducer.edges(9), (std::vector<double>{0, 1, 2, 3, 4}));
  EXPECT_EQ(reducer.histogram(1, 9).above, 1U);
  for (const std::size_t i : {0, 1, 2, 3, 4, 6, 7}) EXPECT_TRUE(std::isnan(reducer.number(0, i))) << "of no values";
  EXPECT_EQ(reducer.number(0, 5), 0);
  reducer.add(0, 0, 3);
  EXPECT_TRUE(std::isnan(reducer.number(0, 1))) << "the variance of one value";
  EXPECT_EQ(reducer.number(0, 7), 3);
}

/// An edge belongs to the bin above it, whatever a quotient would be rounded to.
TEST(Reducer, EdgesOfBinsDecide) {
  for (const auto& [low, high, bins] : std::vector<std::tuple<double, double, int>>{
           {0, 1, 10}, {-0.3, 0.7, 1000}, {1e-300, 2e-300, 7}, {1, 1 + 1e-15, 20}, {-1e307, 1e307, 33}}) {
    MemberReduction histogram{MemberReduction::Kind::histogram, "h", "x"};
    histogram.low = low, histogram.high = high, histogram.bins = static_cast<std::size_t>(bins);
    Reducer reducer({histogram}, 1);
    const std::vector<double> edges = reducer.edges(0);
    EXPECT_EQ(edges.front(), low);
    EXPECT_EQ(edges.back(), high);
    std::vector<std::uint64_t> wanted(histogram.bins);
    std::mt19937 random(1);
    std::vector<double> values = edges;
    for (const double edge : edges) {
      values.push_back(std::clamp(std::nextafter(edge, -INFINITY), low, high));
      values.push_back(std::clamp(std::nextafter(edge, INFINITY), low, high));
    }
    for (const double x : values) {
      std::size_t k = histogram.bins - 1;
      while (x < edges[k]) --k;
      ++wanted[k];
    }
    reducer.add(0, 0, values);
    EXPECT_EQ(reducer.histogram(0, 0).counts, wanted) << low << " " << high;
    EXPECT_EQ(reducer.histogram(0, 0).below + reducer.histogram(0, 0).above, 0U);
  }
}

using Draw = std::function<double(std::mt19937_64&)>;

std::vector<std::pair<const char*, Draw>> hard_distributions() {
  const auto uniform = [](std::mt19937_64& bits) { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  const auto normal = [](std::mt19937_64& bits) { return std::normal_distribution<double>()(bits); };
  return {{"uniform", uniform},
          {"normal", normal},
          {"log-normal over 40 decades", [=](auto& bits) { return std::exp(20 * normal(bits)); }},
          {"Cauchy", [=](auto& bits) { return std::tan(3.14159 * (uniform(bits) - 0.5)); }},
          {"two far peaks", [=](auto& bits) { return (bits() % 2 == 0 ? -1e9 : 1e-9) * (1 + 0.01 * normal(bits)); }},
          {"around zero", [=](auto& bits) { return std::pow(normal(bits), 9); }},
          {"many zeros", [=](auto& bits) { return bits() % 3 == 0 ? (bits() % 2 == 0 ? 0.0 : -0.0) : normal(bits); }},
          {"few values", [=](auto& bits) { return static_cast<double>(bits() % 5) - 2; }},
          {"powers of two", [=](auto& bits) { return std::ldexp(1, static_cast<int>(bits() % 100) - 50); }},
          {"negative", [=](auto& bits) { return -1 - uniform(bits); }},
          {"any bits", [=](auto& bits) {
             const auto x = std::bit_cast<double>(bits());
             return std::isfinite(x) ? x : 0;
           }}};
}

TEST(Quantile, IsAsAccurateAsStated) {
  const std::vector<double> places{0, 1e-4, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.9999, 1};
  std::vector<MemberReduction> reductions;
  for (const double p : places) {
    reductions.push_back({MemberReduction::Kind::quantile, "quantile " + std::to_string(p), "x"});
    reductions.back().p = p;
  }
  std::mt19937_64 random(5);
  for (const auto& [what, draw] : hard_distributions()) {
    for (const std::size_t n : {1U, 2U, 999U, 1000U, 1001U, 50'000U}) {
      Reducer reducer(reductions, 1);
      std::vector<double> values(n);
      for (double& x : values) x = draw(random);
      reducer.add(0, 0, values);
      std::sort(values.begin(), values.end());
      for (std::size_t i = 0; i < places.size(); ++i) {
        const double found = reducer.number(0, i), wanted = exact_quantile(values, places[i]);
        if (n <= 1000) {
          EXPECT_LE(std::abs(found - wanted), 3e-16 * std::abs(wanted)) << what << " " << n << " " << places[i];
          continue;
        }
        const auto before = static_cast<std::size_t>(places[i] * static_cast<double>(n - 1));
        const double neighbour = std::max(std::abs(values[before]), std::abs(values[std::min(before + 1, n - 1)]));
        EXPECT_LE(std::abs(found - wanted), neighbour * 0.001 + 2.2e-311) << what << " " << n << " " << places[i];
        EXPECT_TRUE(found == wanted || (places[i] != 0 && places[i] != 1));
      }
    }
  }
}

Reducer reducer_of_all(std::size_t rows) {
  return Reducer(
      read_reductions("mean(x), deviation(x), min(x), max(x), count(x), median(x), quantile(y,0.9), mean(y), "
                      "histogram(y,-1,1,20), histogram(x,0,pi,7)"),
      rows);
}

/// Whoever had which members, and in which order: bytes and results are the same.
TEST(Reducer, DependsOnTheSetOfValuesAlone) {
  std::mt19937_64 random(17);
  const auto distributions = hard_distributions();
  for (int round = 0; round < 60; ++round) {
    const Draw& draw = distributions[random() % distributions.size()].second;
    const std::size_t rows = 1 + random() % 3;
    const std::size_t members = round % 2 == 0 ? 100 + random() % 400 : 900 + random() % 4000;
    std::vector<std::vector<double>> values(members, std::vector<double>(2 * rows));
    for (auto& member : values) {
      for (double& x : member) x = random() % 50 == 0 ? nan : draw(random);
    }
    Reducer all = reducer_of_all(rows);
    const auto add = [&](Reducer& to, const std::vector<double>& member) {
      for (std::size_t row = 0; row < rows; ++row) to.add(row, 0, member[2 * row]), to.add(row, 1, member[2 * row + 1]);
    };
    for (const auto& member : values) add(all, member);
    std::shuffle(values.begin(), values.end(), random);
    std::vector<Reducer> parts(1 + random() % 8, reducer_of_all(rows));
    for (const auto& member : values) add(parts[random() % parts.size()], member);
    while (parts.size() > 1) {  // in any order, and through bytes now and then
      const std::size_t from = random() % parts.size();
      Reducer part = parts[from];
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(from));
      if (random() % 2 == 0) {
        Reducer loaded = reducer_of_all(rows);
        load_bytes(loaded, bytes_of_reducer(part));
        part = loaded;
      }
      parts[random() % parts.size()].merge(part);
    }
    EXPECT_EQ(bytes_of_reducer(parts[0]), bytes_of_reducer(all));
    for (std::size_t row = 0; row < rows; ++row) {
      const std::vector<double> one = parts[0].values(row), other = all.values(row);
      EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(double)), 0);
    }
  }
}

TEST(Reducer, CountsBeyond32Bits) {
  Reducer reducer(read_reductions("quantile(x,0.5), quantile(x,0.9), count(x), mean(x)"), 1);
  std::vector<double> values(1200, 3.0);
  values.resize(2000, 5.0);
  reducer.add(0, 0, values);
  for (int i = 0; i < 24; ++i) reducer.merge(Reducer(reducer));  // twice as many each time
  EXPECT_EQ(reducer.number(0, 2), 2000.0 * (1 << 24));
  EXPECT_NEAR(reducer.number(0, 0), 3, 0.003);
  EXPECT_NEAR(reducer.number(0, 1), 5, 0.005);
  EXPECT_EQ(reducer.number(0, 3), 3.8);
  Reducer loaded(reducer.reductions(), 1);
  load_bytes(loaded, bytes_of_reducer(reducer));
  EXPECT_EQ(bytes_of_reducer(loaded), bytes_of_reducer(reducer));
}

TEST(Reducer, RefusesOthers) {
  Reducer reducer(read_reductions("mean(x), median(x)"), 2);
  EXPECT_THROW(reducer.merge(Reducer(read_reductions("mean(x), median(y)"), 2)), InputError);
  EXPECT_THROW(reducer.merge(Reducer(read_reductions("mean(x), median(x)"), 3)), InputError);
  EXPECT_THROW(load_bytes(reducer, bytes_of_reducer(Reducer(read_reductions("mean(x)"), 2))), InputError);
  EXPECT_THROW(load_bytes(reducer, ""), InputError);
  EXPECT_THROW(Reducer({{MemberReduction::Kind::quantile, "q", "x", 0, 2}}, 1), InputError);
  EXPECT_THROW(Reducer({{MemberReduction::Kind::mean, "", ""}}, 1), InputError);
  EXPECT_THROW(Reducer({{MemberReduction::Kind::mean, "m", "x"}, {MemberReduction::Kind::max, "m", "x"}}, 1),
               InputError);
}

/// Bytes that were changed are refused, or are those of another reducer: nothing else happens.
TEST(Reducer, SurvivesChangedBytes) {
  std::mt19937_64 random(23);
  Reducer reducer(read_reductions("mean(x), variance(x), median(x), histogram(x,-1,1,3)"), 2);
  for (int i = 0; i < 1500; ++i) reducer.add(0, 0, std::sin(i)), reducer.add(1, 0, i % 900 == 0 ? 1.0 : nan);
  const std::string bytes = bytes_of_reducer(reducer);
  int loaded = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string changed = bytes;
    for (std::size_t j = 0; j <= i % 3U; ++j) changed[random() % changed.size()] = static_cast<char>(random());
    if (i % 10 == 0) changed.resize(random() % changed.size());
    Reducer other(reducer.reductions(), 2);
    try {
      load_bytes(other, changed);
    } catch (const InputError&) {
      continue;
    }
    ++loaded;
    other.merge(reducer);
    other.values(0), other.values(1);
  }
  EXPECT_GT(loaded, 0);
}

}  // namespace
}  // namespace noslip

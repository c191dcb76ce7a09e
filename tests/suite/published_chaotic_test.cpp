// Jay 2009, sec. 8.4; Martin de Diego and Sato 2022, sec. 7.3; Celledoni et al. 2019, sec. 4.1: on a chaotic system the
// energy errors of many motions spread as a random walk, mean of (E - E0)^2 = h^4 (c0 + c1 t). Ten motions would
// scatter by a factor of six; here are 200.
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

struct Spread {
  const char* method;
  double least, most;  ///< of c1
};

class PublishedChaos : public ::testing::TestWithParam<Spread> {};

constexpr int members = 200;
constexpr double h = 0.1;
constexpr long long steps = 100000, every = 200;

/// Sums over some of the members; one for each thread.
struct Sums {
  std::vector<double> squares = std::vector<double>(steps / every + 1);
  double max_constraint = 0;
  std::string problem;

  void add(const std::string& method, int member) {
    RunOptions o = testing::options(method, h, steps);
    o.set = {{"j", member}, {"J", members - 1}};
    o.every = every;
    std::size_t row = 0;
    o.sink = [&](const Sample& sample) {
      const double error = sample.energy - 3.06;
      squares.at(row++) += error * error;
    };
    const Trajectory run = integrate(catalogue_system("chaotic"), o);
    if (run.outcome.status != Status::done) problem = run.outcome.message;
    max_constraint = std::max(max_constraint, run.constraints.max_abs);
  }
};

TEST_P(PublishedChaos, EnergyErrorsWalkRandomly) {
  Sums sums[2];
  {
    const auto work = [&](int half) {
      for (int j = half; j < members; j += 2) sums[half].add(GetParam().method, j);
    };
    const std::jthread other(work, 1);
    work(0);
  }
  EXPECT_EQ(sums[0].problem + sums[1].problem, "");
  EXPECT_LE(std::max(sums[0].max_constraint, sums[1].max_constraint), 1e-15);

  long double n = 0, t1 = 0, t2 = 0, y1 = 0, ty = 0;
  for (std::size_t i = 0; i < sums[0].squares.size(); ++i) {
    const double t = h * static_cast<double>(every) * static_cast<double>(i);
    const double mean = (sums[0].squares[i] + sums[1].squares[i]) / members / std::pow(h, 4);
    n += 1;
    t1 += t;
    t2 += t * t;
    y1 += mean;
    ty += t * mean;
  }
  const double c1 = static_cast<double>((n * ty - t1 * y1) / (n * t2 - t1 * t1));
  EXPECT_GE(c1, GetParam().least);
  EXPECT_LE(c1, GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(TwoHundredMembers, PublishedChaos,
                         ::testing::Values(Spread{"lobatto-ab:2", 6e-5, 1.6e-4}, Spread{"lobatto-ab-mid", 6e-5, 1.6e-4},
                                           Spread{"mp", 6e-5, 1.6e-4}, Spread{"cm", 6e-5, 1.6e-4},
                                           Spread{"nh-lobatto:2", 5e-4, 1.3e-3}),
                         [](const auto& instance) { return testing::test_name(instance.param.method); });

}  // namespace
}  // namespace noslip

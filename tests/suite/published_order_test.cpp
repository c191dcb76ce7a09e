// Measured orders of Hilden 2009 (table 2.1, thm. 2.5 and 2.7 on test problems of index 2, fig. 3.4) and of Jay 2009,
// sec. 7.3. The slopes were measured with an independent program too; errors are those at t = 1.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/run/converge.hpp>

#include "suite/members.hpp"

namespace noslip {
namespace {

ConvergeResult measure(const System& system, const std::string& method, const std::vector<int>& steps) {
  ConvergeOptions o;
  o.methods = {method};
  for (const int count : steps) o.steps.push_back(1.0 / count);
  o.until = 1;
  const ConvergeResult result = converge(system, system.initial_state(system.parameter_values()), o).results.front();
  for (const ConvergeRow& row : result.rows) {
    EXPECT_EQ(row.outcome.status, Status::done) << method << ", step " << row.step << ": " << row.outcome.message;
  }
  return result;
}

/// Slopes between neighbouring steps.
std::vector<double> slopes(const ConvergeResult& result, double StateNumbers::*part) {
  std::vector<double> found;
  for (std::size_t i = 1; i < result.rows.size(); ++i) {
    const ConvergeRow &coarse = result.rows[i - 1], &fine = result.rows[i];
    found.push_back(std::log(coarse.error.*part / fine.error.*part) / std::log(coarse.step / fine.step));
  }
  return found;
}

struct TableRow {
  const char* method;
  double y, z;
};

class PublishedTable : public ::testing::TestWithParam<TableRow> {};

/// Some families come near their order slowly, from below: the steps are small, and what is missing halves with them.
TEST_P(PublishedTable, StandardMethodsOnIndexTwo) {
  const TableRow& row = GetParam();
  const ConvergeResult result = measure(catalogue_system("index2"), row.method, {160, 320, 640});
  const auto limit = [](const std::vector<double>& two) { return 2 * two[1] - two[0]; };
  EXPECT_NEAR(limit(slopes(result, &StateNumbers::q)), row.y, 0.04);
  EXPECT_NEAR(limit(slopes(result, &StateNumbers::multipliers)), row.z, 0.04);
}

INSTANTIATE_TEST_SUITE_P(Table21, PublishedTable,
                         ::testing::Values(TableRow{"rk-gauss:1", 2, 0}, TableRow{"rk-gauss:2", 2, 0},
                                           TableRow{"rk-gauss:3", 4, 2}, TableRow{"rk-gauss:4", 4, 2},
                                           TableRow{"rk-radau-ia:1", 1, 1}, TableRow{"rk-radau-ia:2", 2, 1},
                                           TableRow{"rk-radau-ia:3", 3, 2}, TableRow{"rk-radau-iia:1", 1, 1},
                                           TableRow{"rk-radau-iia:2", 3, 2}, TableRow{"rk-radau-iia:3", 5, 3},
                                           TableRow{"rk-lobatto-iiia:2", 2, 2}, TableRow{"rk-lobatto-iiia:3", 4, 2},
                                           TableRow{"rk-lobatto-iiia:4", 6, 4}, TableRow{"rk-lobatto-iiic:2", 2, 1},
                                           TableRow{"rk-lobatto-iiic:3", 4, 2}, TableRow{"rk-lobatto-iiic:4", 6, 3}),
                         [](const auto& instance) { return testing::test_name(instance.param.method); });

struct Slopes {
  const char* system;
  const char* method;
  std::vector<int> steps;
  std::vector<double> published;  ///< of y, between the last of these steps
  double least_squares = 0;       ///< over all of them; zero: not known
};

TEST(PublishedOrders, SlopesOnIndexTwoProblems) {
  const Slopes cases[] = {
      // table 2.1
      {"index2", "rk-radau-ia:2", {80, 160}, {1.81}},
      {"index2", "rk-radau-ia:3", {20, 40}, {2.78}},
      {"index2", "rk-radau-iia:1", {80, 160}, {0.93}},
      {"index2", "rk-lobatto-iiic:2", {80, 160}, {1.88}},
      {"index2", "rk-lobatto-iiic:3", {40, 80, 160, 320}, {3.57, 3.79, 3.90}},
      {"index2", "rk-lobatto-iiic:4", {20, 40}, {5.66}},
      // figure 2.2
      {"index2-split", "spark-lobatto:2", {10, 20, 40, 80, 160}, {1.87, 1.94, 1.97, 1.98}, 1.94},
      {"index2-split", "spark-lobatto:3", {10, 20, 40, 80}, {4.55, 4.32, 4.18}, 4.35},
      {"index2-split", "spark-lobatto:4", {4, 8, 16, 32}, {6.26, 6.08, 6.03}},
      // figures 2.3 and 2.4
      {"index2", "srk-gauss:1", {40, 80}, {2.00}},
      {"index2", "srk-gauss:2", {40, 80}, {4.00}},
      {"index2", "srk-gauss:3", {20, 40}, {6.00}},
      {"index2", "srk-radau-ia:2", {10, 20, 40, 80}, {2.98}, 2.96},
      {"index2", "srk-radau-ia:3", {5, 10, 20, 40}, {5.17}, 5.34},
  };
  for (const Slopes& each : cases) {
    const ConvergeResult result = measure(catalogue_system(each.system), each.method, each.steps);
    const std::vector<double> found = slopes(result, &StateNumbers::q);
    const std::size_t first = found.size() - each.published.size();
    for (std::size_t i = 0; i < each.published.size(); ++i) {
      EXPECT_NEAR(found[first + i], each.published[i], 0.006) << each.method << ", slope " << i;
    }
    if (each.least_squares > 0) {
      EXPECT_NEAR(result.order.q, each.least_squares, 0.006) << each.method;
    }
  }
}

TEST(PublishedOrders, SparkReachesTheOrderOfTheLastStage) {
  for (int s = 2; s <= 4; ++s) {
    const std::string method = "spark-lobatto:" + std::to_string(s);
    const ConvergeResult result = measure(catalogue_system("index2-split"), method, {80, 160});
    EXPECT_NEAR(slopes(result, &StateNumbers::q)[0], 2 * s - 2, s == 3 ? 0.1 : 0.02) << method;
    EXPECT_NEAR(slopes(result, &StateNumbers::multipliers)[0], s - 1, 0.03) << method;
    RunOptions o = testing::options(method, 0.00625, 160);
    EXPECT_LE(integrate(catalogue_system("index2-split"), o).constraints.max_abs, 1e-15) << method;
  }
}

/// Jay 2009, sec. 7.3, says that one stage has order 1; it has 2. With two stages the velocities have order 2, as the
/// paper says.
TEST(PublishedOrders, StandardGaussOnMechanicalSystems) {
  for (const char* name : {"particle", "skate", "rolling-disk"}) {
    const System system = catalogue_system(name);
    const ConvergeResult one = measure(system, "rk-gauss:1", {40, 80, 160});
    EXPECT_NEAR(one.order.q, 2, 0.01) << name;
    EXPECT_NEAR(one.order.v, 2, 0.01) << name;
    const ConvergeResult two = measure(system, "rk-gauss:2", {40, 80, 160});
    EXPECT_NEAR(two.order.q, 4, 0.01) << name;
    EXPECT_NEAR(two.order.v, 2, 0.01) << name;
  }
}

/// Hilden 2009, fig. 3.4. The Cortes-Martinez map here goes from midpoint to midpoint, the one of the paper from end to
/// end.
TEST(PublishedOrders, McLachlanPerlmutterOnTheDisk) {
  const System disk = catalogue_system("rolling-disk");
  EXPECT_NEAR(measure(disk, "mp", {10, 20, 40, 80, 160}).order.q, 2.0002, 5e-4);
  EXPECT_NEAR(measure(disk, "cm", {10, 20, 40, 80, 160}).order.q, 2, 0.01);
}

/// Martin de Diego and Sato 2022, eq. (20): q and p have the order 2 s - 2, the multipliers s or s - 1, whichever is
/// even.
TEST(PublishedOrders, NonholonomicLobatto) {
  const System particle = testing::harmonic_particle();
  for (int s = 2; s <= 4; ++s) {
    const ConvergeResult result = measure(particle, "nh-lobatto:" + std::to_string(s), {20, 40, 80});
    EXPECT_NEAR(slopes(result, &StateNumbers::q)[1], 2 * s - 2, 0.01) << s;
    EXPECT_NEAR(slopes(result, &StateNumbers::v)[1], 2 * s - 2, 0.01) << s;
    EXPECT_NEAR(slopes(result, &StateNumbers::multipliers)[1], s % 2 == 0 ? s : s - 1, 0.02) << s;
  }
}

}  // namespace
}  // namespace noslip

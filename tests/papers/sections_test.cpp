// Sections of the contact oscillator, on a small scale.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "papers/prepare.hpp"
#include "papers/reproduce.hpp"

namespace noslip::papers {
namespace {

SectionRun small_section(double epsilon) {
  SectionRun run;
  run.setting = {.system = "contact-oscillator", .set = {{"epsilon", epsilon}}};
  run.methods = {"mp", "lobatto-ab:2"};
  run.parameter = "z0";
  run.values = {-0.55, 0.4};
  run.step = 2 * std::sin(std::numbers::pi / 40);
  run.steps_per_iteration = 40;
  run.iterations = 60;
  run.quick_iterations = 30;
  run.quantities = {
      {.name = "x", .of = "x"}, {.name = "y", .of = "y"}, {.name = "z", .of = "z"}, {.name = "z'", .of = "z'"}};
  run.plane = {"x", "z", "z'"};
  return run;
}

double value_of(const Table& table, const std::string& column, std::size_t row) {
  return table.values.at(static_cast<std::size_t>(table.find(column))).at(row);
}

TEST(Sections, EveryOrbitHasATableAndARow) {
  const SectionRun run = small_section(0);
  const std::vector<Table> tables = carry_out(run, {});
  ASSERT_EQ(tables.size(), 6U);
  for (const std::size_t i : {0U, 1U, 3U, 4U}) {
    EXPECT_EQ(tables[i].label, orbit_label(run, run.methods[i / 3], run.values[i % 3]));
    ASSERT_EQ(tables[i].values[0].size(), 61U);
    for (std::size_t row = 0; row <= 60; ++row) EXPECT_NEAR(value_of(tables[i], "y", row), 1, 1e-13);  // a period
  }
  EXPECT_EQ(tables[2].label, "mp");
  EXPECT_EQ(tables[5].label, "lobatto-ab:2");
  EXPECT_EQ(tables[5].values[0], (std::vector<double>{1, 2}));
  EXPECT_EQ(carry_out(run, {.quick = true})[0].values[0].size(), 31U);
}

TEST(Sections, PointsLieInAPlaneOnlyWithoutPerturbation) {
  const std::vector<Table> flat = carry_out(small_section(0), {}), curved = carry_out(small_section(0.3), {});
  for (const std::size_t summary : {2U, 5U}) {
    for (const std::size_t orbit : {0U, 1U}) {
      EXPECT_LT(value_of(flat[summary], "plane", orbit), 1e-13);
      EXPECT_GT(value_of(curved[summary], "plane", orbit), 1e-3);
      EXPECT_GT(value_of(flat[summary], "energy", orbit), value_of(flat[summary], "energy at section", orbit));
      EXPECT_TRUE(std::isnan(value_of(flat[summary], "separation", orbit)));
    }
  }
}

TEST(Sections, NeighboursSeparateFasterWhereTheOrbitIsChaotic) {
  SectionRun run = small_section(0.8);
  run.values = {-0.55, -0.4};
  run.iterations = run.separation = 800;
  const std::vector<Table> tables = carry_out(run, {});
  for (const std::size_t summary : {2U, 5U}) {
    EXPECT_GT(value_of(tables[summary], "separation", 0), 1e4);
    EXPECT_LT(value_of(tables[summary], "separation", 1), 1e3);
  }
}

TEST(Sections, StopWhenAskedTo) {
  const std::vector<Table> tables =
      carry_out(small_section(0), {.progress = [](const std::string&, long long, long long) { return false; }});
  ASSERT_FALSE(tables.empty());
  EXPECT_EQ(tables.back().outcome.status, Status::interrupted);
}

}  // namespace
}  // namespace noslip::papers

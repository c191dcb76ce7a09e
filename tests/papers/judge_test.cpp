// From tables to numbers to verdicts.
#include <cmath>

#include <gtest/gtest.h>

#include "papers/reproduce.hpp"
#include "papers/table.hpp"

namespace noslip::papers {
namespace {

Table table_of(const std::string& label, double step, const std::vector<double>& x, double (*y)(double)) {
  Table table;
  table.label = label;
  table.step = step;
  table.columns = {"t", "y"};
  table.values = {x, {}};
  for (const double value : x) table.values[1].push_back(y(value));
  return table;
}

std::vector<double> times(int count) {
  std::vector<double> result;
  for (int i = 0; i <= count; ++i) result.push_back(i);
  return result;
}

double measured(const Table& table, Reducer reducer, Range window = {}) {
  return measure({table},
                 {.what = "", .run = table.label, .column = "y", .reduce = reducer, .window = window, .full = {}});
}

TEST(Reducers, FindWhatIsThere) {
  const Table line = table_of("line", 0.1, times(100), [](double t) { return 3 - 2 * t; });
  EXPECT_EQ(measured(line, Reducer::max_abs), 197);
  EXPECT_EQ(measured(line, Reducer::minimum), -197);
  EXPECT_EQ(measured(line, Reducer::maximum), 3);
  EXPECT_EQ(measured(line, Reducer::last), -197);
  EXPECT_EQ(measured(line, Reducer::count), 101);
  EXPECT_NEAR(measured(line, Reducer::mean), -97, 1e-12);
  EXPECT_NEAR(measured(line, Reducer::slope), -2, 1e-14);
  EXPECT_NEAR(measured(line, Reducer::intercept), 3, 1e-12);
  EXPECT_NEAR(measured(line, Reducer::growth), 197.0 / 97, 1e-14);
  EXPECT_EQ(measured(line, Reducer::max_abs, {10, 20}), 37);
  const Table power = table_of("power", 0.1, times(50), [](double t) { return -0.5 * std::pow(t, 2.5); });
  EXPECT_NEAR(measured(power, Reducer::log_slope), 2.5, 1e-12);
  const Table fast = table_of("fast", 0.1, times(50), [](double t) { return 7 * std::exp(0.3 * t); });
  EXPECT_NEAR(measured(fast, Reducer::log_rate), 0.3, 1e-12);
  const Table through_zero = table_of("zero", 0.1, times(50), [](double t) { return 4 * t; });
  EXPECT_NEAR(measured(through_zero, Reducer::proportional), 4, 1e-14);
}

TEST(Reducers, CompareTwoTables) {
  const auto coarse = table_of("coarse", 0.2, times(10), [](double) { return 16.0; });
  const auto fine = table_of("fine", 0.1, times(10), [](double) { return 1.0; });
  Check check{.what = "", .run = "coarse", .column = "y", .reduce = Reducer::mean, .other = "fine", .full = {}};
  check.versus = Versus::ratio;
  EXPECT_EQ(measure({coarse, fine}, check), 16);
  check.versus = Versus::exponent;
  EXPECT_NEAR(measure({coarse, fine}, check), 4, 1e-14);
  check.versus = Versus::difference;
  EXPECT_EQ(measure({coarse, fine}, check), 15);
  check.other = "nowhere";
  EXPECT_TRUE(std::isnan(measure({coarse, fine}, check)));
}

TEST(Reducers, HaveNoNumberWhereThereIsNone) {
  Table table = table_of("a", 0.1, times(3), [](double t) { return t; });
  EXPECT_TRUE(std::isnan(measure({table}, {.what = "", .run = "b", .column = "y", .full = {}})));
  EXPECT_TRUE(std::isnan(measure({table}, {.what = "", .run = "a", .column = "z", .full = {}})));
  EXPECT_TRUE(std::isnan(measured(table, Reducer::max_abs, {100, 200})));
  table.values[1][2] = std::nan("");  // rows without a number are left out
  EXPECT_EQ(measured(table, Reducer::count), 3);
  table.outcome.status = Status::failed;
  EXPECT_TRUE(std::isnan(measured(table, Reducer::max_abs)));
}

TEST(Judge, GivesAVerdict) {
  const Bounds both{.paper = Range{9.5, 10.5}, .truth = Range{7, 9}};
  EXPECT_EQ(judge(8, both), Verdict::corrected);
  EXPECT_EQ(judge(10, both), Verdict::differs);  // where the paper has it, but not where it is
  EXPECT_EQ(judge(12, both), Verdict::differs);
  const Bounds paper{.paper = at_most(1)}, truth{.truth = around(2, 0.1)};
  EXPECT_EQ(judge(1, paper), Verdict::agrees);
  EXPECT_EQ(judge(1.1, paper), Verdict::differs);
  EXPECT_EQ(judge(2.19, truth), Verdict::agrees);
  EXPECT_EQ(judge(2.21, truth), Verdict::differs);
  EXPECT_EQ(judge(std::nan(""), paper), Verdict::differs);
  EXPECT_EQ(judge(1, {}), Verdict::differs);
  EXPECT_TRUE(around(-2, 0.1).holds(-2.1));
}

Experiment small_experiment() {
  return {.id = "test",
          .what = "a skate for a second",
          .claim = "",
          .runs = {TimeRun{.setting = {.system = "skate"},
                           .methods = {"lobatto-ab:2", "gauss:2"},
                           .step = 0.1,
                           .until = 1,
                           .quick_until = 0.5,
                           .quantities = {{.name = "E", .of = "energy", .as = Quantity::As::change},
                                          {.name = "x error", .of = "x", .as = Quantity::As::error},
                                          {.name = "distance", .of = "q", .as = Quantity::As::error},
                                          {.name = "speed", .of = "sqrt(x'^2 + y'^2)"},
                                          {.name = "glide", .of = "glide"}}}},
          .checks = {{.what = "E", .run = "gauss:2", .column = "E", .full = {.paper = at_most(1e-6)}},
                     {.what = "rows",
                      .run = "lobatto-ab:2",
                      .column = "E",
                      .reduce = Reducer::count,
                      .full = {.truth = Range{11, 11}},
                      .quick = Bounds{.truth = Range{6, 6}}}},
          .panels = {}};
}

TEST(Reproduce, RunsMeasuresAndJudges) {
  const Experiment experiment = small_experiment();
  const Reproduction full = reproduce(experiment, {});
  EXPECT_EQ(full.outcome.status, Status::done);
  ASSERT_EQ(full.tables.size(), 2U);
  EXPECT_EQ(full.tables[1].label, "gauss:2");
  EXPECT_EQ(full.verdict, Verdict::agrees);
  EXPECT_TRUE(full.as_recorded);
  const auto last = [&](const char* column) { return full.tables[1].values[full.tables[1].find(column)].back(); };
  EXPECT_NEAR(last("speed"), std::sin(1.0), 1e-5);
  EXPECT_NEAR(last("glide"), 0, 1e-5);
  EXPECT_LT(std::fabs(last("x error")), last("distance"));
  EXPECT_GT(std::fabs(last("x error")), 0);
  EXPECT_LT(last("distance"), 1e-5);
  const Reproduction quick = reproduce(experiment, {.quick = true});
  EXPECT_TRUE(quick.as_recorded);
  EXPECT_EQ(quick.tables[0].values[0].back(), 0.5);
}

TEST(Reproduce, NoticesAnotherVerdictThanTheRecordedOne) {
  Experiment experiment = small_experiment();
  experiment.checks[0].full.recorded = Verdict::corrected;
  EXPECT_EQ(recorded_verdict(experiment, false), Verdict::corrected);
  const Reproduction better = reproduce(experiment, {});
  EXPECT_EQ(better.verdict, Verdict::agrees);
  EXPECT_FALSE(better.as_recorded);
  experiment = small_experiment();
  experiment.checks[0].full.paper = at_most(1e-300);
  const Reproduction worse = reproduce(experiment, {});
  EXPECT_EQ(worse.verdict, Verdict::differs);
  EXPECT_FALSE(worse.as_recorded);
}

TEST(Reproduce, FailedRunsDiffer) {
  Experiment experiment = small_experiment();
  std::get<TimeRun>(experiment.runs[0]).step = 1e9;
  std::get<TimeRun>(experiment.runs[0]).until = 1e12;
  std::get<TimeRun>(experiment.runs[0]).methods = {"gauss:2"};
  std::get<TimeRun>(experiment.runs[0]).setting = {.system = "chaotic"};
  std::get<TimeRun>(experiment.runs[0]).quantities = {{.name = "E", .of = "energy"}};
  const Reproduction result = reproduce(experiment, {});
  EXPECT_EQ(result.tables[0].outcome.status, Status::failed);
  EXPECT_EQ(result.verdict, Verdict::differs);
}

TEST(Reproduce, CanBeStopped) {
  const Experiment experiment = small_experiment();
  ReproduceOptions options;
  options.progress = [](const std::string&, long long, long long) { return false; };
  const Reproduction result = reproduce(experiment, options);
  EXPECT_EQ(result.outcome.status, Status::interrupted);
  EXPECT_TRUE(result.checks.empty());
}

TEST(Reproduce, WrongDataAreRefused) {
  Experiment experiment = small_experiment();
  std::get<TimeRun>(experiment.runs[0]).quantities = {{.name = "a", .of = "speeed*2"}};
  EXPECT_THROW(reproduce(experiment, {}), InputError);
}

TEST(Reproduce, RelativeChangesAreThoseBesideTheStart) {
  Experiment experiment = small_experiment();
  std::get<TimeRun>(experiment.runs[0]).quantities = {
      {.name = "value", .of = "2 + 3*phi"},
      {.name = "change", .of = "2 + 3*phi", .as = Quantity::As::change},
      {.name = "relative", .of = "2 + 3*phi", .as = Quantity::As::relative_change}};
  experiment.checks.clear();
  const Reproduction result = reproduce(experiment, {});
  const auto last = [&](const char* column) { return result.tables[1].values[result.tables[1].find(column)].back(); };
  EXPECT_NEAR(last("value"), 5, 1e-12);  // phi = t
  EXPECT_NEAR(last("change"), 3, 1e-12);
  EXPECT_NEAR(last("relative"), 1.5, 1e-12);
}

}  // namespace
}  // namespace noslip::papers

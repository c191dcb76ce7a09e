// Documents and pictures of studies.
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <noslip/io/json.hpp>
#include <noslip/io/study_plot.hpp>

namespace noslip {
namespace {

using nlohmann::json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Convergence some_convergence() {
  Convergence study;
  study.system = "skate";
  study.until = 2;
  study.reference.method = "gauss:4";
  study.reference.precision = Precision::long_double;
  study.reference.step = 0.05;
  study.reference.error = {1e-15, 2e-15, nan};
  ConvergeResult method{"gauss:2", 4, 4, {}, {4.01, 3.9, nan}, {"no order of the multipliers: because"}};
  method.rows.push_back({0.2, 10, Precision::double_precision, {1e-4, 2e-4, nan}, {1e-15, 1e-15, nan}, {}});
  method.rows.push_back({0.1, 20, Precision::double_precision, {1e-5, 2e-5, nan}, {1e-15, 1e-15, nan}, {}});
  method.rows.push_back({0.05, 3, Precision::double_precision, {}, {}, {Status::failed, "Newton did not converge"}});
  method.rows.push_back({0.025, 80, Precision::double_precision, {3e-15, 1.0 / 3, nan}, {1e-15, 1e-15, nan}, {}});
  study.results.push_back(method);
  study.notes = {"a note"};
  return study;
}

Comparison some_comparison(bool has_exact) {
  Comparison comparison;
  comparison.system = "skate";
  comparison.step = 0.1;
  comparison.until = 2;
  comparison.has_exact = has_exact;
  for (const char* name : {"gauss:1", "gauss:2"}) {
    CompareResult one;
    one.run.about.method = name;
    one.run.about.columns = {{"x", ColumnKind::coordinate, 0, "x"}, {"x'", ColumnKind::velocity, 0, "x"}};
    one.run.about.has_exact = true;
    one.run.last = {2, {1}, {2}, {3}, 4, 0};
    one.run.energy = {"energy", 1, 1, 1e-5, 1e-9};
    one.run.balance = {one.run.energy, false};
    one.run.error_at_end = 1e-3;
    one.run.steps = 20;
    one.run.wall_seconds = 1;
    if (has_exact) one.error = {1e-3, 2e-3, nan};
    one.nanoseconds_per_step = 120.5;
    comparison.results.push_back(one);
  }
  comparison.results.back().nanoseconds_per_step = nan;
  comparison.results.back().run.outcome = {Status::failed, "why"};
  return comparison;
}

TEST(ConvergeJson, HasTheDocumentedKeys) {
  const json document = json::parse(to_json_text(some_convergence()));
  EXPECT_EQ(document["system"], "skate");
  EXPECT_EQ(document["until"], 2);
  EXPECT_EQ(document["reference"]["kind"], "computed");
  EXPECT_EQ(document["reference"]["method"], "gauss:4");
  EXPECT_EQ(document["status"], "failed") << "one of its runs did";
  EXPECT_EQ(document["message"], "failed: gauss:2");
  ASSERT_EQ(document["results"].size(), 1U);
  const json& method = document["results"][0];
  EXPECT_EQ(method["method"], "gauss:2");
  EXPECT_EQ(method["order_claimed"], 4);
  EXPECT_EQ(method["order_q"].get<double>(), 4.01);
  EXPECT_EQ(method["order_v"].get<double>(), 3.9);
  EXPECT_TRUE(method["order_multipliers"].is_null());
  ASSERT_EQ(method["rows"].size(), 4U);
  EXPECT_EQ(method["rows"][0]["step"].get<double>(), 0.2);
  EXPECT_EQ(method["rows"][0]["error_q"].get<double>(), 1e-4);
  EXPECT_EQ(method["rows"][3]["error_v"].get<double>(), 1.0 / 3);
  EXPECT_TRUE(method["rows"][0]["error_multipliers"].is_null());
  EXPECT_TRUE(method["rows"][2]["error_q"].is_null());
  EXPECT_EQ(method["rows"][2]["status"], "failed");
  EXPECT_EQ(method["rows"][2]["message"], "Newton did not converge");
  EXPECT_EQ(method["rows"][1]["precision"], "double");
}

TEST(ConvergeJson, AnExactReferenceHasNoMethod) {
  Convergence study = some_convergence();
  study.reference = {};
  study.reference.is_exact = true;
  const json document = json::parse(to_json_text(study));
  EXPECT_EQ(document["reference"], json({{"kind", "exact"}}));
}

TEST(CompareJson, HasTheKeysOfRuns) {
  const json document = json::parse(to_json_text(some_comparison(true)));
  EXPECT_EQ(document["system"], "skate");
  ASSERT_EQ(document["results"].size(), 2U);
  const json& one = document["results"][0];
  for (const char* key : {"method", "order", "step", "steps", "t", "q", "v", "multipliers", "energy", "constraints",
                          "holonomic", "invariants", "solver", "backend", "status", "message", "error_at_end"}) {
    EXPECT_TRUE(one.contains(key)) << key;
  }
  EXPECT_EQ(one["nanoseconds_per_step"].get<double>(), 120.5) << "measured by itself, not taken from the run";
  EXPECT_EQ(one["error_q"].get<double>(), 1e-3);
  EXPECT_EQ(one["energy"]["max_abs_error"].get<double>(), 1e-5);
  EXPECT_TRUE(document["results"][1]["nanoseconds_per_step"].is_null());
  EXPECT_EQ(document["results"][1]["status"], "failed");
  const json without = json::parse(to_json_text(some_comparison(false)));
  EXPECT_FALSE(without["results"][0].contains("error_q"));
  EXPECT_FALSE(without["results"][0].contains("error_at_end"));
}

TEST(ConvergePlot, HasAPanelForWhatThereIs) {
  const Plot plot = plot_of(some_convergence());
  EXPECT_NE(plot.title.find("skate"), std::string::npos);
  ASSERT_EQ(plot.panels.size(), 2U) << "no multipliers";
  const std::vector<PlotSeries>& series = plot.panels[0].series;
  ASSERT_EQ(series.size(), 2U) << "one method, one guide";
  EXPECT_EQ(series[0].label, "gauss:2");
  EXPECT_EQ(series[0].points.size(), 2U) << "without the failed row and the row at rounding";
  EXPECT_TRUE(series[1].is_guide);
  ASSERT_EQ(series[1].points.size(), 2U);
  const PlotPoint &a = series[1].points[0], &b = series[1].points[1];
  EXPECT_NEAR(std::log(a.y / b.y) / std::log(a.x / b.x), 4, 1e-9) << "the slope that is claimed";
  for (const PlotPoint& point : series[0].points) {
    EXPECT_LT(a.y * std::pow(point.x / a.x, 4), point.y) << "the guide runs below the errors";
  }
}

TEST(ComparePlot, ShowsErrorsOrEnergyAgainstCost) {
  const Plot exact = plot_of(some_comparison(true));
  ASSERT_EQ(exact.panels.size(), 1U);
  EXPECT_EQ(exact.panels[0].series[0].points[0].x, 120.5);
  EXPECT_EQ(exact.panels[0].series[0].points[0].y, 1e-3);
  const Plot energy = plot_of(some_comparison(false));
  EXPECT_EQ(energy.panels[0].series[0].points[0].y, 1e-5);
  EXPECT_NE(energy.panels[0].y.label.find("energy"), std::string::npos);
  EXPECT_NE(to_svg(energy).find("gauss:2"), std::string::npos);
  Comparison driven = some_comparison(false);
  for (CompareResult& one : driven.results) {
    one.run.balance.has_work = true;
    one.run.balance.max_abs_error = 1e-7;
  }
  const Plot balance = plot_of(driven);
  EXPECT_EQ(balance.panels[0].series[0].points[0].y, 1e-7);
  EXPECT_NE(balance.panels[0].y.label.find("balance"), std::string::npos);
}

/// Two methods, two steps each; the second method has errors of these sizes.
ComparisonOverTime some_history(double energy, double constraint) {
  ComparisonOverTime study;
  study.comparison = some_comparison(false);
  for (CompareResult& one : study.comparison.results) one.run.constraints.by_name = {{"k", 0}};
  study.errors.assign(2, ErrorsOverTime(0, 2));
  for (std::size_t i = 0; i < 2; ++i) {
    for (const double t : {0.0, 1.0, 2.0}) {
      const double sign = t == 0 ? 0 : 1;
      study.errors[i].add({t, {}, {}, {}, 1 + sign * (i == 0 ? 0.5 : energy), sign * (i == 0 ? 1e-3 : constraint), 0});
    }
  }
  return study;
}

TEST(TimePlot, HasALinePerMethodForEnergyAndConstraints) {
  const Plot plot = plot_of(some_history(0.25, 1e-5));
  EXPECT_NE(plot.title.find("skate"), std::string::npos);
  ASSERT_EQ(plot.panels.size(), 2U);
  for (const PlotPanel& panel : plot.panels) {
    EXPECT_EQ(panel.x.label, "t");
    EXPECT_FALSE(panel.x.is_logarithmic);
    EXPECT_TRUE(panel.y.is_logarithmic);
    EXPECT_EQ(panel.note, "");
    ASSERT_EQ(panel.series.size(), 2U);
    EXPECT_EQ(panel.series[0].label, "gauss:1");
    EXPECT_NE(panel.series[0].colour, panel.series[1].colour);
    EXPECT_EQ(panel.series[1].end_text, "failed") << "and nothing is said of the first";
    EXPECT_EQ(panel.series[0].end_text, "");
    ASSERT_EQ(panel.series[1].points.size(), 2U) << "without the initial state";
    EXPECT_EQ(panel.series[1].points[1].x, 2);
  }
  EXPECT_EQ(plot.panels[0].series[1].points[0].y, 0.25);
  EXPECT_EQ(plot.panels[1].series[1].points[0].y, 1e-5);
}

TEST(TimePlot, ZerosLieBelowEverythingElse) {
  const Plot plot = plot_of(some_history(0, 0));
  const double floor = plot.panels[1].series[1].points[0].y;
  EXPECT_EQ(floor, 1e-17);
  EXPECT_EQ(plot.panels[1].note, "zero is drawn at 1e-17");
  EXPECT_NE(to_svg(plot).find("zero is drawn at 1e-17"), std::string::npos);
  const Plot small = plot_of(some_history(0, 1e-30));
  EXPECT_EQ(small.panels[1].note, "") << "there is no zero";
  ComparisonOverTime mixed = some_history(0, 1e-30);
  mixed.errors[0] = ErrorsOverTime(0, 2);
  mixed.errors[0].add({0, {}, {}, {}, 1, 0, 0});
  mixed.errors[0].add({1, {}, {}, {}, 1, 0, 0});
  EXPECT_NEAR(plot_of(mixed).panels[1].series[0].points[0].y / 1e-31, 1, 1e-9) << "a decade below the smallest";
}

TEST(TimePlot, HasThePanelsThatThereAre) {
  ComparisonOverTime study = some_history(0.1, 1e-5);
  for (CompareResult& one : study.comparison.results) one.run.balance.has_work = true;
  EXPECT_NE(plot_of(study).panels[0].y.label.find("work"), std::string::npos);
  for (CompareResult& one : study.comparison.results) one.run.constraints.by_name.clear();
  EXPECT_EQ(plot_of(study).panels.size(), 1U);
  for (CompareResult& one : study.comparison.results) one.run.energy.initial = nan;
  EXPECT_EQ(plot_of(study).panels.size(), 1U) << "says that there is nothing to draw";
  for (CompareResult& one : study.comparison.results) one.run.holonomic.by_name = {{"g", 0, 0}};
  ASSERT_EQ(plot_of(study).panels.size(), 1U);
  EXPECT_NE(plot_of(study).panels[0].y.label.find("constraint"), std::string::npos);
}

}  // namespace
}  // namespace noslip

// JSON documents: the keys that docs/tool.md lists, numbers that round-trip, null for what is not a number.
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <noslip/io/json.hpp>

namespace noslip {
namespace {

using nlohmann::json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Trajectory some_trajectory() {
  Trajectory run;
  run.about = {.system = "sleigh \"on\" ice",
               .method = "gauss:2",
               .order = 4,
               .step = 0.1,
               .backend = Backend::jit,
               .precision = Precision::double_precision,
               .columns = {{"x", ColumnKind::coordinate, 0, "x"},
                           {"theta", ColumnKind::coordinate, 1, "theta"},
                           {"x'", ColumnKind::velocity, 0, "x"},
                           {"theta'", ColumnKind::velocity, 1, "theta"}},
               .factors = {}};
  run.steps = 4;
  run.last = {0.4, {1.0 / 3, 2e-300}, {0.1, -5}, {0.7}, 2.5, 1e-16, -0.25};
  run.last_quad = {to_quad("0.4"), {to_quad("0.333"), to_quad("2e-300")}, {to_quad("0.1"), -5}, {}};
  run.energy = {"energy", 2.5, 2.25, 0.5, 1e-17};
  run.balance = {{"balance", 2.5, 2.5, 1e-9, 1e-18}, true};
  run.constraints = {1e-16, {{"y' = 0", 1e-16}}};
  run.invariants = {{"spin", 1, 2, 3, 4}};
  run.solver = {3.25, 5};
  run.wall_seconds = 2e-6;
  return run;
}

TEST(RunJson, HasTheDocumentedKeys) {
  const json document = json::parse(to_json_text(some_trajectory()));
  for (const char* key :
       {"system", "method", "order", "step", "steps", "t", "q", "v", "multipliers", "energy", "constraints",
        "holonomic", "invariants", "solver", "backend", "wall_seconds", "nanoseconds_per_step", "status", "message"}) {
    EXPECT_TRUE(document.contains(key)) << key;
  }
  EXPECT_EQ(document["system"], "sleigh \"on\" ice");
  EXPECT_EQ(document["q"]["x"].get<double>(), 1.0 / 3);
  EXPECT_EQ(document["q"]["theta"].get<double>(), 2e-300);
  EXPECT_EQ(document["v"]["theta"].get<double>(), -5);
  EXPECT_EQ(document["multipliers"], json::array({0.7}));
  EXPECT_EQ(document["energy"]["drift_per_time"].get<double>(), 1e-17);
  EXPECT_EQ(document["energy"]["final"].get<double>(), 2.25);
  EXPECT_EQ(document["energy"]["work"].get<double>(), -0.25);
  EXPECT_EQ(document["energy"]["max_abs_balance_error"].get<double>(), 1e-9);
  EXPECT_EQ(document["energy"]["balance_drift_per_time"].get<double>(), 1e-18);
  EXPECT_EQ(document["constraints"]["max_abs"].get<double>(), 1e-16);
  EXPECT_EQ(document["constraints"]["by_name"][0]["text"], "y' = 0");
  EXPECT_EQ(document["holonomic"]["by_name"], json::array());
  EXPECT_EQ(document["invariants"]["spin"]["max_abs_error"].get<double>(), 3);
  EXPECT_EQ(document["solver"]["iterations_max"], 5);
  EXPECT_EQ(document["backend"], "jit");
  EXPECT_EQ(document["precision"], "double");
  EXPECT_DOUBLE_EQ(document["nanoseconds_per_step"].get<double>(), 500);
  EXPECT_EQ(document["status"], "done");
  EXPECT_EQ(document["steps"], 4);
  EXPECT_FALSE(document.contains("q_text"));
  EXPECT_FALSE(document.contains("error_at_end"));
}

TEST(RunJson, WritesNullForWhatIsNotFinite) {
  Trajectory run = some_trajectory();
  run.last.q[0] = nan;
  run.energy.max_abs_error = std::numeric_limits<double>::infinity();
  run.steps = 0;
  const json document = json::parse(to_json_text(run));
  EXPECT_TRUE(document["q"]["x"].is_null());
  EXPECT_TRUE(document["energy"]["max_abs_error"].is_null());
  EXPECT_TRUE(document["nanoseconds_per_step"].is_null());
}

TEST(RunJson, WorkIsNullWithoutEnergyAndWhereItIsNotKnown) {
  Trajectory run = some_trajectory();
  EXPECT_EQ(json::parse(to_json_text(run))["energy"]["work"].get<double>(), -0.25);
  run.energy = {"energy", nan, nan, nan, nan};  // an index-2 system
  run.last.work = 0;
  json energy = json::parse(to_json_text(run))["energy"];
  ASSERT_TRUE(energy.contains("work"));
  EXPECT_TRUE(energy["work"].is_null());
  EXPECT_TRUE(energy["initial"].is_null());
  run = some_trajectory();
  run.last.work = run.balance.final = nan;
  energy = json::parse(to_json_text(run))["energy"];
  ASSERT_TRUE(energy.contains("work"));
  EXPECT_TRUE(energy["work"].is_null());
  EXPECT_EQ(to_json_text(run).find(": nan"), std::string::npos);
}

TEST(RunJson, AddsAllDigitsOfHigherPrecision) {
  Trajectory run = some_trajectory();
  run.about.precision = Precision::quadruple;
  const json document = json::parse(to_json_text(run));
  EXPECT_EQ(document["t_text"], "0.400000000000000000000000000000000019");
  EXPECT_EQ(document["q_text"]["x"], "0.333000000000000000000000000000000006");
  EXPECT_EQ(document["v_text"]["theta"], "-5");
  EXPECT_TRUE(document["q"]["x"].is_number());
  run.about.precision = Precision::long_double;
  EXPECT_EQ(json::parse(to_json_text(run))["t_text"], to_text(0.4L));
  run.last.q = {1, 0, 0, 0};  // quaternions
  EXPECT_FALSE(json::parse(to_json_text(run)).contains("q_text"));
}

TEST(RunJson, ReplacesBytesThatAreNoText) {
  Trajectory run = some_trajectory();
  run.outcome = {Status::failed, "bad \xff byte"};
  const json document = json::parse(to_json_text(run));
  EXPECT_EQ(document["status"], "failed");
  EXPECT_EQ(document["message"], "bad \xEF\xBF\xBD byte");
}

TEST(BenchJson, HasTheDocumentedKeys) {
  const std::vector<BenchResult> results{{"gauss:2", 4, Backend::jit, 123.5, 3, {}}};
  const json document = json::parse(to_json_text("sleigh", 0.1, results));
  EXPECT_EQ(document["results"], json::array({{{"method", "gauss:2"},
                                               {"lanes", 4},
                                               {"backend", "jit"},
                                               {"nanoseconds_per_step", 123.5},
                                               {"iterations_mean", 3.0}}}));
}

TEST(CheckJson, HasTheDocumentedKeys) {
  SystemText text;
  text.name = "skate";
  text.coordinates = {"x", "y"};
  text.lagrangian = "m/2*(x'^2 + y'^2)";
  text.constraints = {"y' = x*x'"};
  text.parameters = {{"m", "2"}};
  text.q0 = {"1", "0"};
  text.v0 = {"1", "1"};
  CheckReport report;
  report.system = System::from(text);
  report.parameters = report.system.parameter_values();
  report.initial = report.system.initial_state(report.parameters);
  report.continuous.energy = nan;
  report.rank = 1;
  report.problems = {{"something", {}, "fix it"}};

  const json document = json::parse(to_json_text(report));
  EXPECT_EQ(document["system"], "skate");
  EXPECT_EQ(document["coordinates"], json::array({"x", "y"}));
  EXPECT_EQ(document["parameters"]["m"].get<double>(), 2);
  EXPECT_EQ(document["constraints"], json::array({{{"text", "y' = x*x'"}, {"kind", "linear"}}}));
  EXPECT_EQ(document["holonomic"], json::array());
  EXPECT_TRUE(document["structure"]["constant_mass"].get<bool>());
  EXPECT_EQ(document["initial"]["q"]["x"].get<double>(), 1);
  EXPECT_EQ(document["initial"]["v"]["y"].get<double>(), 1);
  EXPECT_TRUE(document["initial"]["accelerations"]["x"].is_null());
  EXPECT_EQ(document["initial"]["multipliers"], json::array());
  EXPECT_TRUE(document["initial"]["energy"].is_null());
  EXPECT_EQ(document["initial"]["max_constraint"].get<double>(), 0);
  EXPECT_FALSE(document["consistent"].get<bool>());
  EXPECT_EQ(document["problems"][0]["remedy"], "fix it");
  EXPECT_EQ(document["degrees_of_freedom"], 1);
}

}  // namespace
}  // namespace noslip
